#pragma once
// A lattice as tiles in plain memory, laid out as codelets/device/shape.h says, without StarPU.

#include "tasks/tiling.hpp"
#include "tests/codelets/blocks.hpp"

namespace qcd::test
{

template <class T>
using Tiles = std::vector<Buffer<T>>; ///< [tile], sites of one parity

/// Calls f(site number, place) for the sites of one parity.
template <class F>
void for_each_site(const Tiling& tiling, int parity, const F& f)
{
    for (long s = 0; s < volume(tiling.lattice()); ++s) {
        const SitePlace p = tiling.place(ref::site_coord(tiling.lattice(), s));
        if (p.parity == parity) f(s, p);
    }
}

template <class Real>
Tiles<Real> spinor_tiles(const Tiling& tiling, int parity, const ref::Spinors& psi)
{
    Tiles<Real> tiles;
    for (int i = 0; i < tiling.tile_count(); ++i)
        tiles.emplace_back(spinor_rows<Real> *
                           tiling.padded_sites(i)); // lanes that stay empty hold 0
    for_each_site(tiling, parity, [&](long s, const SitePlace& p) {
        if constexpr (std::is_same_v<Real, Half>) {
            put_half(tiles[p.tile], p.block, p.lane, &psi[12 * s]);
        } else
            for (int row = 0; row < 24; ++row) {
                const ref::Complex z = psi[12 * s + row / 2];
                tiles[p.tile][place_of_real<Real>(p.block, p.lane, 24, row)] =
                    Real(row % 2 ? z.imag() : z.real());
            }
    });
    return tiles;
}

template <class Real>
Tiles<Real> link_tiles(const Tiling& tiling, int parity, const ref::Links& u,
                       LinkStorage storage = LinkStorage::full)
{
    const int rows = rows_of_link<Real>(storage);
    Tiles<Real> tiles;
    for (int i = 0; i < tiling.tile_count(); ++i)
        tiles.emplace_back(4 * rows * tiling.padded_sites(i));
    for_each_site(tiling, parity, [&](long s, const SitePlace& p) {
        const int blocks = tiling.shape(p.tile).blocks;
        for (int mu = 0; mu < 4; ++mu) {
            const auto r = stored_link<Real>(u, 4 * s + mu, storage);
            for (int row = 0; row < rows; ++row) {
                Real& at = tiles[p.tile][place_of_real<Real>(long(mu) * blocks + p.block, p.lane,
                                                             rows, row)];
                if constexpr (std::is_same_v<Real, Half>)
                    at.word = fixed_point::of_link(r[2 * row], r[2 * row + 1]);
                else
                    at = Real(r[row]);
            }
        }
    });
    return tiles;
}

template <class Real>
Tiles<Real> poisoned_tiles(const Tiling& tiling)
{
    Tiles<Real> tiles;
    for (int i = 0; i < tiling.tile_count(); ++i)
        tiles.push_back(poisoned<Real>(spinor_rows<Real> * tiling.padded_sites(i)));
    return tiles;
}

/// The sites of one parity back in an array of the whole lattice; 0 elsewhere.
template <class Real>
ref::Spinors gathered(const Tiling& tiling, int parity, const Tiles<Real>& tiles)
{
    ref::Spinors psi(12 * volume(tiling.lattice()));
    for_each_site(tiling, parity, [&](long s, const SitePlace& p) {
        if constexpr (std::is_same_v<Real, Half>)
            get_half(tiles[p.tile], p.block, p.lane, &psi[12 * s]);
        else
            for (int k = 0; k < 12; ++k)
                psi[12 * s + k] = {
                    tiles[p.tile][place_of_real<Real>(p.block, p.lane, 24, 2 * k)],
                    tiles[p.tile][place_of_real<Real>(p.block, p.lane, 24, 2 * k + 1)]};
    });
    return psi;
}

/// Are the lanes of spinors that hold no site 0?
template <class Real>
bool padding_is_zero(const tile_shape& g, const Buffer<Real>& field)
{
    const int used = 1 + (g.mask[0] | g.mask[1] | g.mask[2] | g.mask[3]);
    if constexpr (std::is_same_v<Real, Half>) {
        const ref::Spinors psi = from_blocks(field);
        for (std::size_t k = 0; k < psi.size(); ++k)
            if (int(k / 12 % 32) >= used && psi[k] != 0.0) return false;
        return true;
    } else {
        constexpr int rows = 24;
        for (long block = 0; block < long(field.size()) / (32 * rows); ++block)
            for (int lane = used; lane < 32; ++lane)
                for (int row = 0; row < rows; ++row)
                    if (field[place_of_real<Real>(block, lane, rows, row)] != 0) return false;
        return true;
    }
}

} // namespace qcd::test
