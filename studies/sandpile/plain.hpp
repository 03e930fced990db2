#pragma once
// The sandpile by plain loops, without StarPU: what task versions are compared with.

#include <atomic>
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

struct PlainControl {
    int threads = 1;
    Schedule schedule{};
    bool first_touch = true; ///< by the threads that compute; else by one
    long most_sweeps = 0;
    const std::atomic<bool>* stop = nullptr;
};

/// naive        in place: a cell that is unstable gives at once
/// synchronous  two arrays: cells give into the new one
/// absorb       two arrays: each cell of the new one takes of its neighbours in the old one
/// openmp       naive by threads, one row in three at a time: rows that are worked on at the same
///              time share no neighbour
/// openmp_absorb  absorb by threads
/// stack        in place: unstable cells wait on a stack, no others are looked at
enum class PlainVersion { naive, synchronous, absorb, openmp, openmp_absorb, stack };

/// The pile when no cell has four grains any more: which is the same for all. Returns sweeps (0:
/// stack); -1: most_sweeps were not enough, or stopped.
long settle(Pile&, PlainVersion, const PlainControl&);

/// Cells with four grains or more.
long unstable_cells(const Pile&);

} // namespace qcd::studies
