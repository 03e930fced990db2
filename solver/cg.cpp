#include "solver/scalar_chain.hpp"

namespace qcd
{

namespace
{

/// Conjugate gradients on A^dagger A x = A^dagger b (Hestenes & Stiefel 1952), in the form that
/// keeps r = b - A x, so that the residual tested is that of A x = b.
/// Nothing reads x on the way: it goes through memory in every second iteration, for two steps.
class ConjugateGradients : public Solver
{
public:
    explicit ConjugateGradients(const Operator& A)
        : A(A), even_p(A.vector()), odd_p(A.vector()), q(A.vector()), z(A.vector()), qq(A.sums()),
          zz(A.sums()), rr(A.sums())
    {
    }

    SolveReport solve(const SpinorField& r, SpinorField& x, const SolveControl& control) override
    {
        const Dots q_norm{.which = QCD_SUM_OUT_OUT, .sums = &qq},
            z_norm{.which = QCD_SUM_OUT_OUT, .sums = &zz};
        ScalarChain c(A.graph(), control);
        odd_p.clear();
        dot(r, nullptr, rr);
        c.start(rr, false);
        A.adjoint(r, z, z_norm, &c.now()); // z = A^dagger r
        c.step(QCD_STAGE_CG_BETA, &zz, nullptr);
        cg_update(c.now(), z, nullptr, odd_p, even_p); // p = z
        for (int k = 0; k < control.max_iterations && c.begin_iteration(); ++k) {
            const Graph::Iteration mark(A.graph(), k);
            const bool odd = k % 2;
            const SpinorField &p = odd ? odd_p : even_p, &next_p = odd ? even_p : odd_p;
            A(p, q, q_norm, &c.now());                // q = A p
            c.step(QCD_STAGE_CG_ALPHA, &qq, nullptr); // alpha = |z|^2 / |q|^2
            cg_residual(c.now(), q, r, rr);           // r = r - alpha q
            A.adjoint(r, z, z_norm, &c.now());        // z = A^dagger r
            c.step(QCD_STAGE_CG_BETA, &zz, &rr);      // beta = |z_new|^2 / |z|^2
            // x = x + alpha p,  p = z + beta p
            cg_update(c.now(), z, odd ? &x : nullptr, p, next_p);
        }
        SolveReport report = c.report();
        c.step(QCD_STAGE_LAST_STEPS, nullptr, nullptr);
        cg_update(c.now(), z, &x, odd_p, even_p);
        c.flush();
        report.operator_applications = 2L * report.iterations + 1;
        return report;
    }

private:
    const Operator& A;
    SpinorField even_p, odd_p, q, z; // p of even and of odd iterations
    LatticeSums qq, zz, rr;
};

} // namespace

std::unique_ptr<Solver> make_cg(const Operator& A)
{
    return std::make_unique<ConjugateGradients>(A);
}

} // namespace qcd
