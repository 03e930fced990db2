#include "codelets/hopping/launch_shapes.hpp"

#include "codelets/hopping/hop_kinds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <regex>
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

} // namespace

const char* to_string(ShapedKernel k) { return names[int(k)]; }

std::optional<ShapedKernel> shaped_kernel(std::string_view name)
{
    for (int k = 0; k < shaped_kernels; ++k)
        if (name == names[k]) return ShapedKernel(k);
    return std::nullopt;
}

std::string to_string(const ShapeChoice& c)
{
    return fmt::format("{}@{}={}/{}{}", to_string(c.launch.kernel), fmt::join(c.launch.blocks, "x"),
                       fmt::join(c.shape.brick, "x"), c.shape.z_chunk,
                       c.launch.several ? fmt::format("/{}", c.shape.rows) : "");
}

std::optional<ShapeChoice> parse_shape_choice(const std::string& text)
{
    const std::string n = "([0-9]{1,6})", four = n + "x" + n + "x" + n + "x" + n;
    std::smatch found;
    if (!std::regex_match(text, found,
                          std::regex("([a-z_]+)@" + four + "=" + four + "/" + n + "(/" + n + ")?")))
        return std::nullopt;
    const auto kernel = shaped_kernel(found[1].str());
    if (!kernel) return std::nullopt;
    ShapeChoice c{.launch = {.kernel = *kernel}, .shape = {}};
    for (int mu = 0; mu < 4; ++mu) {
        c.launch.blocks[mu] = std::stoi(found[2 + mu]);
        c.shape.brick[mu] = std::stoi(found[6 + mu]);
    }
    c.shape.z_chunk = std::stoi(found[10]);
    c.launch.several = found[11].matched;
    if (c.launch.several) c.shape.rows = std::stoi(found[12]);
    return c;
}

int most_warps(const LaunchCase& c)
{
    const int kinds = int(ShapedKernel::hopping_with_faces);
    return most_hop_warps(HopKind(int(c.kernel) % kinds), int(c.kernel) >= kinds, c.links,
                          c.math_bits, false, c.several);
}

bool fits(const LaunchShape& s, const LaunchCase& c)
{
    return std::all_of(s.brick.begin(), s.brick.end(),
                       [](int n) { return n >= 1 && n <= QCD_MOST_WARPS; }) &&
           s.rows >= 1 && s.rows <= most_warps(c) / s.warps() && s.z_chunk >= 0 &&
           s.z_chunk <= c.blocks[2];
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
    return launch.several ? shape_of_several() : LaunchShape{};
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

std::vector<LaunchShape> chunk_candidates(const LaunchCase& c, const LaunchShape& shape)
{
    std::vector<LaunchShape> all;
    for (const int parts : {1, 2, 3, 4, 6}) {
        const int planes = parts_of(c.blocks[2], parts);
        if (planes < shape.brick[2]) break;
        if (all.empty() || all.back().z_chunk != planes)
            all.push_back({.brick = shape.brick, .z_chunk = planes});
    }
    return all;
}

} // namespace qcd
