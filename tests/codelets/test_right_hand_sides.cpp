// Operations on several right-hand sides at once: on every backend each has the bytes of a call of
// its own, whatever the gates of the others.

#include "codelets/add_correction/add_correction.hpp"
#include "codelets/bicgstab_residual/bicgstab_residual.hpp"
#include "codelets/bicgstab_update/bicgstab_update.hpp"
#include "codelets/cg_residual/cg_residual.hpp"
#include "codelets/cg_update/cg_update.hpp"
#include "codelets/chiral_scale/chiral_scale.hpp"
#include "codelets/cr_update/cr_update.hpp"
#include "codelets/device/linked_step.h"
#include "codelets/dot/dot.hpp"
#include "codelets/linked_hop/linked_hop.hpp"
#include "codelets/merge_sums/merge_sums.hpp"
#include "codelets/narrow/narrow.hpp"
#include "codelets/xpay/xpay.hpp"
#include "tests/codelets/hops.hpp"
#include "tests/codelets/scalars.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
#include <utility>

using namespace qcd;
using namespace qcd::test;

namespace
{

/// More than a core takes at a time (codelets/hopping/cpu.cpp), and what it has left.
constexpr int many_sides = 14, few_sides = 3;

/// Memories of a run, by numbers of its own.
using PeerMemories = std::map<int, std::unique_ptr<PeerMemory>>;

/// A slot's memory for all right-hand sides, or what they share, or what nobody looks at, or a place
/// in peer memory.
struct SidesSlot {
    Buffer<char> bytes;
    enum class Kind { absent, read, shared, written, sums, unread, peer } kind = Kind::absent;
    int peer = 0; // its number
    std::size_t place = 0;

    Buffer<char> of_side(int side, int sides) const
    {
        if (kind != Kind::read && kind != Kind::written && kind != Kind::sums) return bytes;
        const std::size_t n = bytes.size() / sides;
        return {bytes.begin() + std::ptrdiff_t(side * n),
                bytes.begin() + std::ptrdiff_t((side + 1) * n)};
    }
    SlotMemory memory(const Backend& backend, PeerMemories& peers)
    {
        if (kind == Kind::peer) {
            std::unique_ptr<PeerMemory>& m = peers[peer];
            if (!m) m = backend.peer_memory(bytes.size());
            return {.data = m->at(place), .peer = true};
        }
        const bool is_input = kind == Kind::read || kind == Kind::shared;
        return kind == Kind::absent ? absent : is_input ? in(bytes) : out(bytes);
    }
    /// What it holds, equal sums by equal bytes.
    std::vector<char> value() const
    {
        if (kind != Kind::sums) return {bytes.begin(), bytes.end()};
        Buffer<i64> words(bytes.size() / sizeof(i64));
        std::memcpy(words.data(), bytes.data(), bytes.size());
        return bytes_of(canonical(words));
    }
};
using Kind = SidesSlot::Kind;

template <class T>
SidesSlot slot_of(const Buffer<T>& b, Kind kind)
{
    const std::vector<char> bytes = bytes_of(b);
    return {{bytes.begin(), bytes.end()}, kind};
}

SidesSlot slot_of_peer(int number, std::size_t bytes, std::size_t place = 0)
{
    return {Buffer<char>(bytes), Kind::peer, number, place};
}

/// On a device, where a call takes long, only some: behind open gates and closed ones, and, of
/// many, one of a later group.
std::vector<int> sides_to_compare(const Backend& backend, int sides)
{
    if (!backend.is_host()) return {0, 1, 2, sides - 2};
    std::vector<int> all(sides);
    std::iota(all.begin(), all.end(), 0);
    return all;
}

void run_sides(const Backend& backend, const Codelet& codelet, const auto& args,
               std::vector<SidesSlot>& slots, int sides)
{
    PeerMemories peers;
    std::vector<SlotMemory> memory;
    for (SidesSlot& s : slots) memory.push_back(s.memory(backend, peers));
    backend.run(codelet, args, memory, sides);
}

template <class Args>
void check_sides(const Codelet& codelet, const Args& args, const std::vector<SidesSlot>& slots,
                 int sides, bool only_by_cuda = false)
{
    const bool with_peers = std::any_of(slots.begin(), slots.end(),
                                        [](const SidesSlot& s) { return s.kind == Kind::peer; });
    for (const Backend& backend : backends()) {
        if (with_peers && !backend.has_peers()) continue;
        if (only_by_cuda && backend.name() != "cuda") continue;
        INFO(backend.name() << ", " << codelet.name << ", " << sides << " right-hand sides");
        std::vector<SidesSlot> together = slots;
        run_sides(backend, codelet, args, together, sides);
        for (const int side : sides_to_compare(backend, sides)) {
            std::vector<SidesSlot> own = slots;
            for (SidesSlot& s : own) s.bytes = s.of_side(side, sides);
            run_sides(backend, codelet, args, own, 1);
            for (std::size_t s = 0; s < slots.size(); ++s) {
                if (slots[s].kind != Kind::written && slots[s].kind != Kind::sums) continue;
                const SidesSlot one{together[s].of_side(side, sides), slots[s].kind};
                require_same_bytes("together and alone", one.value(), own[s].value());
            }
        }
    }
}

template <class Real>
SidesSlot spinors(long blocks, int sides, int seed, Kind kind = Kind::read)
{
    return slot_of(to_blocks<Real>(random_sites<Real>(blocks * sides, seed)), kind);
}
SidesSlot sums_to_write(int sides)
{
    Buffer<i64> all;
    for (int i = 0; i < sides; ++i) {
        const Buffer<i64> one = poisoned_sums();
        all.insert(all.end(), one.begin(), one.end());
    }
    return slot_of(all, Kind::sums);
}
SidesSlot sums_to_read(int sides, int seed)
{
    Buffer<i64> all;
    for (int i = 0; i < sides; ++i) {
        Values v;
        for (int k = 0; k < QCD_MAX_SUMS; ++k) v[k] = 1 + ref::uniform(i * QCD_MAX_SUMS + k, seed);
        const Buffer<i64> one = test::sums_of(v);
        all.insert(all.end(), one.begin(), one.end());
    }
    return slot_of(all, Kind::read);
}
/// Others for each; every third one is behind a closed gate.
template <class Struct>
SidesSlot scalars_of_sides(const Struct& under_way, int sides, Kind kind = Kind::read)
{
    Buffer<double> all = poisoned<double>(std::size_t(sides) * QCD_SCALARS_STRIDE);
    for (int i = 0; i < sides; ++i) {
        Buffer<double> words = words_of(under_way);
        for (std::size_t w = sizeof(solve_scalars) / sizeof(double); w < words.size(); ++w)
            words[w] *= 1 + 0.0625 * i;
        Struct s = struct_of<Struct>(words);
        s.solve.gate = i % 3 == 1 ? QCD_GATE_CONVERGED : QCD_GATE_OPEN;
        if constexpr (requires { s.x.lacking; }) s.x.lacking = i % 3;
        std::memcpy(&all[i * QCD_SCALARS_STRIDE], &s, sizeof s);
    }
    return slot_of(all, kind);
}

const SidesSlot nothing{};
constexpr long blocks = 5;
constexpr auto written = Kind::written;

} // namespace

TEMPLATE_TEST_CASE("vector operations on several right-hand sides", "", F64, F32, F16)
{
    using Real = typename TestType::Real;
    using Plain = typename TestType::Plain;
    constexpr Precision p = TestType::precision;
    const int n = few_sides;
    const auto field = [&](int seed, Kind kind = Kind::read) {
        return spinors<Real>(blocks, n, seed, kind);
    };
    const SidesSlot x = spinors<Plain>(blocks, n, 9, written);
    const bool with_x = GENERATE(true, false);
    check_sides(chiral_scale_codelet(p), chiral_scale_args{blocks, {0.5, -1, 0.25, 2}},
                {field(1, written), field(2)}, n);
    check_sides(chiral_scale_codelet(p), chiral_scale_args{blocks, {}},
                {field(1, written), nothing}, n);
    if constexpr (!std::is_same_v<TestType, F16>)
        check_sides(xpay_codelet(p), xpay_args{blocks, {0.5, -0.75}}, {field(1), field(2, written)},
                    n);
    check_sides(dot_codelet(p), dot_args{blocks},
                {field(1), with_x ? field(2) : nothing, sums_to_write(n)}, n);
    check_sides(cr_update_codelet(p), cr_update_args{blocks},
                {with_x ? x : nothing, field(1, written), field(2, written), field(3, written),
                 field(4), scalars_of_sides(cr_under_way(), n), sums_to_write(n)},
                n);
    check_sides(
        cg_residual_codelet(p), cg_residual_args{blocks},
        {field(1, written), field(2), scalars_of_sides(cg_under_way(), n), sums_to_write(n)}, n);
    check_sides(cg_update_codelet(p), cg_update_args{blocks, QCD_REACH_NEAR},
                {with_x ? x : nothing, field(1, written), field(2), field(3),
                 scalars_of_sides(cg_under_way(), n)},
                n);
    const SidesSlot of_bicgstab = scalars_of_sides(bicgstab_under_way(), n);
    check_sides(bicgstab_residual_codelet(p), bicgstab_residual_args{blocks},
                {field(1, written), field(2), field(3), of_bicgstab, sums_to_write(n)}, n);
    check_sides(bicgstab_update_codelet(p), bicgstab_update_args{blocks},
                {x, field(1, written), field(2, written), field(3), field(4), of_bicgstab,
                 sums_to_write(n)},
                n);
}

TEMPLATE_TEST_CASE("between two precisions on several right-hand sides", "", F32, F16)
{
    using Real = typename TestType::Real;
    constexpr Precision p = TestType::precision;
    const int n = few_sides;
    const SidesSlot wide = spinors<double>(blocks, n, 1, written);
    const SidesSlot single = spinors<float>(blocks, n, 2);
    check_sides(narrow_codelet(p), narrow_args{blocks},
                {spinors<Real>(blocks, n, 3, written), spinors<double>(blocks, n, 4)}, n);
    check_sides(add_correction_codelet(p), add_correction_args{blocks}, {wide, single}, n);
    check_sides(add_correction_codelet(p), add_correction_args{blocks},
                {wide, single, spinors<Real>(blocks, n, 5), spinors<Real>(blocks, n, 6),
                 scalars_of_sides(cr_under_way(), n)},
                n);
}

TEST_CASE("sums and scalars of several right-hand sides")
{
    const int n = few_sides;
    check_sides(merge_sums_codelet(), merge_sums_args{2},
                {sums_to_write(n), sums_to_read(n, 1), sums_to_read(n, 2)}, n);
    const auto step = [&](const ScalarCodelets& operation, const auto& scalars,
                          const scalar_step_args& args = {}) {
        const Buffer<double> history(n * sizeof(solve_history) / sizeof(double), 0.5);
        for (const bool b : {true, false})
            check_sides(operation.alone, args,
                        {scalars_of_sides(scalars, n, written), slot_of(history, written),
                         sums_to_read(n, 1), b ? sums_to_read(n, 2) : nothing},
                        n);
    };
    const scalar_step_args start{
        .place = 0, .begins = 1, .tol = 1e-3, .rounding = 1e-16, .drop = 0, .forgets = 0};
    step(cr_start_codelets(), cr_under_way(), start);
    scalar_step_args start_of_each = start; // to the tolerance in its scalars
    start_of_each.begins = 0;
    step(cr_start_codelets(), cr_under_way(), start_of_each);
    step(cg_start_codelets(), cg_under_way(), start_of_each);
    step(cr_alpha_beta_codelets(), cr_under_way());
    step(cr_last_steps_codelets(), cr_under_way());
    step(cg_start_codelets(), cg_under_way(), start);
    step(cg_alpha_codelets(), cg_under_way());
    step(cg_beta_codelets(), cg_under_way());
    step(cg_last_steps_codelets(), cg_under_way());
    step(bicgstab_start_codelets(), bicgstab_under_way(), start);
    step(bicgstab_alpha_codelets(), bicgstab_under_way());
    step(bicgstab_omega_beta_codelets(), bicgstab_under_way());
    step(last_residual_codelets(), bicgstab_under_way());
}

// A worker that is all of its peers (test_linked_scalars.cpp).
TEST_CASE("sums of several right-hand sides that linked workers exchange")
{
    const int n = few_sides, peers = 2;
    constexpr std::size_t part = QCD_SENT_SUMS * sizeof(sent_word);
    std::vector<SidesSlot> slots(linked_step_slots);
    slots[scalar_step_scalars] = scalars_of_sides(cg_under_way(), n, written);
    slots[scalar_step_history] =
        slot_of(Buffer<double>(n * sizeof(solve_history) / sizeof(double), 0.5), written);
    slots[scalar_step_sums_a] = sums_to_read(n, 1);
    slots[scalar_step_sums_b] = sums_to_read(n, 2);
    slots[linked_step_order] = slot_of(Buffer<i64>(1), Kind::unread);
    slots[linked_step_more_a] = sums_to_read(n, 3);
    for (int slot : {int(linked_step_inbox), int(linked_step_outbox), linked_step_outbox + 1})
        slots[slot] = slot_of_peer(0, n * peers * part, slot == linked_step_outbox + 1 ? part : 0);
    check_sides(cg_beta_codelets().linked, linked_step_args{{}, 1, peers}, slots, n);
}

TEMPLATE_TEST_CASE("hops of several right-hand sides", "", F64, F32, F16, F32InF64)
{
    using Real = typename TestType::Real;
    using Math = typename TestType::Math;
    using Case = std::pair<Cutting, int>; // so many right-hand sides
    const Case of =
        GENERATE(Case(Cutting{{4, 4, 4, 4}, {{{4}, {4}, {4}, {4}}}}, many_sides),
                 Case(Cutting{{4, 4, 4, 4}, {{{2, 2}, {2, 2}, {2, 2}, {2, 2}}}}, many_sides),
                 Case(Cutting{{2, 10, 6, 6}, {{{2}, {6, 4}, {2, 4}, {6}}}}, few_sides));
    const Cutting& c = of.first;
    const int n = of.second;
    const int parity = GENERATE(0, 1);
    const bool clover = parity == 1;
    test::Data<TestType> d(c, parity);
    d.add_clover();
    const tile_shape& g = d.tiling.shape(0);
    const auto field = [&](int seed, Kind kind = Kind::read) {
        return spinors<Real>(g.blocks, n, seed, kind);
    };
    const auto face = [&](int number, Kind kind) {
        if (!g.cut[number / 2]) return nothing;
        Buffer<Math> f(std::size_t(face_blocks(g, number / 2)) * 12 * 32 * n);
        for (std::size_t i = 0; i < f.size(); ++i) f[i] = Math(ref::uniform(long(i), number) - 0.5);
        return slot_of(f, kind);
    };
    const SidesSlot gate = scalars_of_sides(cg_under_way(), n);

    pack_faces_args packing{g, 1 - parity, 0};
    std::vector<SidesSlot> packed{field(1), slot_of(d.there[0], Kind::shared), gate};
    for (int i = 0; i < 8; ++i) packed.push_back(face(i, written));
    if (packed_blocks(g) > 0)
        check_sides(pack_faces_codelet(TestType::precision, d.storage), packing, packed, n);

    hopping_args args{};
    args.shape = g;
    args.parity = parity;
    args.sums = QCD_SUM_V_OUT | QCD_SUM_OUT_OUT | QCD_SUM_U_OUT;
    args.add_u = 1;
    args.a = {0.5, 0.25, -0.5, 1};
    args.b = {1, 0, -1, 0.5};
    std::vector<SidesSlot> slots{field(1, written),
                                 field(2),
                                 slot_of(d.here[0], Kind::shared),
                                 slot_of(d.there[0], Kind::shared),
                                 field(3),
                                 field(4),
                                 sums_to_write(n),
                                 gate,
                                 clover ? slot_of(d.clover_in_tiles[0], Kind::shared) : nothing,
                                 nothing};
    for (int i = 0; i < 8; ++i) slots.push_back(face(i, Kind::read));
    check_sides(hopping_codelet(TestType::precision, d.storage), args, slots, n);
    if (packed_blocks(g) == 0) { // a tile that is its own neighbour (test_linked_hop.cpp)
        linked_hop_args linked{args, 1};
        std::vector<SidesSlot> linked_slots = slots;
        linked_slots.resize(linked_hop_slots);
        linked_slots[linked_hop_order] = slot_of(Buffer<i64>(1), Kind::unread);
        for (const int mu : {2, 3}) {
            linked.hop.shape.cut[mu] = 1;
            const std::size_t bytes =
                n * face_blocks(g, mu) * (QCD_HALF_ROWS * QCD_LANES * sizeof(Math) + sizeof(i64));
            for (const int face : {2 * mu, 2 * mu + 1})
                linked_slots[hopping_faces + face] = linked_slots[linked_hop_outbox + face] =
                    slot_of_peer(face, bytes);
        }
        check_sides(linked_hop_codelet(TestType::precision, d.storage), linked, linked_slots, n);
    }
    args.sums = args.add_u = 0;
    slots[hopping_v] = slots[hopping_u] = slots[hopping_sums] = slots[hopping_clover] = nothing;
    slots[hopping_gate] = nothing;
    check_sides(hopping_codelet(TestType::precision, d.storage), args, slots, n);
}

TEMPLATE_TEST_CASE("a hop of several right-hand sides that marches through time slices", "", F64,
                   F32, F16)
{
    using Real = typename TestType::Real;
    if (cuda_devices().empty()) return; // others have no such kernel
    // As large as must be for the kernel to be chosen, by other numbers of parts and groups.
    const auto& [cutting, n, reals_of_link] = GENERATE(table<Cutting, int, LinkStorage>({
        {{{8, 16, 16, 12}, {{{8}, {16}, {16}, {12}}}, Suits::cuda}, 5, LinkStorage::two_rows},
        {{{8, 32, 8, 12}, {{{8}, {32}, {8}, {12}}}, Suits::cuda}, 12, LinkStorage::full},
        {{{8, 16, 8, 12}, {{{8}, {16}, {8}, {12}}}, Suits::cuda}, 24, LinkStorage::two_rows},
        {{{8, 16, 8, 10}, {{{8}, {16}, {8}, {10}}}, Suits::cuda}, 13, LinkStorage::minimal},
        {{{8, 16, 16, 12}, {{{8}, {16}, {16}, {12}}}}, 12, LinkStorage::two_rows}, // blocks in y
    }));
    const LinkStorage storage =
        is_fixed_point(TestType::precision) && reals_of_link == LinkStorage::minimal
            ? LinkStorage::two_rows
            : reals_of_link;
    const test::Data<TestType> d(cutting, n % 2, storage);
    INFO(name_of(cutting) << ", links of " << reals(storage));
    const tile_shape& g = d.tiling.shape(0);
    const auto field = [&, n = n](int seed, Kind kind = Kind::read) {
        return spinors<Real>(g.blocks, n, seed, kind);
    };
    hopping_args args{};
    args.shape = g;
    args.parity = n % 2;
    args.negate_t = storage != LinkStorage::full;
    args.b = {1, 0, 1, 0};
    std::vector<SidesSlot> slots(hopping_slots, nothing);
    slots[hopping_out] = field(1, Kind::written);
    slots[hopping_psi] = field(2);
    slots[hopping_links] = slot_of(d.here[0], Kind::shared);
    slots[hopping_links_other] = slot_of(d.there[0], Kind::shared);
    const Codelet& codelet = hopping_codelet(TestType::precision, storage);
    check_sides(codelet, args, slots, n, true);
    args.sums = QCD_SUM_V_OUT | QCD_SUM_OUT_OUT | QCD_SUM_U_OUT;
    args.add_u = 1;
    args.a = {0.5, 0.25, -0.5, 1};
    args.b = {1, 0, -1, 0.5};
    slots[hopping_v] = field(3);
    slots[hopping_u] = field(4);
    slots[hopping_sums] = sums_to_write(n);
    slots[hopping_gate] = scalars_of_sides(cg_under_way(), n);
    check_sides(codelet, args, slots, n, true);
}
