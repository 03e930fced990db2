#pragma once
// The solvers' scalars on the lattice: one task each, from sums of all tiles. Contracts in
// codelets/ (NAME_scalars.hpp).

#include "codelets/bicgstab_scalars/args.h"
#include "codelets/cg_scalars/args.h"
#include "codelets/cr_scalars/args.h"
#include "codelets/gcr_scalars/args.h"
#include "tasks/scalars.hpp"

#include <optional>

namespace qcd
{

/// Where |r|^2 goes when it becomes known, and the gate: the next place of a history. Null: nobody
/// looks.
struct Note {
    const Scalars<solve_history>* history = nullptr;
    int place = 0;
};

/// How a solve begins: with sums of dot(r), and of dot(b) where r is not b.
struct Start {
    const LatticeSums& r;
    const LatticeSums* b = nullptr;
    /// On |r|/|b|; none: of each right-hand side that which the scalars have been given.
    std::optional<double> tol{};
    double rounding = 0; ///< scalar_step_args
    double drop = 0;     ///< the same
};

/// How it goes on with an r that was computed anew: sums of its dot().
struct Resume {
    const LatticeSums& r;
    double rounding, drop; ///< as Start
    bool forgets;          ///< its directions
};

/// In the order of an iteration. rr: sums of the update that r comes from; null: |r|^2 is known.
void cr_start(const Start&, const Scalars<cr_scalars>&, const Note&);
void cr_resume(const Resume&, const Scalars<cr_scalars>&);
void cr_alpha_beta(const LatticeSums& Ar, const LatticeSums* rr, const Scalars<cr_scalars>&,
                   const Note&);
void cr_last_steps(const Scalars<cr_scalars>&);

void cg_start(const Start&, const Scalars<cg_scalars>&, const Note&);
void cg_resume(const Resume&, const Scalars<cg_scalars>&);
void cg_alpha(const LatticeSums& q, const Scalars<cg_scalars>&);
void cg_beta(const LatticeSums& z, const LatticeSums* rr, const Scalars<cg_scalars>&, const Note&);
void cg_last_steps(const Scalars<cg_scalars>&);

void bicgstab_start(const Start&, const Scalars<bicgstab_scalars>&, const Note&);
/// shadow_r: of dot(shadow, r)
void bicgstab_resume(const Resume&, const LatticeSums& shadow_r, const Scalars<bicgstab_scalars>&);
void bicgstab_alpha(const LatticeSums& v, const LatticeSums* rr, const Scalars<bicgstab_scalars>&,
                    const Note&);
void bicgstab_omega_beta(const LatticeSums& t, const LatticeSums& s,
                         const Scalars<bicgstab_scalars>&);

void gcr_start(const Start&, const Scalars<gcr_scalars>&, const Note&);
void gcr_resume(const Resume&, const Scalars<gcr_scalars>&);
/// b null: of two directions.
void gcr_project(const LatticeSums& a, const LatticeSums* b, const Scalars<gcr_scalars>&);
void gcr_alpha(const LatticeSums& Az, const Scalars<gcr_scalars>&, const Note&);
void gcr_residual(const LatticeSums& rr, const Scalars<gcr_scalars>&, const Note&);
void gcr_steps(const Scalars<gcr_scalars>&);
void gcr_last_steps(const Scalars<gcr_scalars>&);

/// The gate of a method inside of another is closed where the outer one's is.
void follow_gate(const ScalarData& inner, const ScalarData& outer);

/// Notes the residual of the last iteration, of any method.
void last_residual(const LatticeSums* rr, const ScalarData&, const Note&);

} // namespace qcd
