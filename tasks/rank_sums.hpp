#pragma once
// Exact sums of all ranks from those of each, of all right-hand sides in one message.

#include "runtime/owned_data.hpp"
#include "tasks/lattice_graph.hpp"

#include <memory>
#include <vector>

namespace qcd
{

/// Recursive doubling: in step i each rank adds what the rank has whose number differs from its own
/// in bit i. Ranks beyond the last power of two give theirs to a partner first, and have the total
/// from it. Sums are integers: all ranks have the same bits.
class RankSums
{
public:
    /// mine: what this rank has. Of one rank it is the total.
    RankSums(LatticeGraph&, const Data& mine);
    /// Submits all steps.
    void submit() const;
    Data total() const { return total_; }

private:
    struct Step {
        int partner;
        long tag;
        Data send;                        // none: nothing is sent
        Data mine;                        // before this step
        std::unique_ptr<HostData> theirs; // null: nothing is received
        std::unique_ptr<HostData> sum;    // mine + theirs; null: nothing is added
    };
    enum class Way { gives, takes, both, takes_total };
    void add_step(int partner, long tag, Way);
    std::unique_ptr<HostData> make() const;

    LatticeGraph& graph_;
    Data total_;
    std::vector<Step> steps_;
};

} // namespace qcd
