#include "lattice/error.hpp"
#include "solver/scalar_chain.hpp"

#include <algorithm>

namespace qcd
{

namespace
{

/// Conjugate Residual for A with A - A^dagger = c 1 (Hermitian, or Hermitian plus i mubar),
/// after Stiefel 1955. One pass over the vectors and one reduction an iteration: A r brings (r|Ar),
/// |Ar|^2 and (Ap|Ar), and
///     |Ap_new|^2 = |Ar|^2 + 2 Re(conj(beta) (Ap|Ar)) + |beta|^2 |Ap|^2.
/// The 2013 report prints beta = rar_new/rar_old; (A p_new | A p_old) = 0 needs
/// conj(rar_new)/rar_old, which is the same only for real (r|Ar) (docs/conventions.md).
/// Nothing reads x on the way: it goes through memory in every second iteration, for two steps.
class ConjugateResidual : public Solver
{
public:
    explicit ConjugateResidual(const Operator& A)
        : A(A), p(A.vector()), Ap(A.vector()), Ar(A.vector()), products(A.sums()), rr(A.sums())
    {
        if (!A.nearly_hermitian())
            throw Error("solver cr: needs A - A^dagger = c 1; gamma5 Dhat with mubar != 0 is "
                        "not (its odd part is "
                        "gamma5 H_eo T^-1 H_oe): use --even-odd off, or --solver cg or bicgstab");
    }

    SolveReport solve(const SpinorField& r, SpinorField& x, const SolveControl& control) override
    {
        // For Hermitian A (r|Ar), so alpha and beta, are real and Im (Ap|Ar) is not looked at.
        const int real_sums = QCD_SUM_RE_V_OUT | QCD_SUM_OUT_OUT | QCD_SUM_RE_U_OUT;
        const int imaginary_sums = A.hermitian() ? 0 : QCD_SUM_IM_V_OUT | QCD_SUM_IM_U_OUT;
        const Dots dots{.which = real_sums | imaginary_sums, .u = &Ap, .sums = &products};
        // Exactly so many iterations are asked for as a measurement, of this method.
        const double rounding = control.tol > 0 ? rounding_unit(A.precision()) : 0;
        ScalarChain c(A.graph(), control);
        p.clear();
        Ap.clear();
        dot(r, nullptr, rr);
        c.start(rr, false, rounding);
        A(r, Ar, dots, &c.now());
        int k = 0;
        for (; k < control.max_iterations && c.begin_iteration(); ++k) {
            const Graph::Iteration mark(A.graph(), k);
            c.step(QCD_STAGE_CR, &products, k > 0 ? &rr : nullptr); // alpha, beta
            // p = r + beta p,  Ap = Ar + beta Ap,  x = x + alpha p,  r = r - alpha Ap
            cr_update(c.now(), Ar, k % 2 ? &x : nullptr, r, p, Ap, rr);
            if (k + 1 < control.max_iterations) A(r, Ar, dots, &c.now());
        }
        if (!c.closed()) c.step(QCD_STAGE_RESIDUAL, nullptr, k > 0 ? &rr : nullptr);
        SolveReport report = c.report();
        c.step(QCD_STAGE_LAST_STEPS, nullptr, nullptr);
        cr_update(c.now(), Ar, &x, r, p, Ap, rr);
        c.flush();
        report.operator_applications =
            std::min(report.iterations + 1, control.max_iterations); // the last was for k+1
        return report;
    }

private:
    const Operator& A;
    SpinorField p, Ap, Ar;
    LatticeSums products, rr;
};

} // namespace

std::unique_ptr<Solver> make_cr(const Operator& A)
{
    return std::make_unique<ConjugateResidual>(A);
}

} // namespace qcd
