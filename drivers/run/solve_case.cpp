#include "drivers/run/solve_case.hpp"

#include "base/error.hpp"
#include "drivers/machine/kernel_rates.hpp"
#include "drivers/run/kept_vectors.hpp"
#include "drivers/run/solution_summary.hpp"
#include "drivers/spec/dirac_problem.hpp"
#include "lattice/heavy_quark_residual.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace qcd
{

namespace
{

/// Overwrites the solver's vectors.
double compare_kernels_with_triad(std::vector<KernelRate>& kernels, DiracSolve& problem,
                                  const WorkerCounts& workers)
{
    constexpr int calls = 5;
    problem.update_vectors(1); // finds the data where the next ones need them
    Events events(problem.graph());
    problem.update_vectors(calls);
    double all = 0;
    for (const KernelRate& triad : rates_of(events.times(), workers)) {
        if (!triad.name.starts_with("xpay")) continue;
        all += triad.gb_per_s;
        for (KernelRate& k : kernels)
            if (k.worker == triad.worker) k.percent_of_triad = 100 * k.gb_per_s / triad.gb_per_s;
    }
    return all;
}

class TodaysCase final : public SolveCase
{
public:
    TodaysCase(const DiracProblem& problem, const RunPlan& plan, GaugeSource& gauge,
               const SpinorSource& source)
        : case_(problem, plan, gauge, source)
    {
    }
    Graph& graph() override { return case_.graph(); }
    LatticeGraph& lattice_graph() override { return case_.graph(); }
    void set_source(const SpinorSource& source, int rhs) override
    {
        case_.solve().set_source(source, rhs);
    }
    void set_x(const SpinorSource& guess, int rhs) override { case_.solve().set_guess(guess, rhs); }
    std::vector<SolveReport> solve(const SolveControl& c, Guess g) override
    {
        return case_.solve().solve(c, g);
    }
    std::vector<SolveReport> resume(const std::vector<State>& s, const SolveControl& c) override
    {
        return case_.solve().resume(s, c);
    }
    void prepare() override { case_.solve().prepare(); }
    int iterate(const SolveControl& c) override { return case_.solve().iterate(c); }
    void visit_x(const std::function<void(const Coord&, const double x[24])>& f, int rhs) override
    {
        case_.solve().visit_x_on_first_rank(f, rhs);
    }

    void fill_solution(RunReport& r) override
    {
        const std::vector<SolutionSums> all = case_.solve().verify_all();
        if (const MultigridReport* multigrid = case_.solve().multigrid())
            r.preconditioner->multigrid = *multigrid;
        fill_solution(r, all.front(), 0);
        for (std::size_t i = 0; i < r.rhs.size(); ++i) {
            fill_solution(r.rhs[i], all[i], int(i));
            const auto& own = r.rhs[i].residual;
            r.residual.recomputed = std::max(r.residual.recomputed, own.recomputed);
            r.residual.heavy_quark = std::max(r.residual.heavy_quark, own.heavy_quark);
        }
    }
    void fill_solution(RunReport& r, int rhs) override
    {
        fill_solution(r, case_.solve().verify_all()[rhs], rhs);
    }
    void measure_levels(RunReport& r) override
    {
        if (!case_.solve().multigrid()) return;
        case_.solve().measure_levels();
        r.preconditioner->multigrid = *case_.solve().multigrid();
        auto& outer = *r.preconditioner->multigrid->levels.front().work;
        outer.iterations = r.iterations - r.preconditioner->bicgstab_iterations.value_or(0);
        if (outer.iterations > 0)
            outer.factor = std::pow(r.residual_history.at(std::size_t(outer.iterations)),
                                    1.0 / outer.iterations);
    }
    std::optional<StencilReport> stencil(const Session&) const override { return std::nullopt; }
    double compare_with_triad(std::vector<KernelRate>& kernels, const WorkerCounts& w) override
    {
        return compare_kernels_with_triad(kernels, case_.solve(), w);
    }

private:
    void fill_solution(RunReport& r, const SolutionSums& s, int rhs)
    {
        r.residual.recomputed = s.residual;
        r.residual.heavy_quark = s.heavy_quark;
        r.solution.source_dot = {s.source_dot[0], s.source_dot[1]};
        r.solution.norm2 = s.norm2;
        r.solution.x_over_b = s.x_over_b;
        r.solution.digest = fmt::format("{:016x}", case_.solve().digest_of_x(rhs));
    }

    Case case_;
};

double norm2_of(const double spinor[24])
{
    return std::inner_product(spinor, spinor + 24, spinor, 0.0);
}

class LadderCase final : public SolveCase
{
public:
    LadderCase(const LadderProblem& problem, const RunPlan& plan, GaugeSource& gauge,
               const SpinorSource& source)
        : problem_(problem), graph_(plan), lattice_(graph_, plan.lattice, plan.thickness[3]),
          solve_(lattice_, problem, gauge)
    {
        set_source(source, 0);
    }
    Graph& graph() override { return graph_; }
    LatticeGraph& lattice_graph() override
    {
        throw Error("versions of the ladder have no state"); // rules.cpp refuses it
    }
    void set_source(const SpinorSource& source, int) final
    {
        source_ = &source;
        solve_.set_source(source);
    }
    void set_x(const SpinorSource&, int) override {} // rules.cpp refuses a guess
    std::vector<SolveReport> solve(const SolveControl& c, Guess) override
    {
        return {solve_.solve(c)};
    }
    std::vector<SolveReport> resume(const std::vector<State>&, const SolveControl&) override
    {
        throw Error("versions of the ladder have no state"); // rules.cpp refuses it
    }
    void prepare() override {}
    int iterate(const SolveControl& c) override { return solve_.solve(c).iterations; }
    void visit_x(const std::function<void(const Coord&, const double x[24])>& f, int) override
    {
        solve_.x().visit(f);
    }

    void fill_solution(RunReport& r) override
    {
        r.residual.recomputed = solve_.residual();
        SolutionSummary summary(real_bytes(problem_.precision));
        std::vector<double> norm2_x;
        solve_.x().visit([&](const Coord& c, const double x[24]) {
            double b[24];
            source_->site(c, b);
            summary.add_site(x, b);
            norm2_x.push_back(norm2_of(x));
        });
        r.solution = summary.result();
        HeavyQuarkResidual heavy_quark;
        solve_.difference().visit(
            [&, site = std::size_t(0)](const Coord&, const double d[24]) mutable {
                heavy_quark.add(norm2_of(d), norm2_x[site++]);
            });
        r.residual.heavy_quark = heavy_quark.value();
    }
    void fill_solution(RunReport& r, int) override { fill_solution(r); }
    std::optional<StencilReport> stencil(const Session& session) const override
    {
        const LadderVersion& v = problem_.stencil.version;
        StencilReport r{.version = v.name,
                        .multiple = v.full_groups ? problem_.stencil.multiple : 0,
                        .flops_a_site = solve_.dirac().flops() / double(volume(lattice_.extents())),
                        .facts = {}};
        for (const int worker : session.worker_ids(STARPU_CUDA_WORKER))
            if (!r.facts) r.facts = solve_.dirac().kernel_facts(worker);
        return r;
    }
    double compare_with_triad(std::vector<KernelRate>&, const WorkerCounts&) override { return 0; }

private:
    LadderProblem problem_;
    const SpinorSource* source_ = nullptr;
    Graph graph_;
    LadderLattice lattice_;
    LadderSolve solve_;
};

} // namespace

Case::Case(const DiracProblem& problem, const RunPlan& plan, GaugeSource& gauge,
           const SpinorSource& source)
    : graph_(plan.tiling(), plan, plan.rank_grid, plan.rhs), solve_(graph_, problem, gauge)
{
    solve_.set_source(source);
}

namespace
{

/// What is loaded is not made of random numbers, and refined once where it is of another matrix.
void use(const std::shared_ptr<KeptVectors>& vectors, const MethodSpec& m, Preconditioning& p)
{
    p.test_vectors = vectors;
    const std::optional<bool> fit = vectors->fit();
    if (!fit) return;
    p.multigrid->first_iterations = 0;
    if (!m.mg_setup()) p.multigrid->refinements = *fit ? 0 : 1;
}

} // namespace

std::unique_ptr<SolveCase> make_case(const RunSpec& o, const RunPlan& plan, GaugeSource& gauge,
                                     const SpinorSource& source,
                                     std::shared_ptr<KeptVectors> vectors)
{
    if (o.method.ladder())
        return std::make_unique<LadderCase>(ladder_problem_of(o), plan, gauge, source);
    DiracProblem problem = problem_of(o);
    if (vectors) use(vectors, o.method, *problem.preconditioning);
    return std::make_unique<TodaysCase>(problem, plan, gauge, source);
}

} // namespace qcd
