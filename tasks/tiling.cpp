#include "tasks/tiling.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <tuple>

namespace qcd
{

namespace
{

const Extents& checked(const Extents& lattice)
{
    require_lattice(lattice, "lattice");
    return lattice;
}

const Extents& checked(const Extents& lattice, const Extents& tiles)
{
    for (int mu = 0; mu < 4; ++mu)
        if (tiles[mu] < 1 || tiles[mu] > lattice[mu] / tile_granularity)
            throw Error("tiles: {} in direction {} of lattice {}: must be from 1 to {} (a tile "
                        "is at least {} sites thick)",
                        tiles[mu], "xyzt"[mu], to_string(lattice), lattice[mu] / tile_granularity,
                        tile_granularity);
    require_lattice(lattice, "lattice");
    return tiles;
}

/// How often 2 divides n.
int twos(int n)
{
    int bits = 0;
    for (; n % 2 == 0; n /= 2) ++bits;
    return bits;
}

/// The lowest `bits` bits of n, backwards: the lane bits of part n, and the other way round.
int reversed(int n, int bits)
{
    int r = 0;
    for (int i = 0; i < bits; ++i) r |= (n >> i & 1) << (bits - 1 - i);
    return r;
}

} // namespace

Tiling::Tiling(const Extents& lattice, const Extents& tiles, Suits suits)
    : Tiling(Grid(lattice, checked(lattice, tiles), tile_granularity), suits)
{
}

Tiling::Tiling(const Extents& lattice, const Thickness& thickness, Suits suits)
    : Tiling(Grid(checked(lattice), thickness, tile_granularity), suits)
{
}

Tiling::Tiling(const Grid& grid, Suits suits) : Grid(grid)
{
    choose_parts(suits);
    make_shapes();
}

/// Spreads the 32 lanes over the directions. All tiles are spread alike, so that faces fit
/// together. A direction can be halved as often as 2 divides every thickness/2 (columns in x, pairs
/// of rows elsewhere: all lanes of a block then have rows of one offset). Where that leaves lanes
/// empty, one halving more in y, z, t makes parts with an odd number of rows, for which cores
/// compute a quarter of a hop's terms twice (shape.h); not if x is cut, as faces in x have no place
/// for rows of both offsets.
/// Uncut directions first: there no lane ever needs a face. t last: a time slice is then a run of
/// blocks, and the spinors of three of them, which a hop uses again and again, take the least
/// cache. Among the others the longest parts are halved first, because lanes rotate once per part;
/// ties go to z, y, x. On cores, where a tile has large time slices, parts in z stay twice as long,
/// and ties go to y, x, z: planes of blocks are then half as large, and three of them stay in a
/// core's L2. Where only CUDA computes and nothing is cut, all of y goes over the lanes first, if
/// they are enough: a step in y then stays in its block, which a hop need not read twice.
void Tiling::choose_parts(Suits suits)
{
    constexpr long large = 4096; // sites of one parity of the thinnest tile's time slice
    std::array<int, 4> length;
    for (int mu = 0; mu < 4; ++mu) {
        length[mu] = *std::min_element(thickness()[mu].begin(), thickness()[mu].end());
        if (mu == 0) length[mu] /= 2;
    }
    const bool long_z = suits == Suits::cores && long(length[0]) * length[1] * length[2] > large;
    const std::array<int, 4> order =
        long_z ? std::array{1, 0, 2, 3} : std::array{2, 1, 0, 3}; // of ties
    const int halvings = twos(length[1]);
    const bool all_of_y = suits == Suits::cuda && !cut(0) && !cut(1) && !cut(2) && !cut(3) &&
                          length[1] == 1 << halvings && halvings >= 3 && halvings <= 5;
    if (all_of_y) lane_bits_[1] = halvings;
    int bits = lane_bits_[1];
    for (const bool odd : {false, true})
        while (bits < 5) {
            int best = -1;
            for (const int mu : order) {
                if (lane_bits_[mu] >= most_halvings(mu, odd)) continue;
                const auto rank = [&](int nu) {
                    return std::tuple(!cut(nu), nu != 3,
                                      length[nu] >> (lane_bits_[nu] + (nu == 2 && long_z)));
                };
                if (best < 0 || rank(mu) > rank(best)) best = mu;
            }
            if (best < 0) break;
            ++lane_bits_[best];
            ++bits;
        }
}

/// odd: into parts of an odd number of rows, too.
int Tiling::most_halvings(int mu, bool odd) const
{
    int most = mu == 3 ? 3 : 2;
    for (const int l : thickness()[mu])
        most = std::min(most, twos(odd && mu > 0 && !cut(0) ? l : l / 2));
    return most;
}

void Tiling::make_shapes()
{
    for (int mu = 0; mu < 4; ++mu)
        for (const int l : thickness()[mu]) {
            const int inner = (mu == 0 ? l / 2 : l) >> lane_bits_[mu]; // columns or rows of a part
            for (int c = 0; c < l; ++c) {
                const int place = mu == 0 ? c / 2 : c;
                in_tile_[mu].push_back({place / inner, place % inner});
            }
        }
    shapes_.resize(tile_count());
    for (int i = 0; i < tile_count(); ++i) {
        const Extents of_tile = extents(i);
        tile_shape& g = shapes_[i];
        g.blocks = 1;
        int bit = 0;
        for (int mu = 0; mu < 4; ++mu) {
            const int l = of_tile[mu];
            g.m[mu] = (mu == 0 ? l / 2 : l) >> lane_bits_[mu];
            g.bit[mu] = bit;
            g.mask[mu] = ((1 << lane_bits_[mu]) - 1) << bit;
            g.cut[mu] = cut(mu);
            g.blocks *= g.m[mu];
            bit += lane_bits_[mu];
        }
        for (int lane = 0; lane < QCD_LANES; ++lane) {
            int rows = 0; // before the lane's parts in y, z and t
            for (int mu = 1; mu < 4; ++mu)
                rows += g.m[mu] * reversed((lane & g.mask[mu]) >> g.bit[mu], lane_bits_[mu]);
            g.other_rows |= unsigned(rows % 2) << lane;
        }
    }
}

SitePlace Tiling::place(const Coord& x) const
{
    SitePlace p{(x[0] + x[1] + x[2] + x[3]) & 1, part_of(x), 0, 0};
    const tile_shape& g = shapes_[p.tile];
    for (int mu = 3; mu >= 0; --mu) {
        p.block = p.block * g.m[mu] + in_tile_[mu][x[mu]].inner;
        p.lane |= reversed(in_tile_[mu][x[mu]].part, lane_bits_[mu]) << g.bit[mu];
    }
    return p;
}

long Tiling::sites(int tile) const
{
    return long(shapes_[tile].blocks) * lanes_in_use(shapes_[tile]);
}

long Tiling::padded_sites() const
{
    long n = 0;
    for (int tile = 0; tile < tile_count(); ++tile) n += padded_sites(tile);
    return n;
}

bool Tiling::kernels_can_index() const
{
    return std::all_of(shapes_.begin(), shapes_.end(),
                       [](const tile_shape& g) { return g.blocks <= most_blocks; });
}

} // namespace qcd
