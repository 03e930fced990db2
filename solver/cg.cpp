#include "solver/krylov_method.hpp"

namespace qcd
{

namespace
{

/// Conjugate gradients on A^dagger A x = A^dagger b (Hestenes & Stiefel 1952), in the form that
/// keeps r = b - A x, so that the residual tested is that of A x = b.
/// Nothing reads x on the way: it goes through memory in every second iteration, for two steps.
class ConjugateGradients : public KrylovMethod<cg_scalars>
{
public:
    explicit ConjugateGradients(const Operator& A)
        : KrylovMethod(A, Method::cg), even_p(A.vector()), odd_p(A.vector()), q(A.vector()),
          z(A.vector()), qq(A.sums()), zz(A.sums())
    {
    }

private:
    void start(const SpinorField& r, const Start& s) override
    {
        odd_p.clear();
        cg_start(s, c, monitor.note());
        A.adjoint(r, z, z_norm, &c);                  // z = A^dagger r
        cg_beta(zz, nullptr, c, monitor.note(false)); // beta = 0
        cg_update(c, z, nullptr, odd_p, even_p);      // p = z
    }

    void go_on_from(const SpinorField& r, const Resume& s) override
    {
        SpinorField &p = k % 2 ? even_p : odd_p, &next_p = k % 2 ? odd_p : even_p;
        cg_resume(s, c);
        if (s.forgets) scale(spin::real(1), r, p, &c); // any numbers: beta = 0
        A.adjoint(r, z, z_norm, &c);                   // z = A^dagger r
        cg_beta(zz, nullptr, c, monitor.note(false));  // beta = |z|^2 / |z_before|^2
        cg_update(c, z, nullptr, p, next_p);           // p = z + beta p
    }

    bool alternates() const override { return true; }
    LackingSteps prepare_correction(const SpinorField&, const SpinorField&) override
    {
        return {&c, &even_p, &odd_p};
    }

    void iterate(const SpinorField& r, const SpinorField& x) override
    {
        for (; monitor.wants(k); ++k) {
            const Graph::Iteration mark(A.graph(), k);
            const bool odd = k % 2;
            const SpinorField &p = odd ? odd_p : even_p, &next_p = odd ? even_p : odd_p;
            A(p, q, q_norm, &c);                            // q = A p
            cg_alpha(qq, c);                                // alpha = |z|^2 / |q|^2
            cg_residual(c, q, r, rr);                       // r = r - alpha q
            A.adjoint(r, z, z_norm, &c);                    // z = A^dagger r
            cg_beta(zz, &rr, c, monitor.note());            // beta = |z|^2 / |z_before|^2
            cg_update(c, z, odd ? &x : nullptr, p, next_p); // x = x + alpha p,  p = z + beta p
        }
    }

    void complete(const SpinorField&, const SpinorField& x) override
    {
        cg_last_steps(c);
        cg_update(c, z, &x, odd_p, even_p);
    }

    long applications(int n, int) const override { return 2L * n; }
    long applications_of_start() const override { return 1; }

    long applications_of_update() const override { return 1; }

    Vectors vectors() override { return {{"even p", &even_p}, {"odd p", &odd_p}}; }
    const SpinorField& idle() const override { return q; }

    SpinorField even_p, odd_p, q, z; // p of even and of odd iterations
    LatticeSums qq, zz;
    const Dots q_norm{.which = Dots::norm2, .sums = &qq}, z_norm{.which = Dots::norm2, .sums = &zz};
};

} // namespace

MethodNeeds cg_needs()
{
    return {.vectors = 4, .of_state = 4, .applications = 2, .updates = 2, .scalars = 2, .sums = 3};
}

std::unique_ptr<Solver> make_cg(const Operator& A)
{
    return std::make_unique<ConjugateGradients>(A);
}

} // namespace qcd
