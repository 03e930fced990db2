#include "solver/scalar_chain.hpp"

namespace qcd
{

namespace
{

/// Conjugate gradients on A^dagger A x = A^dagger b (Hestenes & Stiefel 1952), in the form that
/// keeps r = b - A x, so that the residual tested is that of A x = b.
class ConjugateGradients : public Solver
{
public:
    explicit ConjugateGradients(const Operator& A)
        : A(A), p(A.vector()), q(A.vector()), z(A.vector()), qq(A.sums()), zz(A.sums()),
          rr(A.sums())
    {
    }

    SolveReport solve(const SpinorField& r, SpinorField& x, const SolveControl& control) override
    {
        const Dots q_norm{.which = QCD_SUM_OUT_OUT, .sums = &qq},
            z_norm{.which = QCD_SUM_OUT_OUT, .sums = &zz};
        ScalarChain c(control);
        x.clear();
        p.clear();
        dot(r, nullptr, rr);
        c.start(rr, false);
        A.adjoint(r, z, z_norm, &c.now()); // z = A^dagger r
        c.step(QCD_STAGE_CG_BETA, &zz, nullptr);
        xpay(c.now(), z, p); // p = z
        for (int k = 0; k < control.max_iterations && c.begin_iteration(); ++k) {
            const IterationMark mark(k);
            A(p, q, q_norm, &c.now());                // q = A p
            c.step(QCD_STAGE_CG_ALPHA, &qq, nullptr); // alpha = |z|^2 / |q|^2
            cg_update(c.now(), p, q, x, r, rr);       // x = x + alpha p,  r = r - alpha q
            A.adjoint(r, z, z_norm, &c.now());        // z = A^dagger r
            c.step(QCD_STAGE_CG_BETA, &zz, &rr);      // beta = |z_new|^2 / |z|^2
            xpay(c.now(), z, p);                      // p = z + beta p
        }
        SolveReport report = c.report();
        report.operator_applications = 2L * report.iterations + 1;
        return report;
    }

private:
    const Operator& A;
    SpinorField p, q, z;
    LatticeSums qq, zz, rr;
};

} // namespace

std::unique_ptr<Solver> make_cg(const Operator& A)
{
    return std::make_unique<ConjugateGradients>(A);
}

} // namespace qcd
