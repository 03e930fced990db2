#pragma once
// The solvers' vector operations on the lattice: one task per tile and parity. Contracts in
// codelets/. Where vectors are in 16 bits, x is in single.

#include "codelets/bicgstab_scalars/args.h"
#include "codelets/cg_scalars/args.h"
#include "codelets/cr_scalars/args.h"
#include "codelets/device/args.h"
#include "codelets/gcr_scalars/args.h"
#include "tasks/field.hpp"
#include "tasks/scalars.hpp"

#include <complex>
#include <span>

namespace qcd
{

/// x <- x + alpha' p, p <- r + beta p, Ap <- Ar + beta Ap, x <- x + alpha p, r <- r - alpha Ap,
/// with alpha' of the iteration before; sums: 2 = |r|^2. x null: left alone, for the next call to
/// do both.
void cr_update(const Scalars<cr_scalars>&, const SpinorField& Ar, const SpinorField* x,
               const SpinorField& r, const SpinorField& p, const SpinorField& Ap,
               const LatticeSums&);

/// r <- r - alpha q; sums: 2 = |r|^2.
void cg_residual(const Scalars<cg_scalars>&, const SpinorField& q, const SpinorField& r,
                 const LatticeSums&);

/// x <- x + alpha' p' + alpha p, next <- z + beta p, with alpha' and p' of the iteration before, p'
/// in `next`. x null: left alone, for the next call to do both.
void cg_update(const Scalars<cg_scalars>&, const SpinorField& z, const SpinorField* x,
               const SpinorField& p, const SpinorField& next);

/// y <- x + beta y.
void xpay(std::complex<double> beta, const SpinorField& x, const SpinorField& y);

/// r <- r - alpha v, now called s; sums: 0 1 = (shadow|s), 2 = |s|^2.
void bicgstab_residual(const Scalars<bicgstab_scalars>&, const SpinorField& v,
                       const SpinorField& shadow, const SpinorField& r, const LatticeSums&);

/// x <- x + alpha p + omega s, r <- s - omega t, p <- r + beta (p - omega v); sums: 2 = |r|^2.
void bicgstab_update(const Scalars<bicgstab_scalars>&, const SpinorField& v, const SpinorField& t,
                     const SpinorField& x, const SpinorField& r, const SpinorField& p,
                     const LatticeSums&);

/// Fields of a method, of a direction each.
using Directions = std::span<const SpinorField* const>;

/// Sums of (q0|Az) and (q1|Az) (accumulators 0 1 and 3 4); q1 may be null.
void gcr_products(const Scalars<gcr_scalars>&, const SpinorField& Az, const SpinorField& q0,
                  const SpinorField* q1, const LatticeSums&);

/// q <- q - sum_l beta_l q_l, r <- r - alpha q, z <- r; sums: 2 = |r|^2, 3 = |q|^2. z may be null.
void gcr_update(const Scalars<gcr_scalars>&, const SpinorField& q, Directions earlier,
                const SpinorField& r, const SpinorField* z, const LatticeSums&);

/// x <- x + sum_k xi_k z_k, over those that are used.
void gcr_solution(const Scalars<gcr_scalars>&, Directions z, const SpinorField& x);

/// out = c o in on `sites`, which both fields must have. gate null: always.
void scale(const chiral& c, const SpinorField& in, const SpinorField& out, Sites sites,
           const ScalarData* gate = nullptr);
/// Scales what is on the sites of out.
inline void scale(const chiral& c, const SpinorField& in, const SpinorField& out,
                  const ScalarData* gate = nullptr)
{
    scale(c, in, out, out.sites(), gate);
}

/// out = in on the sites of in, rounded from double to what out is in.
void narrow(const SpinorField& in, const SpinorField& out);

/// out = in on the sites of out, in double. gate null: always.
void widen(const SpinorField& in, const SpinorField& out, const ScalarData* gate);

/// Steps of a method's that x lacks (x_steps): alpha before, or alpha' before and alpha p.
struct LackingSteps {
    const ScalarData* scalars = nullptr; ///< null: none
    const SpinorField *before = nullptr, *p = nullptr;
};
/// y = y + x, y in double, x in single, with the steps that x lacks, which may be in 16 bits; also
/// behind a closed gate.
void add_correction(const SpinorField& x, const LackingSteps&, const SpinorField& y);

/// Sums of (x|y), |y|^2, |x|^2 (accumulators 0 1, 2, 3); y may be null.
void dot(const SpinorField& x, const SpinorField* y, const LatticeSums&);

} // namespace qcd
