#include "tasks/updates.hpp"

#include "codelets/add_correction/add_correction.hpp"
#include "codelets/bicgstab_residual/bicgstab_residual.hpp"
#include "codelets/bicgstab_update/bicgstab_update.hpp"
#include "codelets/cg_residual/cg_residual.hpp"
#include "codelets/cg_update/cg_update.hpp"
#include "codelets/chiral_scale/chiral_scale.hpp"
#include "codelets/cr_update/cr_update.hpp"
#include "codelets/dot/dot.hpp"
#include "codelets/gcr_products/gcr_products.hpp"
#include "codelets/gcr_solution/gcr_solution.hpp"
#include "codelets/gcr_update/gcr_update.hpp"
#include "codelets/narrow/narrow.hpp"
#include "codelets/widen/widen.hpp"
#include "codelets/xpay/xpay.hpp"
#include "tasks/reach.hpp"

namespace qcd
{

namespace
{

/// Submits one operation on slots(parity, tile) for every owned tile of a field.
template <class Args, class Slots, class... More>
void for_each_tile(const SpinorField& field, const Codelet& codelet, Slots slots, More... more)
{
    LatticeGraph& graph = field.graph();
    graph.sweep([&](int tile) {
        for (const int parity : parities(field.sites()))
            graph.submit(codelet, Args{field.blocks(tile), more...}, slots(parity, tile));
    });
}

} // namespace

void cr_update(const Scalars<cr_scalars>& c, const SpinorField& Ar, const SpinorField* x,
               const SpinorField& r, const SpinorField& p, const SpinorField& Ap,
               const LatticeSums& sums)
{
    for_each_tile<cr_update_args>(
        r, cr_update_codelet(r.precision()), [&](int i, int t) -> std::vector<Operand> {
            return {
                x ? x->at(i, t) : Data{}, r.at(i, t), p.at(i, t), Ap.at(i, t), Ar.at(i, t), c.at(t),
                sums.part(i, t)};
        });
}

void cg_residual(const Scalars<cg_scalars>& c, const SpinorField& q, const SpinorField& r,
                 const LatticeSums& sums)
{
    for_each_tile<cg_residual_args>(r, cg_residual_codelet(r.precision()),
                                    [&](int i, int t) -> std::vector<Operand> {
                                        return {r.at(i, t), q.at(i, t), c.at(t), sums.part(i, t)};
                                    });
}

void cg_update(const Scalars<cg_scalars>& c, const SpinorField& z, const SpinorField* x,
               const SpinorField& p, const SpinorField& next)
{
    const std::size_t parities = p.sites() == Sites::all ? 2 : 1;
    for_each_tile<cg_update_args>(
        p, cg_update_codelet(p.precision()),
        [&](int i, int t) -> std::vector<Operand> {
            return {x ? x->at(i, t) : Data{}, next.at(i, t), p.at(i, t), z.at(i, t), c.at(t)};
        },
        reach_of(p.graph(), parities * 3 * spinor_bytes(p.precision())));
}

void xpay(std::complex<double> beta, const SpinorField& x, const SpinorField& y)
{
    for_each_tile<xpay_args>(
        y, xpay_codelet(y.precision()),
        [&](int i, int t) -> std::vector<Operand> {
            return {x.at(i, t), y.at(i, t)};
        },
        scalar{beta.real(), beta.imag()});
}

void bicgstab_residual(const Scalars<bicgstab_scalars>& c, const SpinorField& v,
                       const SpinorField& shadow, const SpinorField& r, const LatticeSums& sums)
{
    for_each_tile<bicgstab_residual_args>(
        r, bicgstab_residual_codelet(r.precision()), [&](int i, int t) -> std::vector<Operand> {
            return {r.at(i, t), v.at(i, t), shadow.at(i, t), c.at(t), sums.part(i, t)};
        });
}

void bicgstab_update(const Scalars<bicgstab_scalars>& c, const SpinorField& v, const SpinorField& t,
                     const SpinorField& x, const SpinorField& r, const SpinorField& p,
                     const LatticeSums& sums)
{
    for_each_tile<bicgstab_update_args>(
        r, bicgstab_update_codelet(r.precision()), [&](int i, int k) -> std::vector<Operand> {
            return {x.at(i, k), r.at(i, k), p.at(i, k),     v.at(i, k),
                    t.at(i, k), c.at(k),    sums.part(i, k)};
        });
}

void gcr_products(const Scalars<gcr_scalars>& c, const SpinorField& Az, const SpinorField& q0,
                  const SpinorField* q1, const LatticeSums& sums)
{
    for_each_tile<gcr_products_args>(
        Az, gcr_products_codelet(Az.precision()), [&](int i, int t) -> std::vector<Operand> {
            return {Az.at(i, t), q0.at(i, t), q1 ? q1->at(i, t) : Data{}, c.at(t), sums.part(i, t)};
        });
}

void gcr_update(const Scalars<gcr_scalars>& c, const SpinorField& q, Directions earlier,
                const SpinorField& r, const SpinorField* z, const LatticeSums& sums)
{
    for_each_tile<gcr_update_args>(
        q, gcr_update_codelet(q.precision()), [&](int i, int t) -> std::vector<Operand> {
            std::vector<Operand> slots{q.at(i, t), r.at(i, t), z ? z->at(i, t) : Data{}, c.at(t),
                                       sums.part(i, t)};
            for (const SpinorField* direction : earlier) slots.push_back(direction->at(i, t));
            return slots;
        });
}

void gcr_solution(const Scalars<gcr_scalars>& c, Directions z, const SpinorField& x)
{
    for_each_tile<gcr_solution_args>(x, gcr_solution_codelet(x.precision()),
                                     [&](int i, int t) -> std::vector<Operand> {
                                         std::vector<Operand> slots{x.at(i, t), c.at(t)};
                                         for (const SpinorField* direction : z)
                                             slots.push_back(direction->at(i, t));
                                         return slots;
                                     });
}

void scale(const chiral& c, const SpinorField& in, const SpinorField& out, Sites sites,
           const ScalarData* gate)
{
    LatticeGraph& graph = out.graph();
    graph.sweep([&](int tile) {
        for (const int parity : parities(sites))
            graph.submit(chiral_scale_codelet(out.precision()),
                         chiral_scale_args{out.blocks(tile), c},
                         {kept_behind(gate, out.at(parity, tile)), in.at(parity, tile),
                          gate_for(gate, tile)});
    });
}

void narrow(const SpinorField& in, const SpinorField& out)
{
    for_each_tile<narrow_args>(in, narrow_codelet(out.precision()),
                               [&](int i, int t) -> std::vector<Operand> {
                                   return {out.at(i, t), in.at(i, t)};
                               });
}

void widen(const SpinorField& in, const SpinorField& out, const ScalarData* gate)
{
    for_each_tile<widen_args>(
        out, widen_codelet(in.precision()), [&](int i, int t) -> std::vector<Operand> {
            return {kept_behind(gate, out.at(i, t)), in.at(i, t), gate_for(gate, t)};
        });
}

void add_correction(const SpinorField& x, const LackingSteps& steps, const SpinorField& y)
{
    const Precision lower = steps.scalars ? steps.p->precision() : x.precision();
    for_each_tile<add_correction_args>(y, add_correction_codelet(lower),
                                       [&](int i, int t) -> std::vector<Operand> {
                                           if (!steps.scalars) return {y.at(i, t), x.at(i, t)};
                                           return {y.at(i, t), x.at(i, t), steps.before->at(i, t),
                                                   steps.p->at(i, t), steps.scalars->at(t)};
                                       });
}

void dot(const SpinorField& x, const SpinorField* y, const LatticeSums& sums)
{
    for_each_tile<dot_args>(x, dot_codelet(x.precision()),
                            [&](int i, int t) -> std::vector<Operand> {
                                return {x.at(i, t), y ? y->at(i, t) : Data{}, sums.part(i, t)};
                            });
}

} // namespace qcd
