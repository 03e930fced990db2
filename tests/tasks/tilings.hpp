#pragma once
// Lattices and their cuts, for cases that must hold on any of them.

#include "tasks/tiling.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace qcd::test
{

struct Cutting {
    Extents lattice;
    std::array<std::vector<int>, 4> thickness;
    Suits suits = Suits::devices;
    Tiling tiling() const { return Tiling(lattice, thickness, suits); }
    std::string name() const
    {
        return fmt::format("{} cut in {}; {}; {}; {}", to_string(lattice),
                           fmt::join(thickness[0], " "), fmt::join(thickness[1], " "),
                           fmt::join(thickness[2], " "), fmt::join(thickness[3], " "));
    }
};

inline constexpr Extents one_lattice{8, 4, 6, 12};

/// Cuts of one lattice, so that their results can be compared: none, one direction, all, even and
/// uneven.
inline const std::vector<Cutting>& cuttings_of_one_lattice()
{
    const Extents& l = one_lattice;
    static const std::vector<Cutting> all = {
        {l, {{{8}, {4}, {6}, {12}}}},
        {l, {{{4, 4}, {4}, {6}, {12}}}},
        {l, {{{8}, {2, 2}, {6}, {12}}}},
        {l, {{{8}, {4}, {2, 2, 2}, {12}}}},
        {l, {{{8}, {4}, {6}, {6, 6}}}},
        {l, {{{8}, {4}, {6}, {2, 2, 2, 2, 2, 2}}}},
        {l, {{{6, 2}, {4}, {6}, {12}}}},
        {l, {{{8}, {4}, {2, 4}, {2, 8, 2}}}},
        {l, {{{4, 4}, {2, 2}, {4, 2}, {6, 6}}}},
        {l, {{{2, 4, 2}, {4}, {6}, {4, 8}}}},
        {l, {{{8}, {2, 2}, {2, 4}, {4, 4, 4}}}},
        {l, {{{2, 2, 2, 2}, {2, 2}, {2, 2, 2}, {2, 2, 2, 2, 2, 2}}}}, // 144 tiles of 2x2x2x2
        {l, {{{4, 4}, {4}, {6}, {4, 4, 4}}}},
    };
    return all;
}

/// Those of at most so many tiles.
inline std::vector<Cutting> cuttings_of_one_lattice(int tiles)
{
    std::vector<Cutting> few;
    for (const Cutting& c : cuttings_of_one_lattice())
        if (c.tiling().tile_count() <= tiles) few.push_back(c);
    return few;
}

/// Those, and lattices with other numbers of lanes: 1 to 32 of them, along cut and uncut
/// directions.
inline Cutting any_cutting()
{
    static const std::vector<Cutting> all = [] {
        std::vector<Cutting> c = cuttings_of_one_lattice();
        const std::vector<Cutting> more = {
            {{2, 2, 2, 2}, {{{2}, {2}, {2}, {2}}}},
            {{6, 10, 12, 2}, {{{6}, {10}, {12}, {2}}}},
            {{10, 6, 10, 12}, {{{10}, {6}, {10}, {12}}}},
            {{4, 10, 6, 14}, {{{4}, {6, 4}, {2, 4}, {14}}}}, // parts of odd and even rows
            {{6, 10, 12, 2}, {{{4, 2}, {10}, {8, 4}, {2}}}},
            {{32, 32, 2, 2}, {{{16, 16}, {16, 16}, {2}, {2}}}},
            {{64, 2, 2, 2}, {{{64}, {2}, {2}, {2}}}},
            {{64, 2, 2, 4}, {{{32, 32}, {2}, {2}, {2, 2}}}},
            {{2, 2, 2, 64}, {{{2}, {2}, {2}, {16, 32, 16}}}},
            {{8, 8, 8, 8}, {{{8}, {8}, {8}, {8}}}},
            {{8, 8, 8, 8}, {{{4, 4}, {4, 4}, {4, 4}, {4, 4}}}},
            {{16, 16, 8, 4}, {{{16}, {8, 8}, {4, 4}, {4}}}},
            {{2, 4, 10, 16}, {{{2}, {2, 2}, {6, 4}, {8, 8}}}},
            {{24, 24, 24, 2}, {{{24}, {24}, {24}, {2}}}, Suits::cores},
            {{24, 24, 24, 4}, {{{24}, {24}, {24}, {2, 2}}}, Suits::cores},
            {{8, 32, 8, 4}, {{{8}, {32}, {8}, {4}}}, Suits::cuda},
            {{4, 16, 6, 2}, {{{4}, {16}, {6}, {2}}}, Suits::cuda},
        };
        c.insert(c.end(), more.begin(), more.end());
        return c;
    }();
    return GENERATE_COPY(from_range(all));
}

} // namespace qcd::test
