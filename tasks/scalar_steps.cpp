#include "tasks/scalar_steps.hpp"

#include "codelets/bicgstab_scalars/bicgstab_scalars.hpp"
#include "codelets/cg_scalars/cg_scalars.hpp"
#include "codelets/cr_scalars/cr_scalars.hpp"
#include "codelets/follow_gate/follow_gate.hpp"
#include "codelets/gcr_scalars/gcr_scalars.hpp"
#include "codelets/last_residual/last_residual.hpp"
#include "tasks/exchange.hpp"

namespace qcd
{

namespace
{

void start(const ScalarCodelets& codelets, const Start& s, const ScalarData& c, const Note& note)
{
    c.graph().exchange().scalars({.codelets = codelets,
                                  .args = {.place = note.place,
                                           .begins = s.tol ? 1 : 0,
                                           .tol = s.tol.value_or(0),
                                           .rounding = s.rounding,
                                           .drop = s.drop,
                                           .forgets = 0},
                                  .scalars = c,
                                  .history = note.history,
                                  .a = &s.r,
                                  .b = s.b});
}

void resume(const ScalarCodelets& codelets, const Resume& r, const LatticeSums* a,
            const ScalarData& c)
{
    c.graph().exchange().scalars({.codelets = codelets,
                                  .args = {.place = 0,
                                           .begins = 0,
                                           .tol = 0,
                                           .rounding = r.rounding,
                                           .drop = r.drop,
                                           .forgets = r.forgets},
                                  .scalars = c,
                                  .a = a,
                                  .b = &r.r});
}

scalar_step_args at(const Note& note)
{
    scalar_step_args args{};
    args.place = note.place;
    return args;
}

void step(const ScalarCodelets& codelets, const LatticeSums* a, const LatticeSums* b,
          const ScalarData& c, const Note& note = {})
{
    c.graph().exchange().scalars({.codelets = codelets,
                                  .args = at(note),
                                  .scalars = c,
                                  .history = note.history,
                                  .a = a,
                                  .b = b});
}

} // namespace

void cr_start(const Start& s, const Scalars<cr_scalars>& c, const Note& note)
{
    start(cr_start_codelets(), s, c, note);
}

void cr_resume(const Resume& r, const Scalars<cr_scalars>& c)
{
    resume(cr_resume_codelets(), r, nullptr, c);
}

void cr_alpha_beta(const LatticeSums& Ar, const LatticeSums* rr, const Scalars<cr_scalars>& c,
                   const Note& note)
{
    step(cr_alpha_beta_codelets(), &Ar, rr, c, note);
}

void cr_last_steps(const Scalars<cr_scalars>& c)
{
    step(cr_last_steps_codelets(), nullptr, nullptr, c);
}

void cg_start(const Start& s, const Scalars<cg_scalars>& c, const Note& note)
{
    start(cg_start_codelets(), s, c, note);
}

void cg_resume(const Resume& r, const Scalars<cg_scalars>& c)
{
    resume(cg_resume_codelets(), r, nullptr, c);
}

void cg_alpha(const LatticeSums& q, const Scalars<cg_scalars>& c)
{
    step(cg_alpha_codelets(), &q, nullptr, c);
}

void cg_beta(const LatticeSums& z, const LatticeSums* rr, const Scalars<cg_scalars>& c,
             const Note& note)
{
    step(cg_beta_codelets(), &z, rr, c, note);
}

void cg_last_steps(const Scalars<cg_scalars>& c)
{
    step(cg_last_steps_codelets(), nullptr, nullptr, c);
}

void bicgstab_start(const Start& s, const Scalars<bicgstab_scalars>& c, const Note& note)
{
    start(bicgstab_start_codelets(), s, c, note);
}

void bicgstab_resume(const Resume& r, const LatticeSums& shadow_r,
                     const Scalars<bicgstab_scalars>& c)
{
    resume(bicgstab_resume_codelets(), r, &shadow_r, c);
}

void bicgstab_alpha(const LatticeSums& v, const LatticeSums* rr, const Scalars<bicgstab_scalars>& c,
                    const Note& note)
{
    step(bicgstab_alpha_codelets(), &v, rr, c, note);
}

void bicgstab_omega_beta(const LatticeSums& t, const LatticeSums& s,
                         const Scalars<bicgstab_scalars>& c)
{
    step(bicgstab_omega_beta_codelets(), &t, &s, c);
}

void gcr_start(const Start& s, const Scalars<gcr_scalars>& c, const Note& note)
{
    start(gcr_start_codelets(), s, c, note);
}

void gcr_resume(const Resume& r, const Scalars<gcr_scalars>& c)
{
    resume(gcr_resume_codelets(), r, nullptr, c);
}

void gcr_project(const LatticeSums& a, const LatticeSums* b, const Scalars<gcr_scalars>& c)
{
    step(gcr_project_codelets(), &a, b, c);
}

void gcr_alpha(const LatticeSums& Az, const Scalars<gcr_scalars>& c, const Note& note)
{
    step(gcr_alpha_codelets(), &Az, nullptr, c, note);
}

void gcr_residual(const LatticeSums& rr, const Scalars<gcr_scalars>& c, const Note& note)
{
    step(gcr_residual_codelets(), nullptr, &rr, c, note);
}

void gcr_steps(const Scalars<gcr_scalars>& c) { step(gcr_steps_codelets(), nullptr, nullptr, c); }

void gcr_last_steps(const Scalars<gcr_scalars>& c)
{
    step(gcr_last_steps_codelets(), nullptr, nullptr, c);
}

void follow_gate(const ScalarData& inner, const ScalarData& outer)
{
    for (int i = 0; i < inner.copies(); ++i)
        inner.graph().submit(follow_gate_codelet(), follow_gate_args{},
                             {inner.copy(i), outer.copy(i)});
}

void last_residual(const LatticeSums* rr, const ScalarData& c, const Note& note)
{
    step(last_residual_codelets(), nullptr, rr, c, note);
}

} // namespace qcd
