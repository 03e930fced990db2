// The inside and the border of a hop: each block of a tile is of one of them, and together they have
// the bits of the hop in one piece.

#include "tests/codelets/hops.hpp"

#include <algorithm>

using namespace qcd;
using namespace qcd::test;

namespace
{

/// Faces of one direction: from both neighbours, or from one.
constexpr int both(int mu) { return 3 << 2 * mu; }
constexpr int from_behind(int mu) { return 2 << 2 * mu; }
constexpr int from_ahead(int mu) { return 1 << 2 * mu; }

/// Is the block at an end of the tile at which a face is late?
bool reads_late(const tile_shape& g, int late, const block_place& p)
{
    for (int mu = 0; mu < 4; ++mu)
        if ((late & from_ahead(mu) && p.i[mu] == g.m[mu] - 1) ||
            (late & from_behind(mu) && p.i[mu] == 0))
            return true;
    return false;
}

} // namespace

TEST_CASE("each block of a tile is on its border or inside", "[codelets]")
{
    for (const auto& m : {std::array{1, 1, 1, 1}, {3, 2, 4, 5}, {2, 3, 1, 2}, {1, 4, 5, 1}}) {
        tile_shape g{};
        g.blocks = 1;
        for (int mu = 0; mu < 4; ++mu) g.blocks *= g.m[mu] = m[mu];
        for (int late = 0; late < 256; late += 4) { // none in x
            INFO(fmt::format("{}, late {}", fmt::join(m, " "), late));
            std::vector<int> expected, found;
            for (int block = 0; block < g.blocks; ++block) {
                const block_place p = place_of_block(g, block);
                if (reads_late(g, late, p)) expected.push_back(block);
                CHECK(is_in_box(inside_of(g, late), p) == !reads_late(g, late, p));
            }
            for (int i = 0; i < blocks_of_part(g, QCD_HOP_BORDER, late); ++i)
                found.push_back(block_number(g, place_on_border(g, late, i)));
            std::sort(found.begin(), found.end());
            CHECK(found == expected);
            CHECK(blocks_of_part(g, QCD_HOP_INSIDE, late) == g.blocks - int(expected.size()));
            CHECK(blocks_of_part(g, QCD_HOP_WHOLE, late) == g.blocks);
        }
    }
}

TEMPLATE_TEST_CASE("the parts of a hop have the bits of the whole", "[codelets]", F64, F32,
                   F32InF64, F16)
{
    // The third is cut in x within a rank; the last one has parts of odd and even rows.
    const auto& [cutting, late, storage, adds] = GENERATE(table<Cutting, int, LinkStorage, bool>({
        {{{8, 4, 6, 24}, {{{8}, {4}, {6}, {12, 12}}}}, both(3), LinkStorage::two_rows, true},
        {{{8, 4, 6, 24}, {{{8}, {4}, {6}, {12, 12}}}}, from_ahead(3), LinkStorage::full, false},
        {{{4, 2, 12, 12}, {{{2, 2}, {2}, {12}, {6, 6}}}}, both(3), LinkStorage::full, true},
        {{{4, 16, 12, 6}, {{{4}, {8, 8}, {6, 6}, {6}}}},
         both(1) | from_behind(2),
         LinkStorage::minimal,
         true},
        {{{2, 10, 6, 12}, {{{2}, {10}, {6}, {6, 6}}}}, both(3) | both(2), LinkStorage::full, true},
    }));
    if (is_fixed_point(TestType::precision) && storage == LinkStorage::minimal) return;
    Data<TestType> d(cutting, storage != LinkStorage::two_rows, storage);
    d.add_clover();
    Terms terms;
    terms.a = {0.5, -0.25, -1.25, 0.75};
    terms.b = {-0.125, 0.25, 0.375, 0.5};
    terms.v = terms.u = adds;
    terms.inverse = adds && storage == LinkStorage::two_rows;
    terms.sums = adds ? QCD_SUM_V_OUT | QCD_SUM_OUT_OUT | QCD_SUM_U_OUT : 0;
    INFO(name_of(cutting) << ", links of " << reals(d.storage));
    for (const Backend& backend : backends()) {
        const auto faces = pack(d, backend);
        terms.late = 0;
        auto whole = unwritten(d), parts = unwritten(d);
        hop(d, backend, faces, terms, whole);
        terms.late = late;
        hop(d, backend, faces, terms, parts);
        require_same_bytes("a hop and its parts", bytes_of_tiles(whole.out),
                           bytes_of_tiles(parts.out));
        CHECK(whole.sums == parts.sums);
    }
}
