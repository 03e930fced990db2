#include "tasks/rows.hpp"

#include "lattice/fixed_point.hpp"
#include "tasks/host_access.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace qcd
{

void narrow_reals(const LatticeGraph& graph, const TileData& from, const TileData& to, Sites sites,
                  int fields, int rows)
{
    using Wide = Rows<double>;
    using Narrow = Rows<float>;
    const HostAccess read(from, STARPU_R), write(to, STARPU_W);
    for (const int tile : graph.owned_tiles())
        for (const int parity : parities(sites)) {
            const auto* in = static_cast<const double*>(from.host(parity, tile));
            auto* out = static_cast<float*>(to.host(parity, tile));
            const long blocks = long(fields) * graph.tiling().shape(tile).blocks;
#pragma omp parallel for schedule(static)
            for (long block = 0; block < blocks; ++block)
                for (int lane = 0; lane < QCD_LANES; ++lane)
                    for (int i = 0; i < rows; ++i)
                        out[Narrow::offset(block, lane, rows) + i * Narrow::piece] =
                            float(in[Wide::offset(block, lane, rows) + i * Wide::piece]);
        }
}

double narrow_to_words(const LatticeGraph& graph, const TileData& from, const TileData& to,
                       Sites sites, int fields, int rows)
{
    using Wide = Rows<double>;
    using Narrow = Rows<std::uint32_t>;
    const HostAccess read(from, STARPU_R), write(to, STARPU_W);
    double largest = 0;
    bool all_are_numbers = true;
    for (const int tile : graph.owned_tiles())
        for (const int parity : parities(sites)) {
            const auto* in = static_cast<const double*>(from.host(parity, tile));
            auto* out = static_cast<std::uint32_t*>(to.host(parity, tile));
            const long blocks = long(fields) * graph.tiling().shape(tile).blocks;
#pragma omp parallel for schedule(static) reduction(max : largest) reduction(&& : all_are_numbers)
            for (long block = 0; block < blocks; ++block)
                for (int lane = 0; lane < QCD_LANES; ++lane)
                    for (int i = 0; i < rows; i += 2) {
                        const double* z = in + Wide::offset(block, lane, rows) + i * Wide::piece;
                        const double re = z[0], im = z[Wide::piece];
                        const double size = std::max(std::abs(re), std::abs(im));
                        all_are_numbers = all_are_numbers && std::isfinite(re) && std::isfinite(im);
                        largest = std::max(largest, size);
                        out[Narrow::offset(block, lane, rows / 2) + i / 2 * Narrow::piece] =
                            fixed_point::of_link(re, im);
                    }
        }
    return all_are_numbers ? largest : std::numeric_limits<double>::quiet_NaN();
}

} // namespace qcd
