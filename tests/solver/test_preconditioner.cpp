// Methods nest: a few iterations of one as the preconditioner of another.

#include "solver/preconditioner.hpp"
#include "tests/solver/tiled_solve.hpp"

#include <deque>

using namespace qcd;
using namespace qcd::test;

namespace
{

using Complex = std::complex<double>;

/// Generalised Conjugate Residual (Eisenstat, Elman & Schultz 1983), which keeps all directions and
/// so may be preconditioned by anything. Its scalars are the host's, which waits for them.
class FlexibleGcr
{
public:
    FlexibleGcr(const Operator& A, Preconditioner* M)
        : A(A), M(M), sums(A.sums()), scaled(A.vector())
    {
    }
    /// r: b in, b - A x out. Returns the iterations.
    int solve(const SpinorField& r, SpinorField& x, double tol, int most)
    {
        x.clear();
        const double bb = product(r, r).real();
        for (int k = 0; k < most; ++k) {
            if (product(r, r).real() <= tol * tol * bb) return k;
            SpinorField &p = directions.emplace_back(A.graph(), A.precision(), A.sites()),
                        &Ap = images.emplace_back(A.graph(), A.precision(), A.sites());
            M ? (*M)(r, p) : scale(spin::real(1), r, p);
            A(p, Ap);
            for (int i = 0; i < k; ++i) {
                const Complex beta = product(images[i], Ap) / norms[i];
                axpy(-beta, images[i], Ap);
                axpy(-beta, directions[i], p);
            }
            norms.push_back(product(Ap, Ap).real());
            const Complex alpha = product(Ap, r) / norms.back();
            axpy(alpha, p, x);
            axpy(-alpha, Ap, r);
        }
        return most;
    }

private:
    /// (x|y)
    Complex product(const SpinorField& x, const SpinorField& y)
    {
        scale(spin::real(1), y, scaled); // y may be x
        dot(x, &scaled, sums);
        const auto s = sums.wait();
        return {s[0], s[1]};
    }
    /// y <- y + a x
    void axpy(Complex a, const SpinorField& x, const SpinorField& y)
    {
        scale({a.real(), a.imag(), a.real(), a.imag()}, x, scaled);
        xpay(1, scaled, y);
    }

    const Operator& A;
    Preconditioner* M;
    LatticeSums sums;
    SpinorField scaled;
    std::deque<SpinorField> directions, images; // fields do not move
    std::vector<double> norms;
};

struct Outcome {
    int iterations;
    std::uint64_t digest;
    double residual; ///< |b - A x| / |b|, anew
};

Outcome solve_with(const Tiling& tiling, Plan plan, const Setting& s, int inner)
{
    LatticeGraph graph(tiling, std::move(plan));
    const ref::Wilson w = small_wilson();
    const auto gauge = gauge_of(graph, s.precision, w.links, w.antiperiodic);
    const Wilson wilson(graph, *gauge, s.precision);
    const Operator A(wilson, {w.kappa, w.mubar},
                     s.even_odd ? Matrix::gamma5_Dhat : Matrix::gamma5_D);
    const auto source = field_of(graph, s.precision, Sites::all, small_source());
    SpinorField b(A.vector()), r(A.vector()), x(A.vector());
    A.prepare(*source, b);
    A.prepare(*source, r);
    std::optional<Preconditioner> M;
    if (inner > 0) M.emplace(A, s.method, inner);
    const Graph::Batch batch(graph);
    Outcome o{};
    o.iterations = FlexibleGcr(A, M ? &*M : nullptr)
                       .solve(r, x, s.precision == Precision::f64 ? 1e-10 : 1e-5, 60);
    o.digest = x.digest();
    A.residual(x, b, r);
    const LatticeSums rr(A.sums()), bb(A.sums());
    dot(r, nullptr, rr);
    dot(b, nullptr, bb);
    o.residual = std::sqrt(rr.wait()[3] / bb.wait()[3]);
    return o;
}

} // namespace

TEST_CASE("preconditioner: iterations of a method inside of another's", "[solver]")
{
    use_workers({.cpu = 1});
    const Setting s = any_setting();
    INFO(name_of(s));
    const Outcome plain = solve_with(small_tiling(), {}, s, 0);
    const Outcome inner = solve_with(small_tiling(), {}, s, 4);
    INFO(plain.iterations << " iterations, " << inner.iterations << " with a preconditioner");
    CHECK(inner.iterations < plain.iterations / 2);
    CHECK(inner.residual <= (s.precision == Precision::f64 ? 2e-10 : 5e-5));
    // Nothing in it depends on tiles or plan.
    const Tiling one(small_lattice(), Extents{1, 1, 1, 1});
    const Outcome batch = solve_with(one, {.kind = PlanKind::batch, .iterations = 8}, s, 4);
    CHECK(batch.iterations == inner.iterations);
    CHECK(batch.digest == inner.digest);
}
