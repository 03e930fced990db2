#include "baseline/solvers.hpp"

#include <cmath>

namespace qcd::baseline
{

namespace
{

/// Decides after every update of x whether to go on, and keeps the history.
class Progress
{
public:
    Progress(const Stop& stop, double b2) : stop_(stop), b2_(stop.norm2 > 0 ? stop.norm2 : b2) {}

    /// r2 = |r|^2 of the present x. A residual that is no number ends the run, not converged.
    bool done(double r2)
    {
        const double residual = b2_ == 0 ? 0.0 : std::sqrt(r2 / b2_);
        report_.residual_history.push_back(residual);
        report_.iterations = int(report_.residual_history.size()) - 1;
        if (stop_.progress) stop_.progress(report_.iterations, residual);
        report_.converged = residual <= stop_.tol;
        report_.interrupted = !report_.converged && stop_.interrupt && *stop_.interrupt;
        report_.breakdown = !std::isfinite(residual);
        if (r2 == 0) report_.converged = true; // whatever is asked for: a method would divide by it
        if (report_.breakdown || r2 == 0 || report_.interrupted) return true;
        if (stop_.exact_iterations >= 0) return report_.iterations >= stop_.exact_iterations;
        return report_.converged || report_.iterations >= stop_.max_iterations;
    }
    /// Is this divisor not positive, or no number? Then the run ends, before x is touched.
    bool broken_by(double divisor)
    {
        report_.breakdown = !(divisor > 0 && std::isfinite(divisor));
        return report_.breakdown;
    }
    Report report() const { return report_; }

private:
    Stop stop_;
    double b2_;
    Report report_;
};

template <class Real>
Field<Real> like(const Field<Real>& x)
{
    return Field<Real>(x.grid(), x.sites());
}

} // namespace

template <class Real>
Report conjugate_residual(const Operator<Real>& A, const Field<Real>& b, Field<Real>& x,
                          const Stop& stop)
{
    Field<Real> r = like(b), p = like(b), Ar = like(b), Ap = like(b);
    xscal(0, x);
    xcopy(b, r);
    xcopy(r, p);
    A(r, Ar);
    xcopy(Ar, Ap);
    Scalar rar = xdotc(r, Ar);
    double rr = norm2(r);
    Progress progress(stop, rr);
    while (!progress.done(rr)) {
        const double ApAp = norm2(Ap);
        if (progress.broken_by(ApAp) || progress.broken_by(std::abs(rar))) break;
        const Scalar alpha = std::conj(rar) / ApAp; // (Ap|r) / (Ap|Ap)
        xaxpy(alpha, p, x);                         // x = x + alpha p
        xaxpy(-alpha, Ap, r);                       // r = r - alpha A p
        rr = norm2(r);
        A(r, Ar);
        const Scalar rar_new = xdotc(r, Ar);
        const Scalar beta =
            std::conj(rar_new) / rar; // conj: needed as soon as A has a shift i mubar
        xscal(beta, p);
        xaxpy(1, r, p); // p = r + beta p
        xscal(beta, Ap);
        xaxpy(1, Ar, Ap); // A p = A r + beta A p
        rar = rar_new;
    }
    return progress.report();
}

template <class Real>
Report conjugate_gradient(const Operator<Real>& A, const Operator<Real>& A_dagger,
                          const Field<Real>& b, Field<Real>& x, const Stop& stop)
{
    Field<Real> r = like(b), g = like(b), p = like(b), Ap = like(b);
    xscal(0, x);
    xcopy(b, r);
    A_dagger(r, g);
    xcopy(g, p);
    double gg = norm2(g);
    double rr = norm2(r);
    Progress progress(stop, rr);
    while (!progress.done(rr)) {
        A(p, Ap);
        const double ApAp = norm2(Ap);
        if (progress.broken_by(ApAp) || progress.broken_by(gg)) break;
        const double alpha = gg / ApAp;
        xaxpy(alpha, p, x);   // x = x + alpha p
        xaxpy(-alpha, Ap, r); // r = r - alpha A p
        rr = norm2(r);
        A_dagger(r, g); // g = A^dagger r
        const double gg_new = norm2(g);
        xscal(gg_new / gg, p);
        xaxpy(1, g, p); // p = g + beta p
        gg = gg_new;
    }
    return progress.report();
}

template <class Real>
Report bicgstab(const Operator<Real>& A, const Field<Real>& b, Field<Real>& x, const Stop& stop)
{
    Field<Real> r = like(b), p = like(b), v = like(b), t = like(b);
    xscal(0, x);
    xcopy(b, r);
    xcopy(r, p);
    double rr = norm2(r);
    Scalar rho = rr;
    Progress progress(stop, rr);
    while (!progress.done(rr)) {
        A(p, v);
        const Scalar bv = xdotc(b, v);
        if (progress.broken_by(std::abs(bv)) || progress.broken_by(std::abs(rho))) break;
        const Scalar alpha = rho / bv;
        xaxpy(alpha, p, x);
        xaxpy(-alpha, v, r); // s = r - alpha v
        A(r, t);
        const double tt = norm2(t); // 0 only where s is
        const Scalar omega = tt > 0 ? xdotc(t, r) / tt : 0;
        xaxpy(omega, r, x);  // x = x + alpha p + omega s
        xaxpy(-omega, t, r); // r = s - omega t
        rr = norm2(r);
        const Scalar rho_new = xdotc(b, r);
        const Scalar beta = rho_new / rho * (alpha / omega);
        xaxpy(-omega, v, p);
        xscal(beta, p);
        xaxpy(1, r, p); // p = r + beta (p - omega v)
        rho = rho_new;
    }
    return progress.report();
}

#define QCD_INSTANTIATE(Real)                                                                      \
    template Report conjugate_residual(const Operator<Real>&, const Field<Real>&, Field<Real>&,    \
                                       const Stop&);                                               \
    template Report conjugate_gradient(const Operator<Real>&, const Operator<Real>&,               \
                                       const Field<Real>&, Field<Real>&, const Stop&);             \
    template Report bicgstab(const Operator<Real>&, const Field<Real>&, Field<Real>&, const Stop&);
QCD_INSTANTIATE(float)
QCD_INSTANTIATE(double)
#undef QCD_INSTANTIATE

} // namespace qcd::baseline
