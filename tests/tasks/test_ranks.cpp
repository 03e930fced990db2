// What each of several ranks has of a lattice; no rank but this process is there.

#include "base/error.hpp"
#include "runtime/ranks.hpp"
#include "tests/tasks/graph.hpp"

#include <algorithm>
#include <set>

using namespace qcd;
using namespace qcd::test;

namespace
{

class PretendedRank final : public Ranks
{
public:
    PretendedRank(int rank, int size)
    {
        rank_ = rank;
        size_ = size;
    }
};

constexpr Extents shared_lattice{4, 8, 8, 8};

} // namespace

TEST_CASE("ranks own each tile once, in boxes, and have the sites in turn", "[ranks]")
{
    use_workers({.cpu = 1});
    const auto grid = GENERATE(Extents{1, 1, 1, 3}, Extents{1, 1, 2, 2}, Extents{1, 2, 1, 2});
    const Tiling tiling(shared_lattice, Extents{2, 2, 2, 3});
    const int ranks = int(volume(grid));
    std::set<int> tiles;
    long sites = 0;
    for (int rank = 0; rank < ranks; ++rank) {
        PretendedRank here(rank, ranks);
        const LatticeGraph graph(tiling, Plan{.ranks = &here}, grid);
        sites += volume(graph.owned_box());
        long in_tiles = 0, next = 0;
        for (const int tile : graph.owned_tiles()) {
            CHECK(tiles.insert(tile).second);
            in_tiles += 2 * tiling.sites(tile);
        }
        CHECK(in_tiles == volume(graph.owned_box()));
        for (const auto& [owner, box] : graph.runs())
            for (long i = 0; i < volume(box); ++i) {
                const long site = site_number(shared_lattice, box, i);
                CHECK(site == next++);
                const Coord c = coordinates(shared_lattice, site);
                CHECK(owner == graph.rank_of_tile(tiling.part_of(c)));
                CHECK((owner == rank) == overlap(graph.owned_box(), {c, {1, 1, 1, 1}}));
            }
        CHECK(next == volume(shared_lattice));
    }
    CHECK(int(tiles.size()) == tiling.tile_count());
    CHECK(sites == volume(shared_lattice));
}

TEST_CASE("a lattice is not shared by more ranks than it has tiles, nor in x", "[ranks]")
{
    use_workers({.cpu = 1});
    const Tiling tiling(shared_lattice, Extents{2, 1, 1, 2});
    PretendedRank here(0, 4);
    const Plan plan{.ranks = &here};
    for (const Extents& grid : {Extents{1, 1, 1, 4}, Extents{2, 1, 1, 2}, Extents{1, 1, 1, 2}})
        CHECK_THROWS_AS(LatticeGraph(tiling, plan, grid), Error);
}
