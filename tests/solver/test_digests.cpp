// Same bits everywhere: the solution does not depend on scheduler, tiling, number or kind of
// workers.

#include "runtime/schedule.hpp"
#include "runtime/session.hpp"
#include "tests/solver/tiled_solve.hpp"

#include <map>

using namespace qcd;
using namespace qcd::test;

namespace
{

const std::vector<Tiling>& tilings()
{
    const Extents& l = small_lattice();
    static const std::vector<Tiling> all = {
        Tiling(l, Extents{1, 1, 1, 1}),          Tiling(l, Extents{1, 1, 1, 2}),
        Tiling(l, Extents{2, 1, 1, 1}),          Tiling(l, Extents{1, 3, 1, 1}),
        Tiling(l, {{{4}, {4, 2}, {2}, {2, 6}}}), // uneven
        Tiling(l, Extents{2, 1, 1, 3}),          // uneven in t
    };
    return all;
}

/// CPU alone, the device alone, and both at once.
std::vector<Workers> worker_sets(const std::string& scheduler)
{
    const bool cpu = has_workers("cpu");
    std::vector<Workers> sets;
    if (cpu) sets.push_back({.cpu = cores(), .scheduler = scheduler});
    for (const char* kind : {"opencl", "cuda"})
        if (has_workers(kind)) {
            Workers alone{.scheduler = scheduler};
            (kind == std::string("opencl") ? alone.opencl : alone.cuda) = 1;
            Workers both = alone;
            both.cpu = std::max(1, cores() - 1);
            sets.push_back(alone);
            if (cpu && cores() > 1) sets.push_back(both);
        }
    return sets;
}

} // namespace

TEST_CASE("digest: equal for every scheduler, tiling and kind of worker", "[digest][long]")
{
    const std::string scheduler = GENERATE("eager", "lws", "dmdas", "random", "prio");
    const Workers workers = GENERATE_COPY(from_range(worker_sets(scheduler)));
    use_workers(workers);
    INFO(name_of(workers));
    static std::map<std::string, std::pair<std::uint64_t, std::vector<double>>> first;
    const auto check = [&](const Setting& s, const Tiling& tiling) {
        TiledSolve problem(s.links == LinkStorage::full ? small_wilson() : small_unitary_wilson(),
                           tiling, s);
        const SolveReport report = problem.solve(small_source(), until(0, 3));
        INFO(name_of(s) << ", tiles " << to_string(tiling.tiles()));
        const auto [known, isnew] = first.try_emplace(name_of(s), problem.digest(), report.history);
        CHECK(problem.digest() == known->second.first);
        CHECK(report.history == known->second.second);
    };
    // The other methods make the same hops: they see another tiling with each scheduler and set of
    // workers.
    static std::size_t next = 0;
    const Tiling& other = tilings()[next++ % tilings().size()];
    for (const Precision precision : {Precision::f64, Precision::f32}) {
        for (const Tiling& tiling : tilings()) check({Method::cr, true, precision}, tiling);
        check({Method::cr, false, precision}, other);
        check({Method::cg, true, precision}, other);
        check({Method::bicgstab, false, precision}, other);
        check({Method::gcr, true, precision}, other);
        check({Method::cr, true, precision,
               next % 2 == 0 ? LinkStorage::two_rows : LinkStorage::minimal},
              other);
    }
}

TEST_CASE("digest: equal with a clover term, twisted or not", "[digest][long]")
{
    const Workers workers = GENERATE(from_range(worker_sets("lws")));
    use_workers(workers);
    INFO(name_of(workers));
    static std::map<std::string, std::uint64_t> first;
    for (const Setting& s :
         {Setting{Method::cr, true, Precision::f64}, Setting{Method::cg, true, Precision::f32},
          Setting{Method::bicgstab, false, Precision::f64}})
        for (const double mubar : {0.0, 0.1})
            for (const Tiling& tiling : tilings()) {
                if (s.method == Method::cr && mubar != 0) continue;
                TiledSolve problem(small_wilson(mubar, 1.4), tiling, s);
                problem.solve(small_source(), until(0, 3));
                const std::string name = fmt::format("{}, mubar {}", name_of(s), mubar);
                INFO(name << ", tiles " << to_string(tiling.tiles()));
                const auto digest = problem.digest();
                CHECK(digest == first.try_emplace(name, digest).first->second);
            }
}

TEST_CASE("digest: equal for one worker and several", "[digest]")
{
    static std::map<std::string, std::uint64_t> first;
    use_workers({.cpu = GENERATE(1, cores()), .scheduler = "lws"});
    for (const Precision precision : {Precision::f64, Precision::f32})
        for (const bool even_odd : {true, false}) {
            const Setting s{Method::cr, even_odd, precision};
            TiledSolve problem(small_wilson(), tilings().back(), s);
            problem.solve(small_source(), until(1e-5));
            const auto digest = problem.digest();
            CHECK(digest == first.try_emplace(name_of(s), digest).first->second);
        }
}

TEST_CASE("digest: equal when tiles have their workers", "[digest]")
{
    if (cores() < 2) return;
    use_workers({.cpu = 2, .scheduler = GENERATE("dmdas", "lws")});
    for (const Method method : {Method::cr, Method::cg, Method::bicgstab, Method::gcr})
        for (const Tiling& tiling : tilings()) {
            const Setting s{method, method != Method::cg, Precision::f64};
            INFO(name_of(s) << ", tiles " << to_string(tiling.tiles()));
            TiledSolve scheduled(small_wilson(), tiling, s);
            const SolveReport expected = scheduled.solve(small_source(), until(0, 5));
            TiledSolve owned(small_wilson(), tiling, s,
                             {.kind = PlanKind::pinned, .owners = {0, 1}});
            CHECK(owned.solve(small_source(), until(0, 5)).history == expected.history);
            CHECK(owned.digest() == scheduled.digest());
        }
}

TEST_CASE("digest: equal when one worker has all tiles, several iterations a task", "[digest]")
{
    if (cores() < 2) return;
    use_workers({.cpu = 2});
    const Setting s{Method::cg, true, Precision::f64};
    const Tiling halves(small_lattice(), Extents{1, 1, 1, 2});
    const auto tasks_of = [&](TiledSolve& problem, SolveReport& report) {
        const long before = problem.tasks();
        report = problem.solve(small_source(), until(0, 6));
        return problem.tasks() - before;
    };
    SolveReport expected, report;
    TiledSolve scheduled(small_wilson(), halves, s);
    const long tasks = tasks_of(scheduled, expected);
    TiledSolve owned(small_wilson(), halves, s,
                     {.kind = PlanKind::batch, .iterations = 3, .owners = {1}});
    CHECK(tasks_of(owned, report) < tasks / 4);
    CHECK(report.history == expected.history);
    CHECK(owned.digest() == scheduled.digest());
}

TEST_CASE("digest: equal when the schedule of an iteration is replayed", "[digest]")
{
    std::vector<Workers> sets;
    if (has_workers("cpu")) sets.push_back({.cpu = cores(), .scheduler = "lws"});
    if (has_workers("opencl")) sets.push_back({.opencl = 1});
    if (has_workers("cuda")) sets.push_back({.cuda = 1, .scheduler = "lws"}); // no models
    for (const char* const device : {"opencl", "cuda"}) // schedules with copies in them
        if (has_workers("cpu") && has_workers(device) && cores() > 1)
            sets.push_back({.cpu = cores() - 1,
                            .opencl = device[0] == 'o',
                            .cuda = device[0] == 'c',
                            .scheduler = "random"});
    if (has_workers("cuda") && cuda_devices().size() > 1)
        sets.push_back({.cuda = 2, .scheduler = "random"});
    const Workers workers = GENERATE_COPY(from_range(sets));
    use_workers(workers);
    INFO(name_of(workers));
    const auto check = [&](const Setting& s, const Tiling& tiling, int iterations, int rhs = 1) {
        INFO(name_of(s) << ", tiles " << to_string(tiling.tiles()) << ", " << rhs << " sides");
        const SolveControl control = until(s.sloppy ? 1e-11 : 0, iterations);
        const auto solved = [&](const Plan& plan) {
            auto problem = std::make_unique<TiledSolve>(small_wilson(), tiling, s, plan, rhs);
            for (int i = 0; i < rhs; ++i)
                problem->parts().set_source(
                    ref::ArraySource(small_lattice(), ref::det_spinor(small_lattice(), i)), i);
            return problem;
        };
        const auto graph = solved({});
        const auto expected = graph->parts().solve(control);
        const Plan plan{.kind = PlanKind::replay, .iterations = 5, .schedules = make_schedules()};
        const auto replayed = solved(plan);
        for (const bool again : {false, true}) {
            INFO((again ? "again" : "at first"));
            const auto reports = replayed->parts().solve(control);
            for (int i = 0; i < rhs; ++i) {
                CHECK(reports[i].history == expected[i].history);
                CHECK(replayed->parts().digest_of_x(i) == graph->parts().digest_of_x(i));
            }
        }
        int iterations_replayed = 0;
        for (const Schedules::Entry* e : plan.schedules->known())
            iterations_replayed += e->replayed;
        CHECK(iterations_replayed >= iterations / 4);
    };
    const Tiling& uneven = tilings().back();
    check({Method::cr, true, Precision::f64}, uneven, 40);
    check({Method::cg, false, Precision::f32}, tilings()[4], 40);
    check({Method::bicgstab, true, Precision::f64}, tilings()[1], 40, 3);
    check({Method::gcr, true, Precision::f64}, tilings()[2], 40);
    Setting mixed{Method::cg};
    mixed.sloppy = Precision::f16;
    check(mixed, uneven, 60, 2);
    Setting preconditioned{Method::gcr};
    preconditioned.preconditioning = {.method = Method::cr, .iterations = 3};
    check(preconditioned, tilings()[1], 30);
}

TEST_CASE("digest: equal when linked workers exchange faces and sums inside of their tasks",
          "[digest]")
{
    if (cores() < 2) return;
    use_workers({.cpu = 2, .scheduler = "dmdas"});
    const Extents& l = small_lattice();
    const auto check_solve = [&](const Setting& s, const Tiling& tiling, int batch,
                                 const SolveControl& control, const ref::Wilson& w,
                                 const ref::Spinors& b) {
        INFO(name_of(s) << ", batch " << batch);
        TiledSolve scheduled(w, tiling, s);
        const SolveReport expected = scheduled.solve(b, control);
        const SolutionSums sums = scheduled.verified();
        TiledSolve linked(w, tiling, s,
                          {.kind = PlanKind::linked, .iterations = batch, .owners = {0, 1}});
        linked.solve(b, control);
        CHECK(linked.solve(b, control).history == expected.history);
        CHECK(linked.digest() == scheduled.digest());
        CHECK(linked.verified().residual == sums.residual);
        CHECK(linked.verified().heavy_quark == sums.heavy_quark);
        return expected;
    };
    const auto check = [&](const Setting& s, const Tiling& tiling, int batch, int iterations = 7) {
        check_solve(s, tiling, batch, until(0, iterations), small_wilson(), small_source());
    };
    const Tiling halves(l, Extents{1, 1, 1, 2}), uneven(l, {{{4}, {6}, {2}, {2, 6}}});
    check({Method::cr, true, Precision::f64}, halves, 3);
    check({Method::cg, false, Precision::f64}, uneven, 1);
    check({Method::bicgstab, true, Precision::f32}, halves, 3);
    for (const Method method : {Method::cr, Method::cg, Method::bicgstab, Method::gcr}) {
        Setting mixed{method, true, Precision::f64};
        mixed.sloppy = GENERATE(Precision::f32, Precision::f16);
        if (method == Method::gcr && mixed.sloppy == Precision::f16) continue; // is refused
        const SolveReport in_two =
            check_solve(mixed, halves, 3, until(1e-8), small_wilson(), small_source());
        CHECK(in_two.converged);
        CHECK(in_two.updates.size() > 1);
    }
    // The last scalars of these need no sums.
    check({Method::cr, true, Precision::f64}, halves, 3, 0);
    check({Method::bicgstab, true, Precision::f32}, halves, 1, 0);
    // CR breaks down, and CG goes on: a heavy quark, a point source on an odd site.
    ref::Wilson heavy{{4, 4, 4, 8}, in_single(ref::gen_gauge({4, 4, 4, 8}, 7, 0.2)), 1e-5, 0, true};
    ref::Spinors point(12 * volume(heavy.lattice));
    point[12] = 1;
    const SolveReport two =
        check_solve({Method::cr, true, Precision::f64}, Tiling(heavy.lattice, Extents{1, 1, 1, 2}),
                    3, until(1e-10), heavy, point);
    CHECK(two.converged);
    CHECK(two.cg_iterations > 0);
}
