// A linked hop on a tile that is its own neighbour does what a plain hop does on the tile uncut.
// Several workers at once: tests/solver/test_digests.cpp; several GPUs: scripts/gpu-check.

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

template <class P>
std::size_t half_spinor_bytes(const tile_shape& g, int mu)
{
    return face_blocks(g, mu) * QCD_HALF_ROWS * QCD_LANES * sizeof(typename P::Math);
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
    args.hop.twist = terms.twist;
    args.count = 1;
    std::vector<SlotMemory> slots = {out(result.out[0]), in(d.psi_tiles[0]), in(d.here[0]),
                                     in(d.there[0]),     in(d.v_tiles[0]),   absent,
                                     out(result.sums[0])};
    slots.resize(linked_hop_slots, absent);
    Buffer<i64> order(1);
    slots[linked_hop_order] = out(order);
    if (terms.clover) slots[hopping_clover] = in(d.clover_in_tiles[0]);
    if (terms.inverse) slots[hopping_inverse] = in(d.inverse_in_tiles[0]);
    std::vector<std::unique_ptr<PeerMemory>> faces(8); // with flags behind them
    for (int face = 0; face < 8; ++face) {
        const int mu = face / 2;
        if (!shape.cut[mu]) continue;
        faces[face] = backend.peer_memory(half_spinor_bytes<P>(shape, mu) +
                                          face_blocks(shape, mu) * sizeof(i64));
        slots[hopping_faces + face] = slots[linked_hop_outbox + face] = peer(*faces[face]);
    }
    backend.run(linked_hop_codelet(P::precision, d.storage), args, slots);
    result.sums[0] = canonical(result.sums[0]);
    for (int face = 0; backend.is_host() && face < 8; ++face)
        for (int block = 0; faces[face] && block < face_blocks(shape, face / 2); ++block)
            CHECK(static_cast<const i64*>(
                      faces[face]->at(half_spinor_bytes<P>(shape, face / 2)))[block] == args.count);
    return result;
}

} // namespace

TEMPLATE_TEST_CASE("linked hop: equals the plain one", "[codelets]", F64, F32, F16)
{
    const std::optional<LinkStorage> any = any_links<TestType>();
    if (!any) return;
    const LinkStorage storage = *any;
    const Extents l = GENERATE(Extents{4, 4, 4, 8}, Extents{8, 4, 6, 10}, Extents{16, 2, 2, 16});
    Data<TestType> d({l, {{{l[0]}, {l[1]}, {l[2]}, {l[3]}}}}, storage != LinkStorage::full,
                     storage);
    const int directions = GENERATE(8, 4, 1 | 8, 15);
    const tile_shape whole = d.tiling.shape(0);
    if (directions & 1 && whole.other_rows) return; // no tiling has such shapes
    INFO(to_string(l) << ", cut " << directions << ", links of " << reals(storage));
    d.add_clover();
    Terms terms;
    const int use_of_clover = GENERATE(0, 1, 2);
    terms.clover = use_of_clover > 0;
    terms.inverse = use_of_clover == 2;
    terms.twist = terms.clover ? 0.75 : 0;
    terms.a = {0.5, -0.25, -1.25, 0.75};
    terms.v = true;
    terms.sums = QCD_SUM_V_OUT | QCD_SUM_OUT_OUT;
    for (const Backend& backend : backends()) {
        if (!backend.has_peers()) continue;
        auto plain = unwritten(d);
        hop(d, backend, {}, terms, plain);
        const auto linked = linked_hop(d, backend, cut_shape(whole, directions), terms);
        require_same_bytes(backend.name(), bytes_of_tiles(plain.out), bytes_of_tiles(linked.out));
        CHECK(plain.sums == linked.sums);
    }
}
