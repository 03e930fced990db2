#pragma once
// The hopping term and the packing of its halo on tiles: inputs, launches and results.

#include "codelets/device/faces.h"
#include "codelets/hop_border/hop_border.hpp"
#include "codelets/hop_inside/hop_inside.hpp"
#include "codelets/hopping/hopping.hpp"
#include "codelets/pack_faces/pack_faces.hpp"
#include "tests/codelets/lattice_tiles.hpp"
#include "tests/codelets/sums.hpp"
#include "tests/reference/clover.hpp"
#include "tests/reference/dirac.hpp"

#include <catch2/catch.hpp>
#include <fmt/ranges.h>

#include <optional>

namespace qcd::test
{

using ref::Complex;
using ref::Links;
using ref::Spinors;

struct Cutting {
    Extents lattice;
    std::array<std::vector<int>, 4> thickness;
    Suits suits = Suits::devices;
};

/// Tiles of one block and of many; few lanes used and all; lanes over directions with and without
/// faces.
inline Cutting cuttings()
{
    return GENERATE(
        Cutting{{2, 2, 2, 2}, {{{2}, {2}, {2}, {2}}}},
        Cutting{{4, 4, 4, 4}, {{{2, 2}, {2, 2}, {2, 2}, {2, 2}}}},
        Cutting{{6, 10, 4, 2}, {{{6}, {10}, {4}, {2}}}},
        Cutting{{12, 2, 6, 4}, {{{6, 4, 2}, {2}, {4, 2}, {2, 2}}}},
        Cutting{{4, 6, 2, 8}, {{{4}, {2, 2, 2}, {2}, {8}}}},
        Cutting{{8, 8, 8, 4}, {{{8}, {8}, {8}, {4}}}},
        Cutting{{8, 4, 4, 8}, {{{8}, {4}, {4}, {4, 4}}}},
        Cutting{{4, 2, 2, 16}, {{{2, 2}, {2}, {2}, {8, 8}}}},    // 4 lanes along the cut t
        Cutting{{16, 16, 2, 2}, {{{8, 8}, {8, 8}, {2}, {2}}}},   // 16 lanes, x and y cut
        Cutting{{16, 8, 8, 2}, {{{8, 8}, {4, 4}, {4, 4}, {2}}}}, // 16 lanes, x, y and z cut
        Cutting{{10, 4, 12, 2}, {{{2, 8}, {4}, {12}, {2}}}},
        Cutting{{2, 10, 6, 6}, {{{2}, {6, 4}, {2, 4}, {6}}}}); // parts of odd and even rows
}

inline std::string name_of(const Cutting& c)
{
    const auto& t = c.thickness;
    return fmt::format("{} cut in {}; {}; {}; {}", to_string(c.lattice), fmt::join(t[0], " "),
                       fmt::join(t[1], " "), fmt::join(t[2], " "), fmt::join(t[3], " "));
}

/// In 16 bits there are none of 8 reals: nothing then.
template <class P = F64>
std::optional<LinkStorage> any_links()
{
    const LinkStorage s = GENERATE(LinkStorage::full, LinkStorage::two_rows, LinkStorage::minimal);
    return is_fixed_point(P::precision) && s == LinkStorage::minimal ? std::nullopt
                                                                     : std::optional(s);
}

/// Links of which some have +-1 on the diagonal and nothing else: among them the poles of the
/// storage in 8 reals.
inline ref::Links links_with_poles(const Extents& lattice)
{
    Links u = ref::gen_gauge(lattice, 4, 0.3);
    for (std::size_t link = 0; link < u.size() / 9; link += 5)
        for (int k = 0; k < 9; ++k) u[9 * link + k] = k % 4 ? 0 : (link / 5 >> k / 4 & 1) ? -1 : 1;
    for (std::size_t link = 0; link < u.size() / 9; link += 5) // determinant 1
        u[9 * link + 8] = u[9 * link] * u[9 * link + 4];
    return u;
}

/// 72 numbers a site, in [-0.5, 0.5): not one that solves another, kernels take any.
template <class Real>
std::vector<double> clover_reals(const Extents& lattice, int seed)
{
    std::vector<double> m(72 * volume(lattice));
    for (std::size_t i = 0; i < m.size(); ++i) m[i] = double(Real(ref::uniform(i, seed)));
    return m;
}
template <class Real>
Tiles<Real> clover_tiles(const Tiling& tiling, int parity, const std::vector<double>& m)
{
    Tiles<Real> tiles;
    for (int i = 0; i < tiling.tile_count(); ++i) tiles.emplace_back(72 * tiling.padded_sites(i));
    for_each_site(tiling, parity, [&](long s, const SitePlace& p) {
        for (int row = 0; row < 72; ++row)
            tiles[p.tile][place_of_real<Real>(p.block, p.lane, 72, row)] = Real(m[72 * s + row]);
    });
    return tiles;
}
inline std::vector<ref::SiteMatrix> site_matrices(const std::vector<double>& stored)
{
    std::vector<ref::SiteMatrix> m;
    for (std::size_t i = 0; i < stored.size(); i += 72) m.push_back(ref::from_stored(&stored[i]));
    return m;
}

/// Input of a hop on tiles, rounded to the stored precision, and the same for the reference. Links
/// of fewer than 18 reals leave the sign of an antiperiodic boundary to the kernels.
template <class P>
struct Data {
    using Real = typename P::Real;
    using Plain = typename P::Plain;
    Data(const Cutting& c, int parity, LinkStorage storage = LinkStorage::full)
        : tiling(c.lattice, c.thickness, c.suits), parity(parity), storage(storage),
          psi(rounded<Real>(ref::det_spinor(c.lattice, 1))),
          v(rounded<Real>(ref::det_spinor(c.lattice, 2))),
          u(rounded<Real>(ref::det_spinor(c.lattice, 3))),
          links(as_stored<Real>(links_with_poles(c.lattice), storage)),
          psi_tiles(spinor_tiles<Real>(tiling, 1 - parity, psi)),
          v_tiles(spinor_tiles<Real>(tiling, parity, v)),
          u_tiles(spinor_tiles<Real>(tiling, parity, u)),
          here(link_tiles<Real>(tiling, parity, links_with_poles(c.lattice), storage)),
          there(link_tiles<Real>(tiling, 1 - parity, links_with_poles(c.lattice), storage))
    {
    }
    void add_clover()
    {
        clover = clover_reals<Plain>(tiling.lattice(), 5);
        inverse = clover_reals<Plain>(tiling.lattice(), 6);
        clover_in_tiles = clover_tiles<Plain>(tiling, parity, clover);
        inverse_in_tiles = clover_tiles<Plain>(tiling, parity, inverse);
    }

    bool antiperiodic() const { return storage != LinkStorage::full; }
    /// Do the kernels change the sign of hops across this tile's upper end in t?
    bool negates_t(int tile) const
    {
        const Coord last{0, 0, 0, tiling.lattice()[3] - 1};
        const int per_slab = tiling.tile_count() / tiling.tiles()[3];
        return antiperiodic() && tile / per_slab == tiling.place(last).tile / per_slab;
    }

    Spinors hopping() const
    {
        return ref::only_parity(tiling.lattice(),
                                ref::hopping({tiling.lattice(), links, 0, 0, antiperiodic()}, psi),
                                parity);
    }

    Tiling tiling;
    int parity; // of the result
    LinkStorage storage;
    Spinors psi, v, u;
    Links links;
    Tiles<Real> psi_tiles, v_tiles, u_tiles, here, there;
    std::vector<double> clover, inverse; // A and B of hopping.hpp
    Tiles<Plain> clover_in_tiles, inverse_in_tiles;
};

/// [8*tile + 2*mu + upper]: what every tile sends.
template <class P>
Tiles<typename P::Math> pack(const Data<P>& d, const Backend& backend,
                             const SlotMemory& gate = absent)
{
    using Math = typename P::Math;
    Tiles<Math> faces(8 * d.tiling.tile_count());
    for (int tile = 0; tile < d.tiling.tile_count(); ++tile) {
        const tile_shape& g = d.tiling.shape(tile);
        if (packed_blocks(g) == 0) continue;
        std::vector<SlotMemory> slots = {in(d.psi_tiles[tile]), in(d.there[tile]), gate};
        for (int face = 0; face < 8; ++face)
            if (g.cut[face / 2]) {
                faces[8 * tile + face] = poisoned<Math>(face_blocks(g, face / 2) * 12 * 32);
                slots.push_back(out(faces[8 * tile + face]));
            } else
                slots.push_back(absent);
        backend.run(pack_faces_codelet(P::precision, d.storage),
                    pack_faces_args{g, 1 - d.parity, d.negates_t(tile)}, slots);
    }
    return faces;
}

/// A hop on all tiles.
template <class P>
struct Hopped {
    Tiles<typename P::Real> out;
    std::vector<Buffer<i64>> sums; ///< canonical after a hop
};

struct Terms {
    chiral a{}, b{1, 0, 1, 0};
    bool v = false, u = false, store = true, clover = false, inverse = false;
    double twist = 0;
    int sums = 0, reach = QCD_REACH_NEAR, prefetch = QCD_PREFETCH_REST;
    int late = 0; ///< faces, a bit each: the hop is made in two parts
};

template <class P>
void hop(const Data<P>& d, const Backend& backend, const Tiles<typename P::Math>& faces,
         const Terms& terms, Hopped<P>& result, const SlotMemory& gate = absent)
{
    for (int tile = 0; tile < d.tiling.tile_count(); ++tile) {
        hopping_args args{};
        args.shape = d.tiling.shape(tile);
        args.parity = d.parity;
        args.sums = terms.sums;
        args.add_u = terms.u;
        args.reach = terms.reach;
        args.prefetch = terms.prefetch;
        args.negate_t = d.negates_t(tile);
        args.a = terms.a;
        args.b = terms.b;
        args.twist = terms.twist;
        std::vector<SlotMemory> slots = {terms.store ? out(result.out[tile]) : absent,
                                         in(d.psi_tiles[tile]),
                                         in(d.here[tile]),
                                         in(d.there[tile]),
                                         terms.v ? in(d.v_tiles[tile]) : absent,
                                         terms.u ? in(d.u_tiles[tile]) : absent,
                                         terms.sums ? out(result.sums[tile]) : absent,
                                         gate,
                                         terms.clover ? in(d.clover_in_tiles[tile]) : absent,
                                         terms.inverse ? in(d.inverse_in_tiles[tile]) : absent};
        for (int face = 0; face < 8; ++face) {
            const int sender = d.tiling.sender(tile, face);
            slots.push_back(args.shape.cut[face / 2] ? in(faces[8 * sender + face]) : absent);
        }
        for (int face = 0; face < 8; ++face)
            args.late |= (terms.late & args.shape.cut[face / 2] << face);
        if (blocks_of_part(args.shape, QCD_HOP_INSIDE, args.late) == 0) args.late = 0;
        if (args.late == 0) {
            backend.run(hopping_codelet(P::precision, d.storage), args, slots);
        } else {
            std::vector<SlotMemory> early = slots;
            for (int face = 0; face < 8; ++face)
                if (args.late >> face & 1) early[hopping_faces + face] = absent;
            args.part = QCD_HOP_INSIDE;
            backend.run(hop_inside_codelet(P::precision, d.storage), args, early);
            if (terms.store) slots[hopping_out] = out(result.out[tile]);
            if (terms.sums) slots[hopping_sums] = out(result.sums[tile]);
            args.part = QCD_HOP_BORDER;
            backend.run(hop_border_codelet(P::precision, d.storage), args, slots);
        }
        if (terms.sums) result.sums[tile] = canonical(result.sums[tile]);
    }
}

template <class P>
Hopped<P> unwritten(const Data<P>& d)
{
    return {poisoned_tiles<typename P::Real>(d.tiling),
            std::vector<Buffer<i64>>(d.tiling.tile_count(), poisoned_sums())};
}

template <class P>
std::vector<char> bytes_of_sites(const Data<P>& d, const Tiles<typename P::Real>& tiles)
{
    const Spinors psi = gathered(d.tiling, d.parity, tiles);
    return bytes_of(Buffer<Complex>(psi.begin(), psi.end()));
}

template <class T>
std::vector<char> bytes_of_tiles(const Tiles<T>& tiles)
{
    std::vector<char> all;
    for (const auto& t : tiles) {
        const auto bytes = bytes_of(t);
        all.insert(all.end(), bytes.begin(), bytes.end());
    }
    return all;
}

} // namespace qcd::test
