// The CUDA kernels of hops: every call finds one, and its thread blocks compute every block of a
// tile once, whatever their brick.

#include "codelets/hopping/hop_kinds.hpp"
#include "tests/codelets/hops.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>

using namespace qcd;
using namespace qcd::test;

namespace
{

using Numbers = std::array<int, 4>;

tile_shape tile_of(const Numbers& blocks)
{
    tile_shape g{};
    g.blocks = 1;
    for (int mu = 0; mu < 4; ++mu) g.blocks *= g.m[mu] = blocks[mu];
    return g;
}

constexpr int once_each_way = 101;

/// How often each block is computed, and 100 for each time that it is where bricks go downwards.
std::vector<int> covered(const tile_shape& g, const Numbers& brick, int z_chunk)
{
    const auto& [x, y, z, t] = brick;
    std::vector<int> times(g.blocks);
    hopping_bricks n = bricks_of(inside_of(g, 0), x, y, z, t, z_chunk);
    for (n.downwards = 0; n.downwards < 2; ++n.downwards)
        for (int i = 0; i < n.all; ++i)
            for (int warp = 0; warp < x * y * z * t; ++warp) {
                const block_place p = place_in_brick(n, i, warp);
                if (is_block(n, p)) times.at(block_number(g, p)) += n.downwards ? 100 : 1;
            }
    return times;
}

Numbers brick_for(const Numbers& blocks)
{
    return std::to_array(hop_brick(tile_of(blocks).m, 32).extent);
}

/// All that a call of a hop can ask for.
std::vector<HopKernel> every_call()
{
    std::vector<HopKernel> all;
    for (const bool adds : {false, true})
        for (const bool faces : {false, true})
            for (const bool clover : {false, true})
                for (const bool several : {false, true})
                    all.push_back({adds, faces, clover, several});
    return all;
}

std::string name_of(const HopKernel& k)
{
    return fmt::format("adds {}, faces {}, clover {}, several {}", k.adds, k.faces, k.clover,
                       k.several);
}

/// The first one that does the call, as the launch takes it; null: there is none.
template <std::size_t n>
const HopKernel* kernel_for(const HopKernel& call, const HopKernel (&table)[n])
{
    const auto found =
        std::find_if(table, table + n, [&](const HopKernel& k) { return k.does(call); });
    return found == table + n ? nullptr : found;
}

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

TEST_CASE("a hop's bricks cover every block of a tile once, whatever the chunk of z", "[codelets]")
{
    const Numbers blocks =
        GENERATE(Numbers{1, 1, 1, 1}, Numbers{1, 2, 2, 2}, Numbers{4, 4, 4, 32},
                 Numbers{3, 6, 10, 4}, Numbers{5, 10, 6, 2}, Numbers{6, 6, 6, 8},
                 Numbers{7, 2, 14, 6}, Numbers{8, 8, 8, 3}, Numbers{12, 12, 12, 2});
    const tile_shape g = tile_of(blocks);
    for (const Numbers& brick : {brick_for(blocks), Numbers{1, 1, 1, 1}}) // of one and of several
        for (int planes = 1; planes <= g.m[2]; ++planes) {
            INFO(fmt::format("blocks {}, brick {}, chunk {}", fmt::join(blocks, " "),
                             fmt::join(brick, " "), planes));
            CHECK(covered(g, brick, planes) == std::vector<int>(g.blocks, once_each_way));
        }
}

TEST_CASE("bricks of every size up to 16 warps divide right", "[codelets]")
{
    const tile_shape g = tile_of({17, 6, 10, 4});
    for (int x = 1; x <= QCD_MOST_WARPS; ++x)
        for (int y = 1; x * y <= QCD_MOST_WARPS; ++y)
            for (int z = 1; x * y * z <= QCD_MOST_WARPS; ++z)
                for (int t = 1; x * y * z * t <= QCD_MOST_WARPS; ++t)
                    CHECK(covered(g, {x, y, z, t}, 3) == std::vector<int>(g.blocks, once_each_way));
}

TEST_CASE("a hop's brick leaves the fewest warps idle", "[codelets]")
{
    CHECK(brick_for({4, 4, 4, 8}) == Numbers{2, 2, 1, 1}); // all are as good
    CHECK(brick_for({1, 1, 1, 1}) == Numbers{2, 2, 1, 1}); // all are as bad
    CHECK(brick_for({3, 6, 6, 6}) == Numbers{1, 2, 2, 1});
    CHECK(brick_for({6, 3, 6, 6}) == Numbers{2, 1, 2, 1});
    CHECK(brick_for({6, 3, 3, 6}) == Numbers{2, 1, 1, 2});
    CHECK(brick_for({3, 6, 3, 6}) == Numbers{1, 2, 1, 2});
    CHECK(brick_for({3, 3, 6, 6}) == Numbers{1, 1, 2, 2});
    CHECK(HopBrick{{2, 2, 1, 1}}.idle(tile_of({3, 6, 6, 6}).m) == 0.25);
    CHECK(std::to_array(hop_brick(tile_of({3, 6, 6, 6}).m, 64).extent) == Numbers{2, 2, 1, 1});
    for (int number = 0; number < 6 * 6 * 6 * 6; ++number) {
        const Numbers blocks{1 + number % 6, 1 + number / 6 % 6, 1 + number / 36 % 6,
                             1 + number / 216};
        const tile_shape g = tile_of(blocks);
        const HopBrick chosen = hop_brick(g.m, 32);
        INFO(fmt::format("blocks {}", fmt::join(blocks, " ")));
        for (int mu = 0; mu < 4; ++mu)
            for (int nu = mu + 1; nu < 4; ++nu) {
                HopBrick other{{1, 1, 1, 1}};
                other.extent[mu] = other.extent[nu] = 2;
                CHECK(chosen.idle(g.m) <= other.idle(g.m));
            }
    }
}

TEST_CASE("every call of a hop finds a kernel, and every kernel its call", "[codelets]")
{
    for (const HopKernel& call : every_call()) {
        INFO(name_of(call));
        const HopKernel* const kernel = kernel_for(call, hop_kernels);
        REQUIRE(kernel);
        CHECK(kernel->several == call.several); // else its thread blocks have other bricks
        CHECK(kernel_for(call, hop_kernels_of_residuals));
    }
    for (const HopKernel& k : hop_kernels) CHECK(kernel_for(k, hop_kernels) == &k);
    for (const HopKernel& k : hop_kernels_of_residuals)
        CHECK(kernel_for(k, hop_kernels_of_residuals) == &k);
}

TEST_CASE("a hop's thread blocks have registers", "[codelets]")
{
    constexpr int brick_warps = 4, registers_of_multiprocessor = 65536, fewest_registers = 128;
    for (const HopKernel& k : every_call())
        for (const int links : {18, 12, 8})
            for (const int bits : {64, 32}) {
                INFO(name_of(k) << ", links of " << links << ", " << bits << " bits");
                const int warps = hop_warps_per_multiprocessor(k, links, bits),
                          most = most_hop_warps(k, links, bits);
                CHECK(warps % brick_warps == 0);
                CHECK(warps * QCD_LANES * fewest_registers <= registers_of_multiprocessor);
                CHECK(most >= brick_warps);
                CHECK(most <= QCD_MOST_WARPS);
                CHECK(most <= warps);
            }
    const HopKernel plain{.adds = true, .faces = false, .clover = false, .several = false};
    HopKernel with_faces = plain, of_several = plain;
    with_faces.faces = of_several.several = true;
    CHECK(most_hop_warps(plain, 18, 64) == 8);
    CHECK(most_hop_warps(with_faces, 18, 64) == 12);
    CHECK(most_hop_warps(of_several, 18, 64) == 12);
    CHECK(most_hop_warps(plain, 18, 32) == 16);
}

TEMPLATE_TEST_CASE("a hop has the same bits with bricks of every kind", "[codelets]", F64, F32)
{
    const auto& [cutting, brick] = GENERATE(table<Cutting, Numbers>({
        {{{8, 8, 8, 8}, {{{8}, {8}, {8}, {8}}}}, {2, 2, 1, 1}},
        {{{6, 6, 6, 6}, {{{6}, {6}, {6}, {6}}}}, {2, 2, 1, 1}}, // of 3 blocks in all directions
        {{{4, 4, 12, 24}, {{{4}, {4}, {12}, {24}}}}, {1, 2, 2, 1}},
        {{{16, 6, 4, 12}, {{{16}, {6}, {4}, {12}}}}, {2, 1, 2, 1}},
        {{{20, 10, 12, 4}, {{{20}, {10}, {12}, {4}}}}, {2, 1, 1, 2}},
        {{{4, 4, 14, 24}, {{{4}, {4}, {14}, {24}}}}, {1, 2, 1, 2}},
        {{{4, 4, 16, 18}, {{{4}, {4}, {16}, {18}}}}, {1, 1, 2, 2}},
        {{{12, 8, 24, 16}, {{{12}, {8}, {24}, {10, 6}}}}, {1, 2, 2, 1}}, // with faces
    }));
    const Data<TestType> d(cutting, 1, *any_links());
    INFO(name_of(cutting) << ", links of " << reals(d.storage));
    CHECK(std::to_array(hop_brick(d.tiling.shape(0).m, 32).extent) == brick);
    // CUDA alone has bricks: without it the first lattices say as much as all.
    if (cuda_devices().empty() && volume(cutting.lattice) > 8 * 8 * 8 * 8) return;
    Terms bare, sums;
    sums.v = sums.u = true;
    sums.a = {0.5, -0.25, -1.25, 0.75};
    sums.sums = QCD_SUM_V_OUT | QCD_SUM_OUT_OUT | QCD_SUM_U_OUT;
    on_every_backend([&](const Backend& backend) {
        const auto faces = pack(d, backend);
        std::vector<char> bytes;
        for (const Terms& terms : {bare, sums}) {
            auto result = unwritten(d);
            hop(d, backend, faces, terms, result);
            for (const auto& some :
                 {bytes_of_tiles(result.out),
                  terms.sums ? bytes_of_tiles(result.sums) : std::vector<char>()})
                bytes.insert(bytes.end(), some.begin(), some.end());
        }
        return bytes;
    });
}
