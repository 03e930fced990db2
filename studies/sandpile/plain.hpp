#pragma once
// The sandpile by plain loops, without StarPU: what task versions are compared with.

#include <atomic>
#include <limits>
#include <string>
#include <vector>

namespace qcd::studies
{

/// Grains of cell (x, y) at x + nx y.
struct Pile {
    int nx = 0, ny = 0;
    std::vector<int> grains{};
};

/// How OpenMP deals out rows.
struct Schedule {
    bool dynamic = false;
    int chunk = 0; ///< rows; 0: OpenMP's own choice
};

struct SettleControl {
    long most_sweeps = std::numeric_limits<long>::max();
    const std::atomic<bool>* stop = nullptr;
    bool goes_on(long sweeps) const { return sweeps < most_sweeps && !(stop && *stop); }
    // of loops
    int threads = 1;
    Schedule schedule{};
    bool first_touch = true; ///< by the threads that compute; else by one
    // of tasks
    int sweeps = 1; ///< of a task
    int look = 1;   ///< tasks of a part between two looks whether all is stable
};

/// naive        in place: a cell that is unstable gives at once
/// synchronous  two arrays: cells give into the new one
/// absorb       two arrays: each cell of the new one takes of its neighbours in the old one
/// openmp       naive by threads, one row in three at a time: rows that are worked on at the same
///              time share no neighbour
/// openmp_absorb  absorb by threads
/// stack        in place: unstable cells wait on a stack, no others are looked at
/// and, as tasks (task_pile.hpp):
/// tiles        a synchronous sweep of a part is a task
/// overlap      several of a slab are a task, and on devices one kernel
/// lazy         several of a part by itself are a task; parts that are stable have none
enum class PileVersion {
    naive,
    synchronous,
    absorb,
    openmp,
    openmp_absorb,
    stack,
    tiles,
    overlap,
    lazy
};

/// Topples by plain loops until no cell has four grains any more; every version ends at the same
/// pile. Returns sweeps (0: stack); -1: most_sweeps were not enough, or stopped.
long settle(Pile&, PileVersion, const SettleControl&);

/// Cells with four grains or more.
long unstable_cells(const Pile&);

} // namespace qcd::studies
