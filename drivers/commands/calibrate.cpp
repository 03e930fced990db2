#include "base/temporary_folder.hpp"
#include "base/text.hpp"
#include "drivers/commands/commands.hpp"
#include "drivers/plan/worker_choice.hpp"
#include "drivers/run/problem.hpp"
#include "drivers/run/solve_case.hpp"
#include "drivers/run/spinor_files.hpp"
#include "drivers/simulation/machine_file.hpp"
#include "drivers/simulation/task_samples.hpp"
#include "drivers/spec/rules.hpp"
#include "program/devices.hpp"
#include "program/provenance.hpp"
#include "program/stop.hpp"
#include "program/stopwatch.hpp"
#include "runtime/environment.hpp"
#include "runtime/machine_model.hpp"
#include "runtime/machine_probe.hpp"
#include "tasks/host_access.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <set>
#include <unistd.h>

namespace qcd
{

namespace
{

/// What is measured: one kind of workers alone and all together, one of them and all.
std::vector<WorkerCounts> configurations(const ExecutionSpec& o, int cores)
{
    const int cpus = o.cpus().value_or(cores), opencl = o.opencl().value_or(0);
    const int cuda = std::min(o.cuda().value_or(all_cuda_devices()), all_cuda_devices());
    std::vector<WorkerCounts> all;
    const auto add = [&](const WorkerCounts& w) {
        if (w.all() > 0 && std::find(all.begin(), all.end(), w) == all.end()) all.push_back(w);
    };
    for (const int n : {1, cpus / 4, cpus / 2, cpus}) add({.cpu = std::min(n, cpus)});
    for (const int n : {1, cuda / 2, cuda}) add({.cuda = std::min(n, cuda)});
    for (const int n : {1, opencl}) add({.opencl = std::min(n, opencl)});
    const int rest = std::min(cpus, cores - cuda - opencl);
    if (rest > 0 && cuda + opencl > 0) add({.cpu = rest, .cuda = cuda, .opencl = opencl});
    return all;
}

/// Slabs in t that all workers get one of at least.
std::vector<Extents> tilings_for(const std::vector<Extents>& asked, const Extents& lattice,
                                 const WorkerCounts& w)
{
    std::vector<Extents> all = asked;
    if (asked.empty())
        for (const int tiles : {w.all(), 2 * w.all(), 4 * w.all()})
            if (const int t = std::max(w.all() == 1 ? 1 : 2, tiles); t <= lattice[3] / 2)
                all.push_back({1, 1, 1, t});
    return all;
}

RunSpec options_of(RunSpec o, const WorkerCounts& w, const Extents& tiles)
{
    o.output.quiet = true;
    o.execution.cpus = w.cpu;
    o.execution.cuda = w.cuda;
    o.execution.opencl = w.opencl;
    o.execution.cores_per_worker = 1;
    o.execution.tiles = tiles;
    o.execution.sched = "eager"; // asks no models, and lets nobody idle
    o.execution.calibrate = false;
    o.execution.plan = PlanChoice{PlanKind::graph, {}};
    return o;
}

/// Ways between memories, as StarPU measured them when it started.
Bus bus_between(unsigned from, unsigned to)
{
    return {1e6 * starpu_transfer_bandwidth(from, to), 1e-6 * starpu_transfer_latency(from, to)};
}

void look_at_devices(SimulatedDevices& d, const Session& session, starpu_worker_archtype kind)
{
    const std::vector<int> ids = session.worker_ids(kind);
    if (ids.empty()) return;
    d.count = std::max(d.count, int(ids.size()));
    const unsigned node = starpu_worker_get_memory_node(unsigned(ids.front()));
    d.memory_bytes = long(starpu_memory_get_total(node));
    d.to = bus_between(STARPU_MAIN_RAM, node);
    d.from = bus_between(node, STARPU_MAIN_RAM);
    if (ids.size() > 1)
        d.between = bus_between(node, starpu_worker_get_memory_node(unsigned(ids[1])));
    char name[64];
    starpu_worker_get_name(ids.front(), name, sizeof name);
    d.model = name;
}

/// Seconds to submit a task, while no worker takes any.
double seconds_to_submit(Case& problem)
{
    constexpr int times = 50;
    const PausedWorkers paused;
    const long before = problem.graph().tasks();
    Stopwatch clock;
    for (int i = 0; i < times; ++i) problem.solve().clear_x();
    return clock.lap() / double(problem.graph().tasks() - before);
}

class Calibrator
{
public:
    explicit Calibrator(const CalibrateSpec& o) : o_(o)
    {
        const MachineFacts facts = probe_machine();
        char host[256] = "";
        gethostname(host, sizeof host - 1);
        m_.name = host;
        m_.about = facts.cpu_model;
        m_.cores = facts.cores;
        m_.cache_bytes = long(MachineModel::of_this_machine().cache_a_core);
    }

    SimulatedMachine measure()
    {
        const std::vector<WorkerCounts> all = configurations(o_.run.execution, m_.cores);
        for (int round = 0; round < o_.rounds(); ++round)
            for (const WorkerCounts& w : all) {
                stop_if_asked("calibrate: interrupted, nothing is written");
                run(w, round);
            }
        m_.submit_seconds = median(submit_);
        m_.task_seconds = median(task_["CPU"]);
        m_.cuda.task_seconds = median(task_["CUDA"]);
        m_.opencl.task_seconds = median(task_["OpenCL"]);
        m_.times = samples_.times();
        return m_;
    }

private:
    void run(const WorkerCounts& w, int round)
    {
        const Extents lattice = *o_.run.problem.lattice();
        std::optional<Session> session;
        for (const Extents& tiles : tilings_for(o_.tiles(), lattice, w)) {
            if (volume(tiles) < w.all()) continue; // somebody would have nothing to do
            const RunSpec o = options_of(o_.run, w, tiles);
            if (!session) {
                session.emplace(session_options(o.execution, o.output.verbose(), one_rank()));
                look_at_devices(m_.cuda, *session, STARPU_CUDA_WORKER);
                look_at_devices(m_.opencl, *session, STARPU_OPENCL_WORKER);
            }
            if (!o_.run.output.quiet())
                std::cout << fmt::format("round {} of {}: {} worker{}, {}\n", round + 1,
                                         o_.rounds(), to_string(w), w.all() == 1 ? "" : "s",
                                         counted(volume(tiles), "tile"))
                          << std::flush;
            time_tasks(o, *session);
        }
    }

    void time_tasks(const RunSpec& o, const Session& session)
    {
        const auto gauge = open_problem_gauge(o.problem, o.output);
        const auto source = open_problem_source(o.problem, gauge->extents(), o.output);
        const RunPlan plan = make_plan(o, gauge->extents(), workers_of(session));
        Case problem(problem_of(o), plan, *gauge, *source);
        const SolveControl control{.tol = 0,
                                   .max_iterations = *o.method.iterations(),
                                   .progress = {},
                                   .stop = &stop_requested};
        problem.solve().solve({.tol = 0, .max_iterations = 2, .progress = {}}, Guess::zero);
        submit_.push_back(seconds_to_submit(problem));
        problem.graph().wait();
        const long before = problem.graph().tasks();
        Stopwatch clock; // while nobody looks: on devices that keeps kernels from overlapping
        problem.solve().solve(control, Guess::zero);
        const double elapsed = clock.lap();
        const long tasks = problem.graph().tasks() - before;
        Events events(problem.graph(), Events::Keep::all);
        problem.solve().solve(control, Guess::zero);
        const WorkerCounts w = session.workers();
        const double busy = samples_.add(events.take(), w.all());
        if (w.all() > 1) return;
        const char* const kind = w.cpu ? "CPU" : w.cuda ? "CUDA" : "OpenCL";
        task_[kind].push_back(std::max(0.0, (elapsed - busy) / double(tasks)));
    }

    const CalibrateSpec& o_;
    SimulatedMachine m_;
    TaskSamples samples_;
    std::vector<double> submit_;
    std::map<std::string, std::vector<double>> task_; // between two tasks, by kind of worker
};

/// The operation and what tells its kernels apart.
std::vector<std::string> words_of(const TaskTime& t)
{
    std::vector<std::string> words{t.operation};
    words.insert(words.end(), t.with.begin(), t.with.end());
    return words;
}

void print(std::ostream& out, const SimulatedMachine& m, const std::string& file)
{
    out << fmt::format("machine         {}, {}, {} CUDA, {} OpenCL devices\n", m.name,
                       counted(m.cores, "core"), m.cuda.count, m.opencl.count);
    out << fmt::format("overheads       {:.1f} us to submit a task, {:.1f} us between two of a CPU "
                       "worker\n",
                       1e6 * m.submit_seconds, 1e6 * m.task_seconds);
    out << fmt::format("  {:<40}{:<7}{:>5}{:>12}{:>11}{:>11}{:>11}{:>7}\n", "operation", "worker",
                       "busy", "KiB", "mean us", "10% us", "90% us", "calls");
    for (const TaskTime& t : m.times)
        out << fmt::format("  {:<40}{:<7}{:>5}{:>12.0f}{:>11.1f}{:>11.1f}{:>11.1f}{:>7}\n",
                           fmt::format("{}", fmt::join(words_of(t), " ")), t.worker, t.busy,
                           t.bytes / 1024, 1e6 * t.seconds, 1e6 * t.low, 1e6 * t.high, t.calls);
    out << fmt::format("written         {}\n", file);
}

} // namespace

int run_calibrate(const CalibrateSpec& asked)
{
    CalibrateSpec o = asked;
    o.run = completed(o.run);
    const std::string file = o.out().empty() ? file_of_this_machine() : o.out();
    if (file.empty())
        throw Error("calibrate: XDG_CACHE_HOME, STARPU_HOME and HOME are not set: --out says where "
                    "the machine is to be written");
    const auto gauge = open_problem_gauge(o.run.problem, o.run.output);
    o.run.problem.lattice = gauge->extents();
    if (!o.run.method.links()) o.run.method.links = default_links(*gauge, o.run.method.precision());
    if (o.run.execution.opencl().value_or(0) > 0) keep_pocl_to_its_worker();
    // StarPU's own models stay as they are.
    const TemporaryFolder models;
    Environment environment;
    environment.set("STARPU_PERF_MODEL_DIR", models.path().string());
    if (o.run.execution.opencl().value_or(0) > 0) count_opencl_on_cpus(environment);
    const SimulatedMachine m = Calibrator(o).measure();
    std::error_code failed;
    if (o.out().empty())
        std::filesystem::create_directories(std::filesystem::path(file).parent_path(), failed);
    write_machine(file, m);
    if (!o.run.output.quiet()) print(std::cout, m, file);
    write_result({o.run.output.json()}, to_json(m), o.run.output);
    return exit_converged;
}

} // namespace qcd
