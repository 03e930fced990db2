#include "tasks/halo.hpp"

#include "codelets/device/faces.h"
#include "tasks/linked_workers.hpp"

#include <array>

namespace qcd
{

namespace
{

std::size_t face_bytes(const Tiling& t, Precision p, int tile, int mu)
{
    return std::size_t(face_blocks(t.shape(tile), mu)) * QCD_HALF_ROWS * QCD_LANES * math_bytes(p);
}

/// With a flag for each block, in whole cache lines.
std::size_t linked_face_bytes(const Tiling& t, Precision p, int tile, int mu)
{
    const std::size_t flags = face_blocks(t.shape(tile), mu) * sizeof(i64);
    return face_bytes(t, p, tile, mu) + (flags + 127) / 128 * 128;
}

} // namespace

Halo::Halo(const Tiling& tiling, Precision precision) : data_(8 * tiling.tile_count())
{
    if (!linked_workers().empty()) {
        link(tiling, precision);
        return;
    }
    for (int tile = 0; tile < tiling.tile_count(); ++tile)
        for (int face = 0; face < 8; ++face) {
            if (!tiling.cut(face / 2)) continue;
            Data& d = data_[8 * tile + face];
            d.worker = worker_of(tile, tiling.tile_count());
            starpu_vector_data_register(&d.handle, -1, 0,
                                        face_bytes(tiling, precision, tile, face / 2) /
                                            math_bytes(precision),
                                        math_bytes(precision));
        }
}

void Halo::link(const Tiling& tiling, Precision precision)
{
    for (int tile = 0; tile < tiling.tile_count(); ++tile) { // that receives
        std::size_t bytes = 0;
        std::array<std::size_t, 8> places;
        for (int face = 0; face < 8; ++face) {
            places[face] = bytes;
            if (tiling.cut(face / 2)) bytes += linked_face_bytes(tiling, precision, tile, face / 2);
        }
        peer_memory_.push_back(
            std::make_unique<PeerMemory>(worker_of(tile, tiling.tile_count()), bytes));
        for (int face = 0; face < 8; ++face)
            if (tiling.cut(face / 2)) {
                // The lower face of the tile ahead comes here, and the upper one of that behind.
                const int from = tiling.neighbour(tile, face / 2, face % 2 ? -1 : +1);
                data_[8 * from + face] = {.worker = worker_of(from, tiling.tile_count()),
                                          .peer = peer_memory_.back()->at(places[face])};
            }
    }
}

Halo::~Halo()
{
    for (const Data& d : data_)
        if (d.handle) unregister(d);
    if (!peer_memory_.empty()) wait_for_all();
}

std::size_t Halo::bytes(const Tiling& tiling, Precision precision)
{
    std::size_t n = 0;
    for (int tile = 0; tile < tiling.tile_count(); ++tile)
        n += std::size_t(packed_blocks(tiling.shape(tile))) * QCD_HALF_ROWS * QCD_LANES *
             math_bytes(precision);
    return n;
}

} // namespace qcd
