// Adaptive multigrid: what P and the coarse operators are by definition, and what they are good for.

#include "solver/multigrid.hpp"
#include "tests/solver/tiled_solve.hpp"

#include <functional>

using namespace qcd;
using namespace qcd::test;

namespace
{

const Extents lattice_of_levels{8, 4, 4, 8};

ref::Wilson wilson_of_levels(double mubar = 0, double csw = 0)
{
    return {lattice_of_levels,
            in_single(ref::gen_gauge(lattice_of_levels, 7, 1)),
            0.11,
            mubar,
            true,
            csw};
}

MultigridParameters small_multigrid(int levels)
{
    MultigridParameters p;
    p.blocks = {{2, 2, 2, 2}};
    if (levels == 3) p.blocks.push_back({2, 1, 1, 2});
    p.vectors = 6;
    p.first_iterations = 6;
    p.coarse_iterations = 8;
    p.refinements = 1;
    return p;
}

/// A hierarchy, with what it stands on.
struct Hierarchy {
    Hierarchy(const ref::Wilson& w, const Tiling& tiling, Precision precision,
              const MultigridParameters& p, Plan plan = {}, int rhs = 1)
        : graph(tiling, std::move(plan), {1, 1, 1, 1}, rhs), dirac{w.kappa, w.mubar, w.csw},
          clover(clover_of(graph, precision, dirac, CloverField::Inverse::on_odd_sites)),
          links(
              gauge_of(graph, precision, w.links, w.antiperiodic, LinkStorage::full, clover.get())),
          wilson(graph, *links, precision, clover.get()), D(wilson, dirac, Matrix::D),
          M(graph, *links, clover.get(), dirac, p)
    {
    }
    LatticeGraph graph;
    DiracParameters dirac;
    std::unique_ptr<CloverField> clover;
    std::unique_ptr<GaugeField> links;
    Wilson wilson;
    DiracOperator D;
    Multigrid M;
};

/// (x|y)
std::complex<double> product(const SpinorField& x, const SpinorField& y)
{
    const LatticeSums sums(x.graph(), x.sites());
    dot(x, &y, sums);
    const auto s = sums.wait();
    return {s[0], s[1]};
}
double norm2(const SpinorField& x) { return product(x, x).real(); }

/// |x - y| / |x|; y is lost.
double distance(const SpinorField& x, const SpinorField& y)
{
    xpay(-1, x, y);
    return std::sqrt(norm2(y) / norm2(x));
}

SpinorField on_level(const Hierarchy& h, const Level& level)
{
    return {h.D.graph(), h.D.precision(), Sites::even, &level.blocks()};
}

} // namespace

namespace
{

void check_theorems()
{
    const Precision precision = any_precision();
    const double csw = 1.5, mubar = 0.05;
    const Extents tiles{2, 1, 1, 2};
    const ref::Wilson w = wilson_of_levels(mubar, csw);
    Hierarchy h(w, Tiling(lattice_of_levels, tiles), precision, small_multigrid(3));
    const double bound = 200 * epsilon(precision);
    REQUIRE(h.M.levels().count() == 3);

    const auto random =
        field_of(h.graph, precision, Sites::all, in_single(ref::det_spinor(lattice_of_levels, 3)));
    const LevelOrder order(h.graph, h.M.levels().basis(0).level());
    SpinorField fine = on_level(h, h.M.levels().basis(0).level());
    order.to_level(*random, fine, nullptr);
    CHECK(norm2(fine) == Approx(norm2(*random)).epsilon(1e-12));

    const std::function<void(const SpinorField&, const SpinorField&)> finest =
        [&](const SpinorField& x, const SpinorField& y) {
            SpinorField a(h.D.vector()), b(h.D.vector());
            order.from_level(x, a, nullptr);
            h.D(a, b);
            order.to_level(b, y, nullptr);
        };
    const SpinorField* above = &fine;
    std::deque<SpinorField> kept;
    for (int level = 0; level < 2; ++level) {
        INFO(level);
        const Basis& P = h.M.levels().basis(level);
        SpinorField &e = kept.emplace_back(h.graph, precision, Sites::even, &P.coarse().blocks()),
                    again = on_level(h, P.coarse()), Pe = on_level(h, P.level()),
                    APe = on_level(h, P.level()), Ae = on_level(h, P.coarse());
        P.restrict(*above, e, nullptr);
        CHECK(norm2(e) > 0);
        P.prolong(e, Pe, nullptr);
        P.restrict(Pe, again, nullptr);
        CHECK(distance(e, again) <= bound);

        if (level == 0)
            finest(Pe, APe);
        else
            h.M.cycle().coarse_operator(level)(Pe, APe);
        P.restrict(APe, again, nullptr);
        h.M.cycle().coarse_operator(level + 1)(e, Ae);
        CHECK(distance(Ae, again) <= bound);

        // (g5 A)^dagger = g5 A(-mubar), so that Re (x|g5 A x) is (x|g5 A(0) x), and real
        scale(spin::gamma5(), Ae, again);
        const auto xAx = product(e, again);
        h.M.cycle().coarse_operator(level + 1)(e, Ae);
        CHECK(std::abs(xAx.imag() - mubar * norm2(e)) <= bound * std::sqrt(norm2(e) * norm2(Ae)));
        above = &e;
    }
}

} // namespace

TEST_CASE("multigrid: P^dagger P is 1, and coarse operators are P^dagger A P",
          "[solver][multigrid]")
{
    use_workers({.cpu = cores(), .scheduler = "lws"});
    check_theorems();
}

TEST_CASE("multigrid: the same on every worker", "[solver][multigrid][long]")
{
    const Workers workers = any_workers();
    INFO(name_of(workers));
    check_theorems();
}

namespace
{

void check_the_same_bits(int levels, bool even_odd, const std::vector<Extents>& tilings)
{
    Setting s{.method = Method::gcr, .even_odd = even_odd, .sloppy = Precision::f32};
    s.restart = 8;
    s.preconditioning = Preconditioning{.multigrid = small_multigrid(levels)};
    const ref::Wilson w = wilson_of_levels(0.02, 1.1);
    const ref::Spinors b = in_single(ref::det_spinor(lattice_of_levels, 1));
    static std::map<std::pair<int, bool>, std::uint64_t> digests;
    for (const Extents& tiles : tilings) {
        TiledSolve solve(w, Tiling(lattice_of_levels, tiles), s);
        const SolveReport report = solve.solve(b, until(1e-10, 100));
        CHECK(report.converged);
        CHECK(solve.true_residual() <= 2e-10);
        const auto [known, is_first] = digests.insert({{levels, s.even_odd}, solve.digest()});
        CHECK(solve.digest() == known->second);
    }
}

} // namespace

TEST_CASE("multigrid: gcr with it has the same bits on every tiling", "[solver][multigrid]")
{
    use_workers({.cpu = cores(), .scheduler = "lws"});
    check_the_same_bits(3, true, {{1, 1, 1, 1}, {1, 1, 1, 2}, {2, 1, 2, 1}});
}

TEST_CASE("multigrid: where it gets nowhere BiCGstab goes on", "[solver][multigrid]")
{
    const DiracProblem p{.method = Method::gcr,
                         .preconditioning = Preconditioning{.multigrid = MultigridParameters{}}};
    const std::vector<Stage> stages = stages_of(p);
    SolveReport given_up;
    given_up.iterations = stages.front().most.value();
    CHECK(next_stage(stages, 0, given_up, 10000) == 1);
    CHECK_FALSE(next_stage(stages, 0, given_up, given_up.iterations));

    use_workers({.cpu = cores(), .scheduler = "lws"});
    Setting s{.method = Method::gcr, .even_odd = true, .sloppy = Precision::f32};
    s.restart = 1;
    MultigridParameters useless = small_multigrid(2);
    useless.first_iterations = useless.coarse_iterations = useless.smoothing = 1;
    useless.refinements = 0;
    useless.most_outer_iterations = 5;
    s.preconditioning = Preconditioning{.multigrid = useless};
    TiledSolve solve(wilson_of_levels(), Tiling(lattice_of_levels, {1, 1, 1, 1}), s);
    const SolveReport report =
        solve.solve(in_single(ref::det_spinor(lattice_of_levels, 1)), until(1e-10, 10000));
    CHECK(report.converged);
    CHECK(report.bicgstab_iterations.value_or(0) > 0);
    CHECK(report.iterations == 5 + report.bicgstab_iterations.value_or(0));
    CHECK(solve.true_residual() <= 2e-10);
}

TEST_CASE("multigrid: the same of two levels, on all sites, and on every worker",
          "[solver][multigrid][long]")
{
    const Workers workers = any_workers();
    INFO(name_of(workers));
    const bool even_odd = GENERATE(true, false);
    check_the_same_bits(GENERATE(2, 3), even_odd, {{1, 1, 1, 1}, {1, 1, 1, 2}, {2, 1, 2, 1}});
}
