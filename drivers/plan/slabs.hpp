#pragma once
// A lattice cut into slabs in t, thick ones for devices and thin ones for cores. No StarPU.

#include "lattice/extents.hpp"

namespace qcd
{

/// What is measured before a split is chosen. Rates are sites a second that one worker advances by
/// an iteration while all of its kind work.
struct SplitRates {
    double device = 0, core = 0;
    double exchange = 0; ///< seconds of an iteration in which a worker waits for others
};

/// The first core_slices time slices belong to the cores: tiles_t slabs, each cut into tiles_z
/// tiles in z, one tile a core. The devices' slabs are cut in z alike.
struct Slabs {
    int core_slices = 0;
    int tiles_t = 0, tiles_z = 1;
};

/// Spreads core_slices (even; 0: none) over at most `cores` cores such that the largest tile is
/// small. cut_z: in z, too.
Slabs slabs_of(const Extents& lattice, int core_slices, int cores, bool cut_z = true);

/// Seconds of an iteration: the slowest worker's share, and the exchange.
double iteration_seconds(const Extents& lattice, const Slabs&, int devices, const SplitRates&);

/// Those of least iteration_seconds(), of all in which devices and cores have work; core_slices is
/// 0 where there are none, the lattice being too short in t.
Slabs best_slabs(const Extents& lattice, int devices, int cores, const SplitRates&,
                 bool cut_z = true);

/// core_slices for this share of the sites on devices: even, at least 2 for each worker kind and
/// device unless the share is 0 or 1.
int core_slices_for(double device_share, const Extents& lattice, int devices);

} // namespace qcd
