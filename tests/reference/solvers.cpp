#include "tests/reference/solvers.hpp"

#include <cmath>

namespace qcd::reference
{

namespace
{

void axpy(Complex alpha, const Spinors& x, Spinors& y) { y = combine(alpha, x, 1, y); }

/// Notes |r|^2 / |b|^2 of the x so far and says whether to stop.
bool reached(Solution& s, double r2, double b2, double tol)
{
    s.history.push_back(std::sqrt(r2 / b2));
    s.converged = s.history.back() <= tol;
    return s.converged;
}

} // namespace

Solution cg_normal(const Operator& A, const Operator& A_dagger, const Spinors& b, double tol,
                   int max_iterations, Watch watch)
{
    Solution s;
    s.x.resize(b.size());
    Spinors r = b;           // of the original system
    Spinors g = A_dagger(r); // of the normal system
    Spinors p = g;
    double gg = norm2(g);
    const bool normal = watch == Watch::normal;
    const double b2 = normal ? gg : norm2(b);
    while (!reached(s, normal ? gg : norm2(r), b2, tol) && s.iterations < max_iterations) {
        const Spinors Ap = A(p);
        const double alpha = gg / norm2(Ap);
        axpy(alpha, p, s.x);
        axpy(-alpha, Ap, r);
        g = A_dagger(r);
        const double gg_new = norm2(g);
        p = combine(1, g, gg_new / gg, p);
        gg = gg_new;
        ++s.iterations;
    }
    return s;
}

Solution conjugate_residual(const Operator& A, const Spinors& b, double tol, int max_iterations,
                            Beta rule)
{
    Solution s;
    s.x.resize(b.size());
    Spinors r = b;
    Spinors p = r;
    Spinors Ap = A(r);
    Complex rar = inner(r, Ap);
    while (!reached(s, norm2(r), norm2(b), tol) && s.iterations < max_iterations) {
        const Complex alpha = std::conj(rar) / norm2(Ap);
        axpy(alpha, p, s.x);
        axpy(-alpha, Ap, r);
        const Spinors Ar = A(r);
        const Complex rar_new = inner(r, Ar);
        const Complex beta = (rule == Beta::derived ? std::conj(rar_new) : rar_new) / rar;
        p = combine(1, r, beta, p);
        Ap = combine(1, Ar, beta, Ap);
        rar = rar_new;
        ++s.iterations;
    }
    return s;
}

Solution gcr(const Operator& A, const Spinors& b, double tol, int max_iterations)
{
    Solution s;
    s.x.resize(b.size());
    Spinors r = b;
    std::vector<Spinors> p, Ap; // every |Ap| = 1
    while (!reached(s, norm2(r), norm2(b), tol) && s.iterations < max_iterations) {
        Spinors direction = r;
        Spinors image = A(r);
        for (std::size_t k = 0; k < p.size(); ++k) {
            const Complex overlap = inner(Ap[k], image);
            axpy(-overlap, p[k], direction);
            axpy(-overlap, Ap[k], image);
        }
        const double scale = 1 / std::sqrt(norm2(image));
        p.push_back(combine(scale, direction, 0, direction));
        Ap.push_back(combine(scale, image, 0, image));
        const Complex alpha = inner(Ap.back(), r);
        axpy(alpha, p.back(), s.x);
        axpy(-alpha, Ap.back(), r);
        ++s.iterations;
    }
    return s;
}

} // namespace qcd::reference
