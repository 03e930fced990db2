// Plans are a pure function of options, workers and lattice: what is typed restricts, the rest is
// chosen.

#include "base/error.hpp"
#include "drivers/plan/command.hpp"
#include "drivers/plan/measurement_budget.hpp"
#include "drivers/plan/run_plan.hpp"
#include "drivers/spec/rules.hpp"
#include "runtime/schedule.hpp"

#include <catch2/catch.hpp>

using namespace qcd;

namespace
{

constexpr Extents lattice{16, 16, 16, 32};

Workers workers(const WorkerCounts& counts)
{
    Workers w;
    w.counts = counts;
    w.scheduler = counts.only_cores() ? "lws" : "dmdas";
    int next = 0;
    for (int i = 0; i < counts.cpu; ++i) w.cpu.push_back(next++);
    for (int i = 0; i < counts.cuda; ++i) w.cuda.push_back(next++);
    for (int i = 0; i < counts.opencl; ++i) w.opencl.push_back(next++);
    w.cache_bytes = 32 << 20;
    if (counts.devices() > 0) w.device_bytes = 80L << 30;
    w.gpus_reach_each_other = counts.cuda > 1;
    return w;
}

RunSpec options()
{
    RunSpec o;
    o.problem.lattice = lattice;
    o.method.links = LinkStorage::two_rows;
    return completed(o);
}

RunSpec with_plan(PlanKind kind, std::optional<int> iterations = {})
{
    RunSpec o = options();
    o.execution.plan = PlanChoice{kind, iterations};
    return o;
}

RunPlan plan(const RunSpec& o, const Workers& w) { return make_plan(o, lattice, w); }

void check_refused(const RunSpec& o, const Workers& w, const std::string& why)
{
    INFO(why);
    try {
        plan(o, w);
        FAIL("not refused");
    } catch (const Error& e) {
        CHECK(e.exit_status() == exit_bad_input);
        CHECK_THAT(e.what(), Catch::StartsWith("--plan ") && Catch::Contains(why));
    }
}

} // namespace

TEST_CASE("plan: several cores have a graph of two tiles each, placed by the scheduler", "[plan]")
{
    const RunPlan p = plan(options(), workers({.cpu = 2}));
    CHECK(p.kind == PlanKind::graph);
    CHECK(volume(p.tiles()) == 4);
    CHECK(p.owners.empty());
    CHECK(p.scheduler == "lws");
    CHECK(p.iterations == 1);
    CHECK(p == plan(options(), workers({.cpu = 2})));
}

TEST_CASE("plan: one worker has the lattice in batches", "[plan]")
{
    for (const WorkerCounts& one :
         {WorkerCounts{.cpu = 1, .cores_per_cpu = 2}, {.cpu = 1}, {.cuda = 1}, {.opencl = 1}}) {
        const RunPlan p = plan(options(), workers(one));
        CHECK(p.kind == PlanKind::batch);
        CHECK(volume(p.tiles()) == 1);
        CHECK(p.scheduler == "none");
        CHECK(p.iterations > 1);
        CHECK_FALSE(p.why.empty());
    }
}

TEST_CASE("plan: several GPUs are linked if they can be", "[plan]")
{
    Workers w = workers({.cuda = 2});
    const RunPlan linked = plan(options(), w);
    CHECK(linked.kind == PlanKind::linked);
    CHECK(linked.owners == std::vector<int>{0, 1});
    CHECK(linked.tiles() == Extents{1, 1, 1, 2});
    CHECK(std::string(linked.exchange()) == "kernels");
    w.gpus_reach_each_other = false;
    const RunPlan pinned = plan(options(), w);
    CHECK(pinned.kind == PlanKind::pinned);
    CHECK(pinned.iterations == 1);
    CHECK_THAT(pinned.why, Catch::Contains("do not reach"));
    w.scheduler_was_asked_for = true;
    CHECK(plan(options(), w).kind == PlanKind::graph);
    CHECK(plan(options(), workers({.opencl = 2})).kind == PlanKind::graph);
}

TEST_CASE("plan: what is typed restricts", "[plan]")
{
    RunSpec tiles = options();
    tiles.execution.tiles = Extents{1, 1, 1, 8};
    CHECK(plan(tiles, workers({.cpu = 1})).kind == PlanKind::graph);
    const RunPlan replay = plan(tiles, workers({.cuda = 1})); // a GPU's tasks are expensive
    CHECK(replay.kind == PlanKind::replay);
    CHECK(replay.tiles() == Extents{1, 1, 1, 8});
    CHECK(replay.schedules);
    CHECK(replay.iterations > 1);
    CHECK_THAT(replay.why, Catch::Contains("--plan graph"));
    CHECK(plan(tiles, workers({.cuda = 2})).kind == PlanKind::replay);
    Workers small = workers({.cuda = 1});
    small.device_bytes = 120 << 20; // data come and go
    CHECK(plan(tiles, small).kind == PlanKind::graph);
    Workers scheduled = workers({.cpu = 1});
    scheduled.scheduler_was_asked_for = true;
    CHECK(plan(options(), scheduled).kind == PlanKind::graph);
    CHECK(plan(options(), workers({.cpu = 1, .opencl = 1})).kind == PlanKind::graph);
    Workers mixed = workers({.cpu = 1, .cuda = 1});
    CHECK(plan(options(), mixed).kind == PlanKind::replay);
    mixed.scheduler_was_asked_for = true;
    CHECK(plan(options(), mixed).kind == PlanKind::graph);
    CHECK(plan(with_plan(PlanKind::batch, 3), workers({.cuda = 1})).iterations == 3);
    const RunPlan one = plan(with_plan(PlanKind::graph), workers({.cuda = 1}));
    CHECK(one.kind == PlanKind::graph);
    CHECK(one.scheduler == "none"); // one worker
    const RunPlan pinned = plan(with_plan(PlanKind::pinned), workers({.cpu = 2}));
    CHECK(pinned.owners == std::vector<int>{0, 1});
    CHECK(volume(pinned.tiles()) == 2);
    CHECK(pinned.scheduler == "none");
}

TEST_CASE("plan: what is replayed has the graph's tiles and scheduler", "[plan]")
{
    const RunPlan cores = plan(with_plan(PlanKind::replay), workers({.cpu = 2}));
    CHECK(volume(cores.tiles()) == 4);
    CHECK(cores.scheduler == "lws");
    CHECK(cores.owners.empty());
    CHECK(cores.iterations > 1);
    CHECK(cores.schedules->kinds() == std::vector<std::string>{"CPU", "CPU"});
    RunSpec tiles = with_plan(PlanKind::replay);
    tiles.execution.tiles = Extents{1, 1, 1, 4};
    CHECK(volume(plan(tiles, workers({.cuda = 1})).tiles()) == 4);
    const RunPlan both = plan(tiles, workers({.cpu = 1, .cuda = 1, .opencl = 1}));
    CHECK(both.schedules->kinds() == std::vector<std::string>{"CPU", "CUDA", "OpenCL"});
    CHECK(plan(tiles, workers({.cuda = 2})).schedules->workers().size() == 2);
}

TEST_CASE("plan: contradictions are refused", "[plan]")
{
    check_refused(with_plan(PlanKind::batch), workers({.cpu = 2}), "2 CPU workers");
    check_refused(with_plan(PlanKind::batch), workers({.cpu = 1, .opencl = 1}), "1 OpenCL worker");
    check_refused(with_plan(PlanKind::linked), workers({.cpu = 2}), "only several GPUs");
    check_refused(with_plan(PlanKind::linked), workers({.cuda = 1}), "only several GPUs");
    check_refused(with_plan(PlanKind::linked), workers({.cuda = 9}), "only 8");
    check_refused(with_plan(PlanKind::replay), workers({.opencl = 2}), "by way of the host");
    setenv("STARPU_LIMIT_MIN_SUBMITTED_TASKS", "1", 1);
    setenv("STARPU_LIMIT_MAX_SUBMITTED_TASKS", "8", 1);
    check_refused(with_plan(PlanKind::replay), workers({.cpu = 2}), "which begin together");
    unsetenv("STARPU_LIMIT_MIN_SUBMITTED_TASKS");
    unsetenv("STARPU_LIMIT_MAX_SUBMITTED_TASKS");
    check_refused(with_plan(PlanKind::replay), workers({.cuda = 1, .opencl = 1}), "of the host");
    Workers small = workers({.cuda = 2});
    small.device_bytes = 40 << 20; // of which a share of the fields takes half
    check_refused(with_plan(PlanKind::replay), small, "cannot hold all fields");
    RunSpec tiles = with_plan(PlanKind::batch);
    tiles.execution.tiles = Extents{1, 1, 1, 2};
    check_refused(tiles, workers({.cuda = 1}), "--tiles cuts it into 2");
    tiles.execution.plan = PlanChoice{PlanKind::pinned, {}};
    check_refused(tiles, workers({.cpu = 3}), "2 tiles for 3 workers");
    tiles.execution.plan = PlanChoice{PlanKind::linked, {}};
    check_refused(tiles, workers({.cuda = 4}), "2 tiles for 4 GPUs");
    for (const PlanKind kind : {PlanKind::pinned, PlanKind::batch}) {
        Workers scheduled = workers({.cpu = 1});
        scheduled.scheduler_was_asked_for = true;
        check_refused(with_plan(kind), scheduled, "--sched");
    }
    RunSpec memory = with_plan(PlanKind::linked);
    memory.execution.gpu_memory = 1L << 30;
    check_refused(memory, workers({.cuda = 2}), "--gpu-memory");
    Workers apart = workers({.cuda = 2});
    apart.gpus_reach_each_other = false;
    check_refused(with_plan(PlanKind::linked), apart, "do not reach");
}

TEST_CASE("a measurement takes a tenth of the solve that it is for, at most 10 s", "[plan]")
{
    MeasurementBudget budget(1000); // iterations
    CHECK(budget.seconds() == 10);
    budget.measured(0.5);
    CHECK(budget.prediction() == 500);
    CHECK(budget.seconds() == 10);
    budget.measured(1e-3);
    CHECK(budget.seconds() == Approx(0.1));
    budget.measured(0.5); // a disturbed one changes nothing
    CHECK(budget.seconds() == Approx(0.1));

    RunSpec o;
    o.method.max_iterations = 10000;
    o.method.tolerance = 1e-10;
    CHECK(expected_iterations(o) == Approx(300));
    o.execution.repeat = 3;
    CHECK(expected_iterations(o) == Approx(900));
    o.method.max_iterations = 50;
    CHECK(expected_iterations(o) == Approx(150));
    o.method.iterations = 7;
    CHECK(expected_iterations(o) == Approx(21));
}

TEST_CASE("plan: a split is pinned, and nothing else", "[plan]")
{
    const SplitLayout layout{{{{16}, {16}, {16}, {4, 28}}}, {0, 1}};
    const Workers w = workers({.cpu = 1, .opencl = 1});
    const RunPlan p = make_plan(options(), lattice, w, &layout);
    CHECK(p.kind == PlanKind::pinned);
    CHECK(p.owners == layout.workers);
    CHECK(p.thickness == layout.thickness);
    CHECK_THROWS_WITH(make_plan(with_plan(PlanKind::batch), lattice, w, &layout),
                      Catch::Contains("pinned"));
}

TEST_CASE("plan: a lattice that exceeds the devices is cut into slabs that fit", "[plan]")
{
    Workers w = workers({.opencl = 1});
    w.device_bytes = 100L << 20;
    const RunPlan p = plan(options(), w);
    CHECK(p.kind == PlanKind::graph);
    CHECK(volume(p.tiles()) > 1);
    CHECK_THAT(p.why, Catch::Contains("cannot hold"));
    check_refused(with_plan(PlanKind::batch), w, "cannot hold");
    w.device_bytes = 66L << 20;
    CHECK_THROWS_AS(plan(options(), w), DeviceError);
}

TEST_CASE("the equivalent command names everything that decides the run", "[plan]")
{
    RunSpec o = options();
    o.problem.kappa = 0.125;
    o.method.tolerance = 1e-10;
    const RunPlan p = plan(o, workers({.cpu = 2}));
    CHECK(equivalent_command(o, &p, {}, 0) ==
          "qcd_starpu --lattice 16x16x16x32 --gauge weak:0.2 --kappa 0.125 --source random:1 "
          "--solver cr --even-odd on --precision double --tol 1e-10 --max-iterations 10000 "
          "--links 12 --plan graph --tiles " +
              to_string(p.tiles()) +
              " --sched lws --cpus 2 --cores-per-worker 1 --cuda 0 --opencl 0");
    o.problem.theta = Theta{0, -0.5, 0, 1.25};
    CHECK_THAT(equivalent_command(o, &p, {}, 0),
               Catch::Contains(" --theta 0,-0.5,0,1.25 --source random:1 "));
    o.problem.gauge = "it's a file";
    o.problem.lattice = std::optional<Extents>();
    o.method.iterations = 5;
    CHECK_THAT(equivalent_command(o, &p, {}, 0),
               Catch::StartsWith("qcd_starpu --gauge 'it'\\''s a file' --kappa") &&
                   Catch::Contains("--iterations 5") && !Catch::Contains("--tol"));
    o.problem.lattice = Extents{4, 4, 4, 8}; // of a file that does not say it
    CHECK_THAT(equivalent_command(o, &p, {}, 0), Catch::StartsWith("qcd_starpu --lattice 4x4x4x8 "
                                                                   "--gauge 'it'"));
    CHECK_THAT(equivalent_command(o, &p, 0.25, 0),
               Catch::Contains("--plan graph --split 0.25") && !Catch::Contains("--tiles"));
    o.execution.engine = Engine::openmp;
    CHECK_THAT(equivalent_command(o, nullptr, {}, 2), Catch::EndsWith("--engine openmp --cpus 2"));
}
