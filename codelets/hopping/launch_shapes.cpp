#include "codelets/hopping/launch_shapes.hpp"

#include "codelets/hopping/hop_kinds.hpp"

#include <algorithm>
#include <utility>

namespace qcd
{

namespace
{

constexpr std::array<const char*, shaped_kernels> names{"hopping",
                                                        "hopping_add",
                                                        "hopping_sums",
                                                        "hopping_with_faces",
                                                        "hopping_add_with_faces",
                                                        "hopping_sums_with_faces"};

std::vector<ShapeChoice> shapes_in_use;

using Brick = std::array<int, 4>;

constexpr Brick bricks[]{{1, 1, 1, 1}, {2, 1, 1, 1}, {1, 2, 1, 1}, {4, 1, 1, 1}, {1, 4, 1, 1},
                         {2, 1, 2, 1}, {2, 1, 1, 2}, {1, 2, 2, 1}, {3, 1, 1, 1}, {3, 2, 1, 1},
                         {4, 2, 1, 1}, {2, 4, 1, 1}, {1, 4, 2, 1}, {2, 2, 2, 1}, {2, 2, 1, 2},
                         {4, 4, 1, 1}, {4, 2, 2, 1}, {2, 4, 2, 1}, {2, 2, 2, 2}};

constexpr double most_idle = 0.1; // of the warps

double blocks_in(const std::array<int, 4>& b) { return double(b[0]) * b[1] * b[2] * b[3]; }

/// The share of warps without a block.
double idle_warps(const Brick& brick, const std::array<int, 4>& blocks)
{
    double covered = 1;
    for (int mu = 0; mu < 4; ++mu) covered *= parts_of(blocks[mu], brick[mu]) * brick[mu];
    return 1 - blocks_in(blocks) / covered;
}

/// Has the kernel a version that does, and the tile a brick for each part?
bool can_go_by_partition(const LaunchShape& s, const LaunchCase& c)
{
    return int(c.kernel) < int(ShapedKernel::hopping_with_faces) && c.real_bits == c.math_bits &&
           c.row_bytes == gpu_row_bytes && c.blocks[3] >= 2 * s.brick[3];
}

} // namespace

const char* to_string(ShapedKernel k) { return names[int(k)]; }

std::optional<ShapedKernel> shaped_kernel(std::string_view name)
{
    for (int k = 0; k < shaped_kernels; ++k)
        if (name == names[k]) return ShapedKernel(k);
    return std::nullopt;
}

int most_warps(const LaunchCase& c)
{
    const int kinds = int(ShapedKernel::hopping_with_faces);
    return most_hop_warps(HopKind(int(c.kernel) % kinds), int(c.kernel) >= kinds, c.links,
                          c.math_bits);
}

bool fits(const LaunchShape& s, const LaunchCase& c)
{
    return std::all_of(s.brick.begin(), s.brick.end(),
                       [](int n) { return n >= 1 && n <= QCD_MOST_WARPS; }) &&
           s.warps() <= most_warps(c) && s.z_chunk >= 0 && s.z_chunk <= c.blocks[2] &&
           (!s.by_partition || can_go_by_partition(s, c));
}

void use_launch_shapes(std::vector<ShapeChoice> shapes)
{
    std::erase_if(shapes, [](const ShapeChoice& s) { return !fits(s.shape, s.launch); });
    shapes_in_use = std::move(shapes);
}

LaunchShape launch_shape(const LaunchCase& launch)
{
    for (const ShapeChoice& s : shapes_in_use)
        if (s.launch == launch) return s.shape;
    return {};
}

std::vector<LaunchShape> brick_candidates(const LaunchCase& c)
{
    std::vector<LaunchShape> all{LaunchShape{}};
    for (const Brick& brick : bricks) {
        const LaunchShape s{.brick = brick};
        bool inside = true;
        for (int mu = 0; mu < 4; ++mu) inside = inside && brick[mu] <= c.blocks[mu];
        if (inside && fits(s, c) && idle_warps(brick, c.blocks) <= most_idle) all.push_back(s);
    }
    return all;
}

std::vector<LaunchShape> partition_candidates(const LaunchCase& c)
{
    std::vector<LaunchShape> all = brick_candidates(c);
    for (LaunchShape& s : all) s.by_partition = true;
    std::erase_if(all, [&](const LaunchShape& s) { return !fits(s, c); });
    return all;
}

std::vector<LaunchShape> chunk_candidates(const LaunchCase& c, const LaunchShape& shape)
{
    std::vector<LaunchShape> all;
    for (const int parts : {1, 2, 3, 4, 6}) {
        const int planes = parts_of(c.blocks[2], parts);
        if (planes < shape.brick[2]) break;
        if (all.empty() || all.back().z_chunk != planes)
            all.push_back(
                {.brick = shape.brick, .z_chunk = planes, .by_partition = shape.by_partition});
    }
    return all;
}

} // namespace qcd
