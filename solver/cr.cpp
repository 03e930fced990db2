#include "solver/krylov_method.hpp"

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
class ConjugateResidual : public KrylovMethod<cr_scalars>
{
public:
    explicit ConjugateResidual(const Operator& A)
        : KrylovMethod(A, Method::cr), p(A.vector()), Ap(A.vector()), Ar(A.vector()),
          products(A.sums())
    {
        if (!A.nearly_hermitian())
            throw Error("solver cr: needs A - A^dagger = c 1; gamma5 Dhat with mubar != 0 is "
                        "not (its odd part is "
                        "gamma5 H_eo T^-1 H_oe): use --even-odd off, or --solver cg or bicgstab");
    }

private:
    void start(const SpinorField&, const Start& s) override
    {
        p.clear();
        Ap.clear();
        cr_start(s, c, monitor.note()); // beta = 0 the first time
    }

    void go_on_from(const SpinorField& r, const Resume& s) override
    {
        cr_resume(s, c);
        if (!s.forgets) return;
        scale(spin::real(1), r, p, &c); // any numbers: beta = 0
        scale(spin::real(1), r, Ap, &c);
    }

    bool alternates() const override { return true; }
    LackingSteps prepare_correction(const SpinorField&, const SpinorField&) override
    {
        return {&c, &p, &p};
    }

    void iterate(const SpinorField& r, const SpinorField& x) override
    {
        const int first = k;
        A(r, Ar, dots, &c);
        for (; monitor.wants(k); ++k) {
            const Graph::Iteration mark(A.graph(), k);
            // beta = (r|Ar)^* / (r|Ar)_before,  alpha = (r|Ar)^* / |Ap|^2
            cr_alpha_beta(products, k > first ? &rr : nullptr, c, monitor.note(k > first));
            // p = r + beta p,  Ap = Ar + beta Ap,  x = x + alpha p,  r = r - alpha Ap
            cr_update(c, Ar, k % 2 ? &x : nullptr, r, p, Ap, rr);
            if (!monitor.is_last(k)) A(r, Ar, dots, &c);
        }
        if (!monitor.closed()) last_residual(k > first ? &rr : nullptr, c, monitor.note(k > first));
    }

    void complete(const SpinorField& r, const SpinorField& x) override
    {
        cr_last_steps(c);
        cr_update(c, Ar, &x, r, p, Ap, rr);
    }

    /// The last was for the iteration that did not come.
    long applications(int n, int most) const override { return std::min(n + 1, most); }

    long applications_of_update() const override { return 1; }

    Vectors vectors() override { return {{"p", &p}, {"Ap", &Ap}}; }
    const SpinorField& idle() const override { return Ar; }

    SpinorField p, Ap, Ar;
    LatticeSums products;
    /// A Hermitian A makes (r|Ar), alpha and beta real, and Im (Ap|Ar) is not looked at.
    const Dots dots{.which = A.hermitian() ? Dots::re_v_out | Dots::norm2 | Dots::re_u_out
                                           : Dots::v_out | Dots::norm2 | Dots::u_out,
                    .u = &Ap,
                    .sums = &products};
};

} // namespace

MethodNeeds cr_needs()
{
    return {.vectors = 3, .of_state = 4, .applications = 1, .updates = 1, .scalars = 1, .sums = 2};
}

std::unique_ptr<Solver> make_cr(const Operator& A)
{
    return std::make_unique<ConjugateResidual>(A);
}

} // namespace qcd
