#pragma once
// Sums over the lattice and the solvers' scalars as data of the task graph: using them never waits.

#include "codelets/coefficients/args.h"
#include "codelets/device/exact_sum.h"
#include "runtime/owned_data.hpp"
#include "tasks/data.hpp"

#include <array>
#include <memory>
#include <vector>

namespace qcd
{

/// QCD_MAX_SUMS exact sums over a field's sites: an accumulator set per tile, and their merge.
class LatticeSums
{
public:
    LatticeSums(LatticeGraph&, Sites);
    Sites sites() const { return sites_; }

    /// What the tasks of a tile write.
    Data part(int parity, int tile) const { return parts_[index_[parity] + tile]->data(); }
    /// Submits the merge of all parts; total() is then what scalar tasks read.
    void merge() const;
    Data total() const { return total_->data(); }
    /// Tasks of a merge of so many parts.
    static int merges(int parts);
    /// Waits for all parts, adds them up and rounds: value i of the accumulators.
    std::array<double, QCD_MAX_SUMS> wait() const;

private:
    LatticeGraph& graph_;
    Sites sites_;
    std::array<int, 2> index_{};
    std::vector<std::unique_ptr<HostData>> parts_, partial_;
    const HostData* total_ = nullptr;
};

/// The scalars of one or more iterations (codelets/coefficients/layout.h), in as many copies as the
/// graph's exchange computes.
class Coefficients
{
public:
    explicit Coefficients(LatticeGraph&);
    LatticeGraph& graph() const { return *graph_; }
    Data copy(int i) const { return copies_[i]->data(); }
    /// The copy for a tile's tasks.
    Data at(int tile) const { return copies_[copies_.size() == 1 ? 0 : tile]->data(); }
    /// Waits for the task that writes them.
    std::array<double, QCD_COEFFICIENTS> wait() const;

private:
    LatticeGraph* graph_;
    std::vector<std::unique_ptr<HostData>> copies_;
};

/// The first slots of `coefficients` and its likes, for copy i.
std::vector<Operand> scalar_slots(const coefficients_args& stage, const Coefficients* previous,
                                  const Coefficients& out, int i);

} // namespace qcd
