#include "tasks/exchange.hpp"

#include "codelets/device/faces.h"
#include "runtime/ranks.hpp"

namespace qcd
{

std::unique_ptr<Exchange> make_exchange(LatticeGraph& graph)
{
    return graph.plan().kind == PlanKind::linked ? make_peer_exchange(graph)
                                                 : make_starpu_exchange(graph);
}

Halo::Halo(const LatticeGraph& graph)
    : data_(Tiling::faces * graph.tiling().tile_count()),
      first_tag_(graph.ranks().tags(long(data_.size())))
{
}

std::size_t Halo::bytes(const Tiling& tiling, Precision precision)
{
    std::size_t n = 0;
    for (int tile = 0; tile < tiling.tile_count(); ++tile)
        n += std::size_t(packed_blocks(tiling.shape(tile))) * QCD_HALF_ROWS * QCD_LANES *
             math_bytes(precision);
    return n;
}

} // namespace qcd
