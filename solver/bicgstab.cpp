#include "solver/scalar_chain.hpp"

namespace qcd
{

namespace
{

/// BiCGstab (van der Vorst 1992), shadow residual b. (shadow|r_new) = (shadow|s) - omega
/// (shadow|t), so that omega and beta come from one reduction.
class BiCGstab : public Solver
{
public:
    explicit BiCGstab(const Operator& A)
        : A(A), p(A.vector()), v(A.vector()), t(A.vector()), shadow(A.vector()), v_sums(A.sums()),
          s_sums(A.sums()), t_sums(A.sums()), rr(A.sums())
    {
    }

    SolveReport solve(const SpinorField& r, SpinorField& x, const SolveControl& control) override
    {
        const Dots v_dots{.which = QCD_SUM_U_OUT, .u = &shadow, .sums = &v_sums};
        const Dots t_dots{.which = QCD_SUM_V_OUT | QCD_SUM_OUT_OUT | QCD_SUM_U_OUT,
                          .u = &shadow,
                          .sums = &t_sums};
        ScalarChain c(A.graph(), control);
        scale(spin::real(1), r, p);
        scale(spin::real(1), r, shadow);
        dot(r, nullptr, rr);
        c.start(rr, true);
        int k = 0;
        for (; k < control.max_iterations && c.begin_iteration(); ++k) {
            const Graph::Iteration mark(A.graph(), k);
            A(p, v, v_dots, &c.now());                                        // v = A p
            c.step(QCD_STAGE_BICGSTAB_ALPHA, &v_sums, k > 0 ? &rr : nullptr); // alpha
            bicgstab_residual(c.now(), v, shadow, r, s_sums);                 // s = r - alpha v
            A(r, t, t_dots, &c.now());                                        // t = A s
            c.step(QCD_STAGE_BICGSTAB_OMEGA, &t_sums, &s_sums);               // omega, beta
            // x = x + alpha p + omega s
            // r = s - omega t
            // p = r + beta (p - omega v)
            bicgstab_update(c.now(), v, t, x, r, p, rr);
        }
        if (!c.closed()) c.step(QCD_STAGE_RESIDUAL, nullptr, k > 0 ? &rr : nullptr);
        SolveReport report = c.report();
        report.operator_applications = 2L * report.iterations;
        return report;
    }

private:
    const Operator& A;
    SpinorField p, v, t, shadow;
    LatticeSums v_sums, s_sums, t_sums, rr;
};

} // namespace

std::unique_ptr<Solver> make_bicgstab(const Operator& A) { return std::make_unique<BiCGstab>(A); }

} // namespace qcd
