#include "tasks/wilson.hpp"

#include "codelets/hopping/hopping.hpp"
#include "codelets/linked_hop/linked_hop.hpp"
#include "codelets/pack_faces/pack_faces.hpp"
#include "codelets/runtime/opencl_program.hpp"
#include "tasks/linked_workers.hpp"
#include "tasks/reach.hpp"
#include "tasks/submit.hpp"

namespace qcd
{

namespace spin
{

chiral inverse_twist(double mubar)
{
    const double n = 1 + mubar * mubar;
    return {1 / n, -mubar / n, 1 / n, mubar / n};
}

chiral operator*(const chiral& a, const chiral& b)
{
    return {a.up_re * b.up_re - a.up_im * b.up_im, a.up_re * b.up_im + a.up_im * b.up_re,
            a.down_re * b.down_re - a.down_im * b.down_im,
            a.down_re * b.down_im + a.down_im * b.down_re};
}

} // namespace spin

namespace
{

std::size_t bytes_of_hop(Precision arithmetic, LinkStorage links)
{
    return real_bytes(arithmetic) * (8 * reals(links) + QCD_SPINOR_ROWS);
}

/// How cores ask for what a hop reads, as was measured (docs/notes/ideas-cores.md): not near, where
/// it costs more than it brings; AMD's from Zen 5 on into L1; those before early if it comes from
/// memory, since a hop has one stream more than they prefetch for.
int prefetch_of_hop(int reach)
{
    if (reach == QCD_REACH_NEAR) return QCD_PREFETCH_NONE;
    if (!__builtin_cpu_is("amd")) return QCD_PREFETCH_NEXT;
    const bool before_zen_5 = __builtin_cpu_is("amdfam17h") || __builtin_cpu_is("amdfam19h");
    if (!before_zen_5) return QCD_PREFETCH_CLOSE;
    return reach == QCD_REACH_MEMORY ? QCD_PREFETCH_EARLY : QCD_PREFETCH_NEXT;
}

} // namespace

Wilson::Wilson(const Tiling& tiling, const GaugeField& gauge, Precision arithmetic)
    : tiling_(&tiling), gauge_(&gauge),
      arithmetic_(arithmetic), halo_{Halo(tiling, arithmetic), Halo(tiling, arithmetic)},
      reach_(reach_of(tiling, bytes_of_hop(arithmetic, gauge.storage()))),
      prefetch_(prefetch_of_hop(reach_))
{
    prepare(arithmetic, gauge.storage());
}

void Wilson::prepare(Precision arithmetic, LinkStorage links) { opencl_prepare(arithmetic, links); }

bool Wilson::negates_t(int tile) const
{
    const int tiles = tiling_->tile_count(); // the last ones are those at the upper end in t
    return gauge_->sign_is_left_out() && tile >= tiles - tiles / tiling_->tiles()[3];
}

void Wilson::exchange(const Hop& hop) const
{
    const int sender = 1 - hop.parity;
    for (int tile = 0; tile < tiling_->tile_count(); ++tile) {
        std::vector<Access> slots(pack_faces_slots);
        slots[pack_faces_psi] = reads_part(hop.psi->at(sender, tile));
        slots[pack_faces_links] = reads_part(gauge_->at(sender, tile));
        if (hop.gate) slots[pack_faces_gate] = reads(hop.gate->at(tile));
        for (int face = 0; face < 8; ++face)
            slots[pack_faces_faces + face] = writes(halo().at(tile, face));
        submit(pack_faces_codelet(arithmetic_, gauge_->storage()),
               pack_faces_args{tiling_->shape(tile), sender, negates_t(tile)}, slots, 0,
               Priority::early);
    }
    hand_over();
}

std::vector<Access> Wilson::slots_of(const Hop& hop, int tile) const
{
    const int p = hop.parity;
    std::vector<Access> slots(hopping_slots);
    if (hop.out) slots[hopping_out] = writes(hop.out->at(p, tile));
    slots[hopping_psi] = reads(hop.psi->at(1 - p, tile));
    slots[hopping_links] = reads(gauge_->at(p, tile));
    slots[hopping_links_other] = reads(gauge_->at(1 - p, tile));
    if (hop.v) slots[hopping_v] = reads(hop.v->at(p, tile));
    if (hop.dots.u) slots[hopping_u] = reads(hop.dots.u->at(p, tile));
    if (hop.dots.sums) slots[hopping_sums] = writes(hop.dots.sums->part(p, tile));
    if (hop.gate) slots[hopping_gate] = reads(hop.gate->at(tile));
    for (int mu = 0; mu < 4; ++mu) {
        slots[hopping_faces + 2 * mu] = reads(halo().at(tiling_->neighbour(tile, mu, +1), 2 * mu));
        slots[hopping_faces + 2 * mu + 1] =
            reads(halo().at(tiling_->neighbour(tile, mu, -1), 2 * mu + 1));
    }
    return slots;
}

hopping_args Wilson::args_of(const Hop& hop, int tile) const
{
    hopping_args args{};
    args.shape = tiling_->shape(tile);
    args.parity = hop.parity;
    args.sums = hop.dots.sums ? hop.dots.which : 0;
    args.add_u = hop.add_u;
    args.reach = reach_;
    args.prefetch = prefetch_;
    args.negate_t = negates_t(tile);
    args.a = hop.a;
    args.b = hop.b;
    return args;
}

void Wilson::hop_tile(const Hop& hop, int tile) const
{
    submit(hopping_codelet(arithmetic_, gauge_->storage()), args_of(hop, tile), slots_of(hop, tile),
           flops(tile));
}

void Wilson::hop_linked(const Hop& hop, int tile) const
{
    std::vector<Access> slots = slots_of(hop, tile);
    slots.resize(linked_hop_slots);
    slots[linked_hop_order] = writes(order_of(linked_workers()[tile]));
    for (int face = 0; face < 8; ++face)
        slots[linked_hop_outbox + face] = writes(halo().at(tile, face));
    submit(linked_hop_codelet(arithmetic_, gauge_->storage()),
           linked_hop_args{args_of(hop, tile), exchanges_}, slots, flops(tile));
}

double Wilson::flops(int tile) const { return 1320.0 * double(tiling_->sites(tile)); }

void Wilson::hop(const Hop& hop) const
{
    const bool faces = tiling_->any_cut(), linked = faces && !linked_workers().empty();
    exchanges_ += faces;
    if (faces && !linked) exchange(hop);
    for (int tile = 0; tile < tiling_->tile_count(); ++tile) {
        if (linked)
            hop_linked(hop, tile);
        else
            hop_tile(hop, tile);
    }
}

} // namespace qcd
