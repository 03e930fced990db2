// Launch shapes: whatever the brick and the chunk of z, every block of a tile is computed once, and
// the bits are the same.

#include "codelets/hopping/hop_kinds.hpp"
#include "codelets/hopping/launch_shapes.hpp"
#include "runtime/launch_timer.hpp"
#include "tests/codelets/hops.hpp"
#include "tests/runtime/session.hpp"

#include <fmt/ranges.h>
#include <limits>

using namespace qcd;
using namespace qcd::test;

namespace
{

tile_shape tile_of(const std::array<int, 4>& blocks)
{
    tile_shape g{};
    g.blocks = 1;
    for (int mu = 0; mu < 4; ++mu) g.blocks *= g.m[mu] = blocks[mu];
    return g;
}

constexpr int once_each_way = 101;

/// How often each block is computed, and 100 for each time that it is where bricks go downwards.
std::vector<int> covered(const tile_shape& g, const LaunchShape& s)
{
    const auto& b = s.brick;
    std::vector<int> times(g.blocks);
    hopping_bricks n = bricks_of(g, b[0], b[1], b[2], b[3], s.z_chunk ? s.z_chunk : g.m[2]);
    for (n.downwards = 0; n.downwards < 2; ++n.downwards)
        for (int brick = 0; brick < n.all; ++brick)
            for (int warp = 0; warp < s.warps(); ++warp) {
                const block_place p = place_in_brick(n, brick, warp);
                if (is_block(g, p)) times.at(block_number(g, p)) += n.downwards ? 100 : 1;
            }
    return times;
}

LaunchCase case_of(ShapedKernel kernel, const tile_shape& g)
{
    return {.kernel = kernel, .blocks = {g.m[0], g.m[1], g.m[2], g.m[3]}};
}

std::vector<LaunchShape> every_candidate(const LaunchCase& c)
{
    std::vector<LaunchShape> all;
    for (const LaunchShape& s : brick_candidates(c)) {
        all.push_back(s);
        for (const LaunchShape& chunked : chunk_candidates(c, s)) all.push_back(chunked);
    }
    return all;
}

struct DefaultShapes {
    ~DefaultShapes() { use_launch_shapes({}); }
};

} // namespace

TEST_CASE("a division by a multiplication is exact", "[codelets]")
{
    constexpr int most = std::numeric_limits<int>::max();
    for (const int n : {1, 2, 3, 5, 6, 7, 12, 96, 1000, 46341, 1 << 20, 1 << 30, most - 1, most})
        for (const i64 multiple :
             {i64(0), i64(1), i64(2), i64(7), i64(most / n) - 1, i64(most / n)})
            for (const i64 a : {multiple * n - 1, multiple * n, multiple * n + 1})
                if (a >= 0 && a <= most) {
                    CAPTURE(a, n);
                    CHECK(quotient(int(a), n, share_of(n)) == a / n);
                }
}

TEST_CASE("bricks cover every block of a tile once", "[codelets]")
{
    const tile_shape g = tile_of(
        GENERATE(std::array{1, 1, 1, 1}, std::array{1, 2, 2, 2}, std::array{4, 4, 4, 32},
                 std::array{3, 6, 10, 4}, std::array{5, 10, 6, 2}, std::array{6, 6, 6, 8},
                 std::array{7, 2, 14, 6}, std::array{8, 8, 8, 3}, std::array{12, 12, 12, 2}));
    LaunchCase single = case_of(ShapedKernel::hopping, g); // allows the widest bricks
    single.real_bits = single.math_bits = 32;
    std::vector<LaunchShape> shapes = every_candidate(single);
    for (const LaunchShape& s : brick_candidates(single))
        for (int planes = 1; planes <= g.m[2]; ++planes) shapes.push_back({s.brick, planes});
    for (const LaunchShape& s : shapes) {
        INFO(fmt::format("blocks {}, brick {}, chunk {}", fmt::join(g.m, " "),
                         fmt::join(s.brick, " "), s.z_chunk));
        CHECK(covered(g, s) == std::vector<int>(g.blocks, once_each_way));
    }
}

TEST_CASE("bricks of every size up to 16 warps divide right", "[codelets]")
{
    const tile_shape g = tile_of({17, 6, 10, 4});
    for (int x = 1; x <= 16; ++x)
        for (int y = 1; x * y <= 16; ++y)
            for (int z = 1; x * y * z <= 16; ++z)
                for (int t = 1; x * y * z * t <= 16; ++t)
                    CHECK(covered(g, {.brick = {x, y, z, t}, .z_chunk = 3}) ==
                          std::vector<int>(g.blocks, once_each_way));
}

TEST_CASE("candidates fit their kernel, start with the default and fill the tile", "[codelets]")
{
    const tile_shape g = tile_of({6, 6, 6, 48});
    for (int k = 0; k < shaped_kernels; ++k) {
        LaunchCase c = case_of(ShapedKernel(k), g);
        for (const int links : {18, 12, 8})
            for (const int bits : {64, 32}) {
                c.links = links;
                c.math_bits = c.real_bits = bits;
                const auto shapes = brick_candidates(c);
                CHECK(shapes.front() == LaunchShape{});
                CHECK(shapes.size() > 5);
                for (const LaunchShape& s : shapes) CHECK(s.warps() <= most_warps(c));
            }
    }
    // The widest bricks are for kernels that leave room for as many warps.
    CHECK(most_warps({.kernel = ShapedKernel::hopping}) == 8);
    CHECK(most_warps({.kernel = ShapedKernel::hopping_sums_with_faces}) == 12);
    CHECK(most_warps({.kernel = ShapedKernel::hopping, .math_bits = 32}) == 16);
    CHECK(brick_candidates(case_of(ShapedKernel::hopping_add, tile_of({1, 1, 1, 1}))) ==
          std::vector<LaunchShape>{{}, {.brick = {1, 1, 1, 1}}});
}

TEST_CASE("hops on a tile are three kernels, those with faces where it is cut", "[codelets]")
{
    tile_shape g = tile_of({4, 4, 4, 8});
    const int mu = GENERATE(0, 1, 2, 3);
    const auto without = kernels_of_hops(hopping_reads_faces(g));
    g.cut[mu] = 1;
    const auto with = kernels_of_hops(hopping_reads_faces(g));
    for (const HopKind kind : {HopKind::bare, HopKind::add, HopKind::sums}) {
        const std::string name = to_string(without[int(kind)]);
        CHECK(to_string(with[int(kind)]) == name + "_with_faces");
        for (const int links : {18, 12, 8})
            for (const bool faces : {false, true})
                CHECK(most_warps({.kernel = (faces ? with : without)[int(kind)], .links = links}) ==
                      most_hop_warps(kind, faces, links, 64));
    }
}

TEST_CASE("what was chosen is used, for its case alone, and never what cannot be", "[codelets]")
{
    const DefaultShapes at_the_end;
    const LaunchCase c = case_of(ShapedKernel::hopping, tile_of({8, 8, 8, 64}));
    const LaunchShape flat{.brick = {4, 2, 1, 1}, .z_chunk = 4};
    use_launch_shapes({{c, flat}});
    CHECK(launch_shape(c) == flat);
    LaunchCase other = c;
    other.kernel = ShapedKernel::hopping_sums;
    CHECK(launch_shape(other) == LaunchShape{});
    other = c;
    other.blocks[3] = 32;
    CHECK(launch_shape(other) == LaunchShape{});
    for (const LaunchShape& bad :
         {LaunchShape{.brick = {4, 4, 1, 1}}, // more than 8 warps
          LaunchShape{.brick = {0, 2, 1, 1}}, LaunchShape{.brick = {-2, -2, 1, 1}},
          LaunchShape{.brick = {1 << 16, 1 << 16, 1, 1}},
          LaunchShape{.brick = {2, 2, 1, 1}, .z_chunk = -1},
          LaunchShape{.brick = {2, 2, 1, 1}, .z_chunk = c.blocks[2] + 1}}) {
        use_launch_shapes({{c, bad}});
        CHECK(launch_shape(c) == LaunchShape{});
    }
    for (int k = 0; k < shaped_kernels; ++k)
        CHECK(shaped_kernel(to_string(ShapedKernel(k))) == ShapedKernel(k));
    CHECK(!shaped_kernel("hopping_of_another_program"));
}

TEST_CASE("launches of several right-hand sides have shapes of their own", "[codelets]")
{
    const DefaultShapes at_the_end;
    const LaunchCase one = case_of(ShapedKernel::hopping, tile_of({8, 8, 8, 64}));
    LaunchCase several = one;
    several.several = true;
    CHECK(launch_shape(several) == shape_of_several());
    CHECK(fits(shape_of_several(), several));
    CHECK(most_warps(several) == 12);
    const ShapeChoice chosen{several, {.brick = {2, 1, 1, 1}, .z_chunk = 4, .rows = 6}};
    const ShapeChoice parsed = parse_shape_choice(to_string(chosen)).value();
    CHECK(to_string(chosen) == "hopping@8x8x8x64=2x1x1x1/4/6");
    CHECK(parsed.shape == chosen.shape);
    CHECK(parsed.launch.several);
    use_launch_shapes({chosen});
    CHECK(launch_shape(several) == chosen.shape);
    CHECK(launch_shape(one) == LaunchShape{});
    for (const LaunchShape& bad : {LaunchShape{.brick = {2, 1, 1, 1}, .rows = 7}, // 14 warps
                                   LaunchShape{.rows = 0}, LaunchShape{.rows = 1 << 30}}) {
        use_launch_shapes({{several, bad}});
        CHECK(launch_shape(several) == shape_of_several());
    }
}

TEMPLATE_TEST_CASE("on a GPU every launch shape gives the same bits", "[codelets]", F64, F32)
{
    if (!has_workers("cuda")) return; // said on stderr
    const DefaultShapes at_the_end;
    const LinkStorage storage = *any_links();
    const Cutting cutting = GENERATE(Cutting{{12, 8, 24, 16}, {{{12}, {8}, {24}, {16}}}},
                                     Cutting{{12, 8, 24, 16}, {{{12}, {8}, {24}, {10, 6}}}},
                                     Cutting{{20, 10, 12, 4}, {{{20}, {10}, {12}, {4}}}});
    const Data<TestType> d(cutting, 1, storage);
    const Backend gpu = Backend::cuda();
    const auto faces = pack(d, gpu);
    Terms bare, sums;
    sums.v = sums.u = true;
    sums.a = {0.5, -0.25, -1.25, 0.75};
    sums.sums = QCD_SUM_V_OUT | QCD_SUM_OUT_OUT | QCD_SUM_U_OUT;
    const auto result = [&](const Terms& terms) {
        auto r = unwritten(d);
        hop(d, gpu, faces, terms, r);
        auto bytes = bytes_of_tiles(r.out);
        const auto sum_bytes = bytes_of_tiles(r.sums);
        if (terms.sums) bytes.insert(bytes.end(), sum_bytes.begin(), sum_bytes.end());
        return bytes;
    };
    const auto expected_bare = result(bare), expected_sums = result(sums);
    const tile_shape& first = d.tiling.shape(0);
    LaunchCase c = case_of(d.tiling.any_cut() ? ShapedKernel::hopping_sums_with_faces
                                              : ShapedKernel::hopping_sums,
                           first);
    c.math_bits = 8 * int(sizeof(typename TestType::Math));
    c.links = reals(storage);
    for (const LaunchShape& s : every_candidate(c)) {
        INFO(fmt::format("brick {}, chunk {}", fmt::join(s.brick, " "), s.z_chunk));
        std::vector<ShapeChoice> everywhere;
        for (int tile = 0; tile < d.tiling.tile_count(); ++tile)
            for (int k = 0; k < shaped_kernels; ++k) {
                LaunchCase here = case_of(ShapedKernel(k), d.tiling.shape(tile));
                here.links = c.links;
                here.real_bits = here.math_bits = c.math_bits;
                everywhere.push_back({here, s});
            }
        use_launch_shapes(everywhere);
        require_same_bytes("a bare hop", expected_bare, result(bare));
        require_same_bytes("a hop with sums", expected_sums, result(sums));
    }
}
