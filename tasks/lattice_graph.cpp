#include "tasks/lattice_graph.hpp"

#include "tasks/exchange.hpp"

#include <numeric>

namespace qcd
{

LatticeGraph::LatticeGraph(Tiling tiling, Plan plan)
    : Graph(std::move(plan)), tiling_(std::move(tiling)), owned_(tiling_.tile_count())
{
    std::iota(owned_.begin(), owned_.end(), 0);
    exchange_ = make_exchange(*this);
}

LatticeGraph::~LatticeGraph() { wait(); } // who still writes into another's memory?

} // namespace qcd
