#include "tasks/rows.hpp"

#include "tasks/host_access.hpp"

namespace qcd
{

void narrow_reals(const LatticeGraph& graph, const TileData& from, const TileData& to, Sites sites,
                  int fields, int rows)
{
    const Rows<double> wide(graph);
    const Rows<float> narrow(graph);
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
                        out[narrow.offset(block, lane, rows) + i * narrow.piece] =
                            float(in[wide.offset(block, lane, rows) + i * wide.piece]);
        }
}

} // namespace qcd
