#pragma once
// Sums over the lattice and the solvers' scalars as data of the task graph: using them never waits.

#include "codelets/coefficients/layout.h"
#include "codelets/device/exact_sum.h"
#include "codelets/runtime/peer_memory.hpp"
#include "tasks/field.hpp"

#include <array>

namespace qcd
{

/// One handle of `elements` items of `element_bytes`, memory of its own on the host.
class HostData
{
public:
    /// worker: Data::worker
    HostData(std::size_t elements, std::size_t element_bytes, int worker);
    ~HostData();
    HostData(const HostData&) = delete;
    HostData& operator=(const HostData&) = delete;
    Data data() const { return data_; }
    const void* host() const { return memory_.data(); }

private:
    std::vector<char> memory_;
    Data data_;
};

/// QCD_MAX_SUMS exact sums over a field's sites: an accumulator set per tile, and their merge.
class LatticeSums
{
public:
    LatticeSums(const Tiling&, Sites);
    ~LatticeSums();
    LatticeSums(const LatticeSums&) = delete;
    LatticeSums& operator=(const LatticeSums&) = delete;

    /// What the tasks of a tile write.
    Data part(int parity, int tile) const { return parts_[index_[parity] + tile]->data(); }
    /// Submits the merge of all parts; total() is then what scalar tasks read.
    void merge() const;
    /// With linked workers the one of worker i, else i = 0.
    Data total(int i) const { return linked_.empty() ? total_->data() : linked_[i].total->data(); }
    /// Merges, waits and rounds: value i of the accumulators.
    std::array<double, QCD_MAX_SUMS> wait() const;

private:
    /// A linked worker's total, and where others put their parts, in two turns.
    struct Linked {
        std::unique_ptr<HostData> total;
        std::unique_ptr<PeerMemory> inbox;
    };
    void link();
    void merge_linked() const;
    Data inbox(int worker) const; // of this turn

    std::array<int, 2> index_{};
    std::vector<std::unique_ptr<HostData>> parts_, partial_;
    const HostData* total_ = nullptr;
    std::vector<Linked> linked_;
    mutable long merges_ = 0;
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
