#include "solver/krylov_method.hpp"
#include "solver/preconditioner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

namespace qcd
{

namespace
{

/// Generalised Conjugate Residual (Eisenstat, Elman & Schultz 1983) with a new cycle after K
/// directions: r is the least that b - A x can be over the z of the cycle, whatever they are, so
/// that a preconditioner may be anything.
///     z = M r,  q = A z - sum_l beta_l q_l,  r = r - alpha q,   x += sum_k xi_k z_k at the end
/// As in Lüscher 2004 the z stay as they are and x waits for the end of the cycle: half of the
/// vectors that one with all p_k = z_k - sum_l beta_lk p_l moves. alpha comes from A z, so that q
/// and r are made in one pass (codelets/gcr_update).
class GeneralisedConjugateResidual : public KrylovMethod<gcr_scalars>
{
public:
    GeneralisedConjugateResidual(const Operator& A, int restart, Preconditioner* M,
                                 Contents contents)
        : KrylovMethod(A, Method::gcr), M(M), Az(A.sums())
    {
        const auto new_field = [&] {
            return &fields.emplace_back(A.graph(), A.precision(), A.sites(), A.blocks(), contents);
        };
        for (int j = 0; j < restart; ++j) {
            zs.push_back(new_field());
            qs.push_back(new_field());
        }
        for (int pair = 0; pair < restart / 2; ++pair) products.emplace_back(A.graph(), A.sites());
    }

private:
    void start(const SpinorField& r, const Start& s) override
    {
        first_of_cycle = k;
        if (!M) scale(spin::real(1), r, *zs[0]);
        gcr_start(s, c, monitor.note());
    }

    void go_on_from(const SpinorField& r, const Resume& s) override
    {
        first_of_cycle = k;
        gcr_resume(s, c);
        if (!M) scale(spin::real(1), r, *zs[0], &c);
    }

    void iterate(const SpinorField& r, const SpinorField& x) override
    {
        for (; monitor.wants(k); ++k) {
            const Graph::Iteration mark(A.graph(), k);
            const int j = (k - first_of_cycle) % restart();
            const bool ends = j + 1 == restart();
            const SpinorField &z = *zs[j], &q = *qs[j];
            const Directions earlier(qs.data(), std::size_t(j));
            if (M) (*M)(r, z, c); // z = M r; else they are alike
            A(z, q, {.which = Dots::norm2 | Dots::u_out, .u = M ? &r : &z, .sums = &Az}, &c);
            project(q, earlier);                   // beta_l = (q_l|A z) / |q_l|^2
            gcr_alpha(Az, c, monitor.note(false)); // alpha = (q|r) / |q|^2
            // q = A z - sum_l beta_l q_l,  r = r - alpha q
            gcr_update(c, q, earlier, r, M || ends ? nullptr : zs[j + 1], rr);
            gcr_residual(rr, c, monitor.note());
            if (ends) end_cycle(r, x);
        }
    }

    /// Two earlier directions share a pass, two passes a step.
    void project(const SpinorField& q, Directions earlier)
    {
        const std::size_t n = earlier.size(), pairs = (n + 1) / 2;
        for (std::size_t i = 0; i < pairs; ++i)
            gcr_products(c, q, *earlier[2 * i], 2 * i + 1 < n ? earlier[2 * i + 1] : nullptr,
                         products[i]);
        for (std::size_t i = 0; i < pairs; i += 2)
            gcr_project(products[i], i + 1 < pairs ? &products[i + 1] : nullptr, c);
    }

    void end_cycle(const SpinorField& r, const SpinorField& x)
    {
        gcr_steps(c);
        gcr_solution(c, Directions(zs), x); // x = x + sum_k xi_k z_k
        if (!M) scale(spin::real(1), r, *zs[0], &c);
    }

    LackingSteps prepare_correction(const SpinorField& r, const SpinorField& x) override
    {
        complete(r, x);
        return {};
    }

    void complete(const SpinorField&, const SpinorField& x) override
    {
        gcr_last_steps(c);
        gcr_solution(c, Directions(zs.data(), std::size_t(std::min(k, restart()))), x);
    }

    long applications(int n, int) const override { return n; }
    long applications_of_preconditioner(int n) const override
    {
        return M ? n * M->applications() : 0;
    }

    Vectors vectors() override
    {
        Vectors all;
        for (std::size_t i = 0; i < fields.size(); ++i)
            all.emplace_back(fmt::format("{}{}", i % 2 ? "q" : "z", i / 2), &fields[i]);
        return all;
    }
    void set_scalars(const std::vector<double>& values, int rhs) override
    {
        KrylovMethod::set_scalars(values, rhs);
        first_of_cycle = k - k % restart(); // of right-hand sides that have not ended
    }
    const SpinorField& idle() const override { return *qs[0]; }

    int restart() const { return int(zs.size()); }

    Preconditioner* M;              // null: 1
    std::deque<SpinorField> fields; // do not move
    std::vector<const SpinorField*> zs, qs;
    LatticeSums Az;
    std::deque<LatticeSums> products;
    int first_of_cycle = 0; // its iteration
};

} // namespace

MethodNeeds gcr_needs(int restart)
{
    const int pairs = (restart / 2 + 1) / 2; // of earlier directions
    return {.vectors = 2 * restart,
            .of_state = 2 + 2 * restart,
            .applications = 1,
            .updates = 1 + pairs,
            .scalars = 2 + (pairs + 1) / 2,
            .sums = 2 + pairs};
}

std::unique_ptr<Solver> make_gcr(const Operator& A, int restart, Preconditioner* M,
                                 Contents vectors)
{
    return std::make_unique<GeneralisedConjugateResidual>(A, restart, M, vectors);
}

} // namespace qcd
