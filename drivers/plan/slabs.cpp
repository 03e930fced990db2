#include "drivers/plan/slabs.hpp"

#include "tasks/tiling.hpp"

#include <algorithm>
#include <cmath>

namespace qcd
{

Slabs slabs_of(const Extents& lattice, int core_slices, int cores, bool cut_z)
{
    Slabs best{core_slices, 0, 1};
    if (core_slices == 0) return best;
    double least = 1e300;
    for (int z = 1; z <= (cut_z ? std::min(cores, lattice[2] / 2) : 1); ++z) {
        const int t = std::min(cores / z, core_slices / 2);
        // A cut in z makes faces for all: it must bring a tenth.
        const double largest =
            double(thickest(core_slices, t)) * thickest(lattice[2], z) * (z > 1 ? 1.1 : 1);
        if (largest < least * 0.999) {
            least = largest;
            best.tiles_t = t;
            best.tiles_z = z;
        }
    }
    return best;
}

double iteration_seconds(const Extents& l, const Slabs& s, int devices, const SplitRates& rates)
{
    const double slice = double(l[0]) * l[1] * l[2];
    const double on_device = thickest(l[3] - s.core_slices, devices) * slice / rates.device;
    if (s.core_slices == 0) return on_device;
    const double on_core = double(thickest(s.core_slices, s.tiles_t)) * l[0] * l[1] *
                           thickest(l[2], s.tiles_z) / rates.core;
    return std::max(on_device, on_core) + rates.exchange;
}

Slabs best_slabs(const Extents& lattice, int devices, int cores, const SplitRates& rates,
                 bool cut_z)
{
    Slabs best;
    double least = 1e300;
    for (int slices = 2; slices <= lattice[3] - 2 * devices; slices += 2) {
        const Slabs s = slabs_of(lattice, slices, cores, cut_z);
        const double seconds = iteration_seconds(lattice, s, devices, rates);
        if (seconds < least) {
            least = seconds;
            best = s;
        }
    }
    return best;
}

int core_slices_for(double device_share, const Extents& lattice, int devices)
{
    if (device_share >= 1) return 0;
    if (device_share <= 0) return lattice[3];
    const int slices = 2 * int(std::lround((1 - device_share) * lattice[3] / 2));
    return std::max(0, std::min(std::max(slices, 2), lattice[3] - 2 * devices));
}

} // namespace qcd
