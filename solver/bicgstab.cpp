#include "solver/krylov_method.hpp"

namespace qcd
{

namespace
{

/// BiCGstab (van der Vorst 1992), whose shadow residual is the first r. (shadow|r_new) = (shadow|s)
/// - omega (shadow|t), so that omega and beta come from one reduction. s stands in the place of r.
class BiCGstab : public KrylovMethod<bicgstab_scalars>
{
public:
    explicit BiCGstab(const Operator& A)
        : KrylovMethod(A, Method::bicgstab), p(A.vector()), v(A.vector()), t(A.vector()),
          shadow(A.vector()), v_sums(A.sums()), s_sums(A.sums()), t_sums(A.sums())
    {
    }

private:
    void start(const SpinorField& r, const Start& s) override
    {
        scale(spin::real(1), r, p);
        scale(spin::real(1), r, shadow);
        bicgstab_start(s, c, monitor.note()); // rho = (shadow|r)
    }

    void go_on_from(const SpinorField& r, const Resume& s) override
    {
        dot(s.forgets ? r : shadow, &r, s_sums);
        bicgstab_resume(s, s_sums, c);
        if (!s.forgets) return;
        scale(spin::real(1), r, p, &c);
        scale(spin::real(1), r, shadow, &c);
    }

    void iterate(const SpinorField& r, const SpinorField& x) override
    {
        const SpinorField& s = r;
        const int first = k;
        for (; monitor.wants(k); ++k) {
            const Graph::Iteration mark(A.graph(), k);
            A(p, v, v_dots, &c); // v = A p
            // alpha = rho / (shadow|v)
            bicgstab_alpha(v_sums, k > first ? &rr : nullptr, c, monitor.note(k > first));
            bicgstab_residual(c, v, shadow, r, s_sums); // s = r - alpha v
            A(s, t, t_dots, &c);                        // t = A s
            // omega = (t|s) / (t|t),  beta = (rho / rho_before) (alpha / omega)
            bicgstab_omega_beta(t_sums, s_sums, c);
            // x = x + alpha p + omega s,  r = s - omega t,  p = r + beta (p - omega v)
            bicgstab_update(c, v, t, x, r, p, rr);
        }
        if (!monitor.closed()) last_residual(k > first ? &rr : nullptr, c, monitor.note(k > first));
    }

    void complete(const SpinorField&, const SpinorField&) override {}

    long applications(int n, int) const override { return 2L * n; }

    Vectors vectors() override { return {{"p", &p}, {"shadow", &shadow}}; }
    const SpinorField& idle() const override { return v; }

    SpinorField p, v, t, shadow;
    LatticeSums v_sums, s_sums, t_sums;
    const Dots v_dots{.which = Dots::u_out, .u = &shadow, .sums = &v_sums};
    const Dots t_dots{
        .which = Dots::v_out | Dots::norm2 | Dots::u_out, .u = &shadow, .sums = &t_sums};
};

} // namespace

MethodNeeds bicgstab_needs()
{
    return {.vectors = 4, .of_state = 4, .applications = 2, .updates = 2, .scalars = 2, .sums = 4};
}

std::unique_ptr<Solver> make_bicgstab(const Operator& A) { return std::make_unique<BiCGstab>(A); }

} // namespace qcd
