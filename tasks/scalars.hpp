#pragma once
// Sums over the lattice and the solvers' scalars as data of the task graph: using them never waits.

#include "codelets/launch/scalar_codelets.hpp"
#include "runtime/owned_data.hpp"
#include "tasks/data.hpp"
#include "tasks/rank_sums.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

namespace qcd
{

/// QCD_MAX_SUMS exact sums over a field's sites: an accumulator set per owned tile, and their
/// merge, over ranks as well; of each right-hand side its own.
class LatticeSums
{
public:
    LatticeSums(LatticeGraph&, Sites);
    Sites sites() const { return sites_; }

    /// What the tasks of a tile write.
    Data part(int parity, int tile) const { return parts_[index_[parity][tile]]->data(); }
    /// Submits the merge of all parts; total() is then what scalar tasks read.
    void merge() const;
    Data total() const { return of_ranks_->total(); }
    /// Tasks of a merge of so many parts.
    static int merges(int parts);
    /// Waits for all parts, adds them up and rounds: value i of the accumulators.
    std::array<double, QCD_MAX_SUMS> wait(int rhs = 0) const;

private:
    LatticeGraph& graph_;
    Sites sites_;
    std::array<std::vector<int>, 2> index_; // by tile
    std::vector<std::unique_ptr<HostData>> parts_, partial_;
    std::optional<RankSums> of_ranks_;
};

/// A struct of doubles for each right-hand side as data of the graph, in as many copies as the
/// graph's exchange computes.
class ScalarData
{
public:
    LatticeGraph& graph() const { return *graph_; }
    int copies() const { return int(copies_.size()); }
    Data copy(int i) const { return copies_[i]->data(); }
    /// The first double, which of a method's scalars is the gate. Waits for the tasks that use
    /// them.
    double gate(int rhs) const;
    void set_gate(double, int rhs) const;
    /// The tolerance of a method for a start without Start::tol. Waits likewise.
    void set_starting_tolerance(double, int rhs) const;

    /// The copy for a tile's tasks.
    Data at(int tile) const { return copies_[copies_.size() == 1 ? 0 : tile]->data(); }

protected:
    ScalarData(LatticeGraph&, std::size_t stride); ///< of a right-hand side, in doubles; zeros
    /// Waits for the task that writes them.
    void read(void* to, std::size_t bytes, int rhs) const;
    void write(const void* from, std::size_t bytes, int rhs) const;

private:
    LatticeGraph* graph_;
    std::size_t stride_;
    std::vector<std::unique_ptr<HostData>> copies_;
};

/// A gate as the operand of a tile's task; null: there is none.
inline Data gate_for(const ScalarData* gate, int tile) { return gate ? gate->at(tile) : Data{}; }
/// What a task writes only where the gate is open. To StarPU it is then read, too, so that what was
/// there is with the worker that leaves it alone.
inline Operand kept_behind(const ScalarData* gate, const Data& out)
{
    return gate ? updated(out) : Operand(out);
}

/// A method's scalars, or the history of a solve (codelets/device/solve_scalars.h).
template <class Struct>
class Scalars : public ScalarData
{
public:
    explicit Scalars(LatticeGraph& graph) : ScalarData(graph, stride) {}
    /// Waits for the task that writes them.
    Struct wait(int rhs = 0) const
    {
        Struct s;
        read(&s, sizeof s, rhs);
        return s;
    }
    /// Waits for the tasks that use them.
    void set(const Struct& s, int rhs = 0) const { write(&s, sizeof s, rhs); }

private:
    static constexpr bool is_history = std::is_same_v<Struct, solve_history>;
    static constexpr std::size_t doubles = sizeof(Struct) / sizeof(double);
    static constexpr std::size_t stride =
        is_history ? doubles : std::max<std::size_t>(doubles, QCD_SCALARS_STRIDE);
    static_assert(std::is_trivially_copyable_v<Struct> && sizeof(Struct) % sizeof(double) == 0);
};

/// One operation on a method's scalars (codelets/device/scalar_step.h).
struct ScalarStep {
    const ScalarCodelets& codelets;
    scalar_step_args args;
    const ScalarData& scalars;
    const ScalarData* history = nullptr;
    const LatticeSums *a = nullptr, *b = nullptr;
};
/// Its first slots, for copy i.
std::vector<Operand> scalar_slots(const ScalarStep&, int i);

} // namespace qcd
