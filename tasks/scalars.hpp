#pragma once
// Sums over the lattice and the solvers' scalars as data of the task graph: using them never waits.

#include "codelets/coefficients/layout.h"
#include "codelets/device/exact_sum.h"
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
    LatticeSums(const Tiling&, Sites);

    /// What the tasks of a tile write.
    Data part(int parity, int tile) const { return parts_[index_[parity] + tile]->data(); }
    /// Of linked worker i, which has tile i: one, or one for each parity.
    std::vector<Data> parts_of(int i) const;
    /// Submits the merge of all parts; total() is then what scalar tasks read. Not with linked
    /// workers, whose scalar tasks exchange the parts (codelets/linked_coefficients).
    void merge() const;
    Data total() const { return total_->data(); }
    /// Waits for all parts, adds them up and rounds: value i of the accumulators.
    std::array<double, QCD_MAX_SUMS> wait() const;

private:
    std::array<int, 2> index_{};
    std::vector<std::unique_ptr<HostData>> parts_, partial_;
    const HostData* total_ = nullptr;
};

/// The scalars of one or more iterations (codelets/coefficients/layout.h).
class Coefficients
{
public:
    Coefficients();
    /// Copies that are all computed: one for each linked worker, else one.
    int copies() const { return int(copies_.size()); }
    Data copy(int i) const { return copies_[i]->data(); }
    /// The copy for a tile's tasks.
    Data at(int tile) const { return copies_[copies_.size() == 1 ? 0 : tile]->data(); }
    /// Waits for the task that writes them.
    std::array<double, QCD_COEFFICIENTS> wait() const;

private:
    std::vector<std::unique_ptr<HostData>> copies_;
};

} // namespace qcd
