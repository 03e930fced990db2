#include "tasks/wilson.hpp"

#include "codelets/hopping/hopping.hpp"
#include "runtime/machine_model.hpp"
#include "runtime/opencl_program.hpp"
#include "tasks/reach.hpp"

namespace qcd
{

namespace spin
{

chiral operator*(const chiral& a, const chiral& b)
{
    return {a.up_re * b.up_re - a.up_im * b.up_im, a.up_re * b.up_im + a.up_im * b.up_re,
            a.down_re * b.down_re - a.down_im * b.down_im,
            a.down_re * b.down_im + a.down_im * b.down_re};
}

} // namespace spin

namespace
{

std::size_t bytes_of_hop(Precision arithmetic, LinkStorage links, bool clover)
{
    return real_bytes(arithmetic) * 8 * reals(links) + spinor_bytes(arithmetic) +
           (clover ? real_bytes(plain_precision(arithmetic)) * QCD_CLOVER_ROWS : 0);
}

int prefetch_of_hop(int reach)
{
    if (reach == QCD_REACH_NEAR) return QCD_PREFETCH_REST; // more costs more than it brings
    const MachineModel& model = MachineModel::of_this_machine();
    switch (reach == QCD_REACH_FAR ? model.prefetch_far : model.prefetch_memory) {
    case Prefetch::early:
        return QCD_PREFETCH_EARLY;
    case Prefetch::close:
        return QCD_PREFETCH_CLOSE;
    default:
        return QCD_PREFETCH_NEXT;
    }
}

} // namespace

Wilson::Wilson(LatticeGraph& graph, const GaugeField& gauge, Precision arithmetic,
               const CloverField* clover)
    : graph_(&graph), gauge_(&gauge), clover_(clover), arithmetic_(arithmetic),
      reach_(reach_of(graph, bytes_of_hop(arithmetic, gauge.storage(), clover != nullptr))),
      prefetch_(prefetch_of_hop(reach_))
{
    if (tiling().any_cut() && !(gauge.domains() && gauge.domains()->fit_in_tiles(tiling())))
        for (auto& halo : halo_) halo = graph.exchange().make_halo(arithmetic);
    prepare(arithmetic, gauge.storage());
}

void Wilson::prepare(Precision arithmetic, LinkStorage links)
{
    opencl_prepare(hopping_codelet(arithmetic, links));
}

bool Wilson::negates_t(int tile) const
{
    return gauge_->sign_is_left_out() && tiling().place_of(tile)[3] == tiling().tiles()[3] - 1;
}

pack_faces_args Wilson::packing_args(const Hop& hop, int tile) const
{
    return {tiling().shape(tile), 1 - hop.parity, negates_t(tile)};
}

std::vector<Operand> Wilson::packing_slots(const Hop& hop, int tile, const Halo& halo) const
{
    const int sender = 1 - hop.parity;
    std::vector<Operand> slots(pack_faces_slots);
    slots[pack_faces_psi] = hop.psi->at(sender, tile);
    slots[pack_faces_links] = gauge_->at(sender, tile);
    if (hop.gate) slots[pack_faces_gate] = hop.gate->at(tile);
    for (int face = 0; face < Tiling::faces; ++face)
        slots[pack_faces_faces + face] = halo.at(tile, face);
    return slots;
}

std::vector<Operand> Wilson::hop_slots(const Hop& hop, int tile, const Halo* halo) const
{
    const int p = hop.parity;
    std::vector<Operand> slots(hopping_slots);
    if (hop.out) slots[hopping_out] = hop.out->at(p, tile);
    slots[hopping_psi] = hop.psi->at(1 - p, tile);
    slots[hopping_links] = gauge_->at(p, tile);
    slots[hopping_links_other] = gauge_->at(1 - p, tile);
    if (hop.v) slots[hopping_v] = hop.v->at(p, tile);
    if (hop.dots.u) slots[hopping_u] = hop.dots.u->at(p, tile);
    if (hop.dots.sums) slots[hopping_sums] = hop.dots.sums->part(p, tile);
    if (hop.gate) slots[hopping_gate] = hop.gate->at(tile);
    const bool divides = hop.clover == Clover::divides;
    if (hop.clover == Clover::multiplies_v || (divides && hop.twist != 0))
        slots[hopping_clover] = clover_->matrix(p, tile);
    if (divides) slots[hopping_inverse] = clover_->inverse(tile);
    for (int face = 0; face < Tiling::faces && halo; ++face)
        slots[hopping_faces + face] = halo->at(tiling().sender(tile, face), face);
    return slots;
}

hopping_args Wilson::hop_args(const Hop& hop, int tile) const
{
    hopping_args args{};
    args.shape = tiling().shape(tile);
    for (int& cut : args.shape.cut) cut = cut && has_faces(); // else steps lead around, times 0
    args.parity = hop.parity;
    args.sums = hop.dots.sums ? hop.dots.which : 0;
    args.add_u = hop.add_u;
    args.reach = reach_;
    args.prefetch = prefetch_;
    args.negate_t = negates_t(tile);
    args.a = hop.a;
    args.b = hop.b;
    args.twist = hop.twist;
    return args;
}

void Wilson::hop(const Hop& hop) const
{
    if (has_faces()) {
        ++exchanges_;
        graph_->exchange().hop(*this, hop, *halo_[exchanges_ % 2], exchanges_);
        return;
    }
    graph_->sweep([&](int tile) {
        graph_->submit(hopping_codelet(arithmetic_, links()), hop_args(hop, tile),
                       hop_slots(hop, tile, nullptr));
    });
}

} // namespace qcd
