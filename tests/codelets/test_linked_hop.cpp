// A linked hop on a tile that is its own neighbour does what a plain hop does on the tile uncut.
// Several workers at once: tests/solver/test_digests.cpp; GPUs: scripts/gpu-check.

#include "codelets/linked_hop/linked_hop.hpp"
#include "tests/codelets/hops.hpp"

using namespace qcd;
using namespace qcd::test;

namespace
{

/// Cut in the directions whose bit is set.
tile_shape cut_shape(tile_shape g, int directions)
{
    for (int mu = 0; mu < 4; ++mu) g.cut[mu] = directions >> mu & 1;
    return g;
}

/// Half spinors and the flags behind them, all 0.
template <class P>
Buffer<i64> empty_face(const tile_shape& g, int mu)
{
    const std::size_t reals = face_blocks(g, mu) * QCD_HALF_ROWS * QCD_LANES;
    return Buffer<i64>(reals * sizeof(typename P::Math) / sizeof(i64) + face_blocks(g, mu));
}

template <class P>
Hopped<P> linked_hop(const Data<P>& d, const Backend& backend, const tile_shape& shape,
                     const Terms& terms)
{
    Hopped<P> result = unwritten(d);
    linked_hop_args args{};
    args.hop.shape = shape;
    args.hop.parity = d.parity;
    args.hop.sums = terms.sums;
    args.hop.negate_t = d.negates_t(0);
    args.hop.a = terms.a;
    args.hop.b = terms.b;
    args.count = 1;
    std::vector<Slot> slots = {out(result.out[0]), in(d.psi_tiles[0]), in(d.here[0]),
                               in(d.there[0]),     in(d.v_tiles[0]),   absent,
                               out(result.sums[0])};
    slots.resize(linked_hop_slots, absent);
    std::vector<Buffer<i64>> faces(8);
    for (int face = 0; face < 8; ++face) {
        if (!shape.cut[face / 2]) continue;
        faces[face] = empty_face<P>(shape, face / 2);
        slots[hopping_faces + face] = slots[linked_hop_outbox + face] = out(faces[face]);
    }
    backend.run(linked_hop_codelet(P::precision, d.storage), args, slots);
    result.sums[0] = canonical(result.sums[0]);
    for (int face = 0; face < 8; ++face)
        for (int block = 0; shape.cut[face / 2] && block < face_blocks(shape, face / 2); ++block)
            CHECK(*(faces[face].end() - 1 - block) == args.count);
    return result;
}

} // namespace

TEMPLATE_TEST_CASE("linked hop: equals the plain one", "[codelets]", F64, F32)
{
    const LinkStorage storage = any_links();
    const Extents l = GENERATE(Extents{4, 4, 4, 4}, Extents{8, 4, 6, 10}, Extents{16, 2, 2, 16});
    const Data<TestType> d({l, {{{l[0]}, {l[1]}, {l[2]}, {l[3]}}}}, storage != LinkStorage::full,
                           storage);
    const int directions = GENERATE(8, 4, 1 | 8, 15);
    INFO(to_string(l) << ", cut " << directions << ", links of " << reals(storage));
    Terms terms;
    terms.a = {0.5, -0.25, -1.25, 0.75};
    terms.v = true;
    terms.sums = QCD_SUM_V_OUT | QCD_SUM_OUT_OUT;
    for (const Backend& backend : backends()) {
        if (backend.name().find("cpu") != 0) continue; // others see a copy of each slot's memory
        auto plain = unwritten(d);
        hop(d, backend, {}, terms, QCD_HOPPING_ALL, plain);
        const auto linked = linked_hop(d, backend, cut_shape(d.tiling.shape(0), directions), terms);
        require_same_bytes(backend.name(), bytes_of_tiles(plain.out), bytes_of_tiles(linked.out));
        CHECK(plain.sums == linked.sums);
    }
}
