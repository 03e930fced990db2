#include "base/error.hpp"
#include "base/text.hpp"
#include "drivers/bench/bench_operations.hpp"
#include "drivers/bench/bench_report.hpp"
#include "drivers/bench/bench_session.hpp"
#include "drivers/bench/bench_solves.hpp"
#include "drivers/bench/bench_timing.hpp"
#include "drivers/bench/grain.hpp"
#include "drivers/bench/plain_loop.hpp"
#include "drivers/commands/commands.hpp"
#include "drivers/plan/worker_choice.hpp"
#include "drivers/run/problem.hpp"
#include "drivers/run/shared_runs.hpp"
#include "program/complain.hpp"
#include "program/json_file.hpp"
#include "program/provenance.hpp"
#include "program/starpu_facts.hpp"
#include "program/stop.hpp"
#include "runtime/ranks.hpp"
#include "runtime/scheduler_library.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <deque>
#include <iostream>

namespace qcd
{

namespace
{

using Operations = std::vector<const BenchOperation*>;

constexpr const char *overhead_section = "runtime_overhead", *engines_section = "engines";
constexpr long largest_engine_volume = 16L * 16 * 16 * 32; // sequentially, half a minute
constexpr int most_engine_runs = 3;

std::string name_of(const Tiling& tiling) { return "bench on " + to_string(tiling.lattice()); }

bool is_part(const std::string& part, const std::string& name)
{
    return name.find(part) != std::string::npos;
}

/// Does --ops ask for it?
bool selected(const BenchSpec& o, const std::string& name)
{
    const auto is_in = [&](const std::string& part) { return is_part(part, name); };
    return o.ops().empty() || std::any_of(o.ops().begin(), o.ops().end(), is_in);
}

Operations select(const BenchSpec& o)
{
    Operations chosen;
    std::vector<std::string> names{overhead_section, engines_section};
    for (const BenchOperation& op : bench_operations()) {
        names.emplace_back(op.name);
        if (selected(o, op.name) && (o.rhs() == 1 || !(op.only & op.of_one_rhs)))
            chosen.push_back(&op);
    }
    for (const std::string& part : o.ops())
        if (std::none_of(names.begin(), names.end(),
                         [&](const std::string& name) { return is_part(part, name); }))
            throw Error("--ops: {} is in none of the names {}", qcd::quoted(part),
                        fmt::join(names, ", "));
    if (chosen.empty() && o.rhs() > 1)
        throw Error("--rhs: what --ops chooses is on one right-hand side");
    return chosen;
}

/// A line on the sections that are left out, because ranks do not share them. Throws Error where
/// nothing else is asked for.
std::string left_out_of_ranks(const Operations& operations, const Ranks& ranks)
{
    if (!ranks.several()) return "";
    if (operations.empty())
        throw Error("mpirun: {} and {} are of one process (without mpirun)", overhead_section,
                    engines_section);
    return fmt::format("{} and {} are of one process, and left out", overhead_section,
                       engines_section);
}

/// Runs what is verified, the operation on general data.
void run_once(const BenchOperation& op, BenchFields& fields)
{
    fields.set_scalars(true);
    (op.check ? op.check : op.submit)(fields);
    fields.graph.wait();
}

void reset(const BenchOperation& op, BenchFields& fields)
{
    for (const int i : op.writes) fields.reset(i);
}

/// What the generic CPU kernels tell of operations: results, by lattice, precision and storage of
/// links, and the work of each. The first of several ranks computes both, alone.
class References
{
public:
    References(const BenchSpec& o, const Operations& operations, Ranks& ranks)
        : o_(o), operations_(operations)
    {
        if (ranks.speaks() && !operations.empty()) compute();
        stop_all_if_asked(ranks);
        for (const Precision p : o.precisions())
            for (const LinkStorage links : o.links())
                for (const BenchOperation* op : operations_of(p, links)) {
                    UnitWork& work = works_[{p, links, op->name}];
                    work = ranks.from_rank(0, work);
                }
    }

    /// The operations that this precision has, and whose kernel for this storage of links is not
    /// the one for the first.
    Operations operations_of(Precision p, LinkStorage links) const
    {
        Operations some;
        for (const BenchOperation* op : operations_)
            if (op->has(p) &&
                (links == o_.links().front() || work(p, o_.links().front(), *op).reads_links))
                some.push_back(op);
        return some;
    }

    const UnitWork& work(Precision p, LinkStorage links, const BenchOperation& op) const
    {
        return works_.at({p, links, op.name});
    }

    /// Is the result on the fields that of the generic kernel? All ranks get the answer.
    bool agree(const Extents& lattice, Precision p, LinkStorage links, const BenchOperation& op,
               const BenchFields& fields) const
    {
        Ranks& ranks = fields.graph.ranks();
        const std::string result = result_of(op, fields);
        return ranks.from_rank(0, ranks.speaks() &&
                                      result == results_.at({lattice, p, links, op.name}));
    }

private:
    void compute()
    {
        const BenchSession session({}, {.cpu = 1, .cores_per_cpu = cores_}, o_.run.output.verbose(),
                                   one_rank());
        // All lanes of its blocks have a site, and those of blocks at a face have one on the face.
        const Tiling tiles_for_work({8, 8, 8, 4}, {1, 1, 1, 2});
        for (const Precision p : o_.precisions())
            for (const LinkStorage links : o_.links()) {
                visit(tiles_for_work, p, links, [&](const BenchOperation& op, BenchFields& fields) {
                    works_[{p, links, op.name}] = work_of(op, fields);
                });
                for (const Extents& lattice : o_.lattices()) {
                    if (stop_requested) return;
                    const Tiling tiling = session.plan(lattice, p).tiling();
                    visit(tiling, p, links, [&](const BenchOperation& op, BenchFields& fields) {
                        results_[{lattice, p, links, op.name}] = generic_result(op, fields);
                    });
                }
            }
    }

    /// Calls f(operation, fields) for each operation, on a graph whose tasks can be recorded.
    template <class F>
    void visit(const Tiling& tiling, Precision p, LinkStorage links, const F& f) const
    {
        require_memory(name_of(tiling), BenchFields::bytes(tiling, p, links, o_.rhs()),
                       probe_machine());
        LatticeGraph graph(tiling, Plan{.cores_per_worker = cores_}, {1, 1, 1, 1}, o_.rhs());
        BenchFields fields(graph, p, links);
        for (const BenchOperation* op : operations_of(p, links)) f(*op, fields);
    }

    std::string generic_result(const BenchOperation& op, BenchFields& fields) const
    {
        TaskRecorder recorder(fields.graph);
        run_once(op, fields);
        const PlainLoop loop(recorder.take(), PlainLoop::Isa::generic);
        reset(op, fields);
        fields.set_scalars(true);
        loop.run(cores_);
        const std::string result = result_of(op, fields);
        reset(op, fields);
        return result;
    }

    const BenchSpec& o_;
    const Operations& operations_;
    const int cores_ = probe_machine().cores;
    std::map<std::tuple<Precision, LinkStorage, std::string>, UnitWork> works_;
    std::map<std::tuple<Extents, Precision, LinkStorage, std::string>, std::string> results_;
};

/// Measures the rows of one lattice in one precision. Throws Error (verification) when the workers'
/// result is not the generic CPU kernel's.
void bench_lattice(const BenchSession& session, const References& references,
                   const Extents& lattice, Precision precision, LinkStorage links,
                   const BenchSpec& o, ConfigurationReport& report)
{
    const RunPlan plan = session.plan(lattice, precision, links);
    const Tiling tiling = plan.tiling();
    const bool cores = plan.workers.only_cores(), apart = cores && plan.collects();
    const auto bytes = std::size_t(plan.largest_share() *
                                   double(BenchFields::bytes(tiling, precision, links, o.rhs())));
    require_memory(name_of(tiling), apart ? 2 * bytes : bytes, probe_machine());
    require_device_memory(session.workers(), tiling, precision, links, true, o.rhs(), bytes);
    LatticeGraph graph(tiling, plan, plan.rank_grid, o.rhs());
    BenchFields fields(graph, precision, links);
    const Operations operations = references.operations_of(precision, links);
    for (const BenchOperation* op : operations) {
        run_once(*op, fields);
        if (!references.agree(lattice, precision, links, *op, fields))
            throw Error(fmt::format("bench: {} on {}, {}, {}: the result is not, bit for bit, that "
                                    "of the generic CPU kernel",
                                    op->name, to_string(plan.workers), to_string(lattice),
                                    to_string(precision)),
                        exit_verify_failed);
        reset(*op, fields);
    }
    fields.set_scalars(false);
    // No loops can be made of operations that are collected.
    std::optional<LatticeGraph> graph_of_loops;
    std::optional<BenchFields> fields_of_loops;
    if (apart) {
        graph_of_loops.emplace(tiling, Plan{.cores_per_worker = plan.cores_per_worker},
                               Extents{1, 1, 1, 1}, o.rhs());
        fields_of_loops.emplace(*graph_of_loops, precision, links);
        fields_of_loops->set_scalars(false);
    }
    for (const BenchOperation* op : operations) {
        if (op->applies && !op->applies(tiling)) continue;
        const double units = op->unit_count(tiling);
        const UnitWork& work = references.work(precision, links, *op);
        OperationRow row{.operation = op->name,
                         .precision = std::string(to_string(precision)),
                         .links = work.reads_links ? reals(links) : 0,
                         .lattice = lattice,
                         .tiles = tiling.tiles(),
                         .seconds = time_of_tasks(*op, fields, o.repeat()) / o.rhs(),
                         .plain = {},
                         .flop = units * work.flops,
                         .bytes = units * work.bytes};
        if (cores)
            row.plain = time_of_loops(*op, apart ? *fields_of_loops : fields, plan.workers.cores(),
                                      o.rhs() * row.seconds, o.repeat()) /
                        o.rhs();
        report.rows.push_back(row);
    }
}

/// Measures the memory of all ranks at the same time.
MemoryBandwidth bandwidth_of_all(Ranks& ranks, const MachineFacts& facts, int threads)
{
    ranks.barrier();
    MemoryBandwidth sum = measure_bandwidth(facts, threads);
    const std::vector<MemoryBandwidth> all = ranks.all(sum);
    sum.threads = 0;
    sum.triad = sum.read = 0;
    for (const MemoryBandwidth& b : all) {
        sum.threads += b.threads;
        sum.triad += b.triad;
        sum.read += b.read;
    }
    return sum;
}

/// Adds a part to the report, which has each row as soon as it is measured.
void bench_workers(const BenchSpec& o, const References& references, const WorkerCounts& workers,
                   Ranks& ranks, BenchReport& whole)
{
    ConfigurationReport& report = whole.configurations.emplace_back();
    report.workers = workers;
    report.load_average = load_average();
    const MachineFacts facts = probe_machine();
    if (workers.cpu > 0) report.before = bandwidth_of_all(ranks, facts, workers.cores());
    {
        const BenchSession session(o.run.execution, workers, o.run.output.verbose(), ranks);
        report.scheduler = session.session().scheduler();
        if (workers.cpu == 0) report.device_triad = triad_of_devices(session);
        for (const Extents& lattice : o.lattices())
            for (const Precision p : o.precisions())
                for (const LinkStorage links : o.links())
                    bench_lattice(session, references, lattice, p, links, o, report);
    }
    stop_all_if_asked(ranks);
    if (workers.cpu > 0) report.after = bandwidth_of_all(ranks, facts, workers.cores());
}

/// Would a solve of the lattice run with these workers of all cores?
bool are_chosen(const WorkerCounts& w, const Extents& lattice, const ExecutionSpec& o)
{
    RunSpec solve;
    solve.execution = o;
    const auto chosen =
        workers_for(solve, lattice, 0, w.cores(), one_rank(), [](const std::string&) {});
    return chosen.cores_per_worker == w.cores_per_cpu;
}

/// Measures the sections with whole solves on all cores, engines with the workers that a solve
/// would have. A row that is interrupted is left out.
void bench_solves(const BenchSpec& o, const WorkerCounts& workers, BenchReport& report)
{
    std::vector<Extents> of_engines; // chosen before a session changes the environment
    for (const Extents& lattice : o.lattices())
        if (selected(o, engines_section) && volume(lattice) <= largest_engine_volume &&
            are_chosen(workers, lattice, o.run.execution))
            of_engines.push_back(lattice);
    if (of_engines.empty() && !selected(o, overhead_section)) return;
    const BenchSession session(o.run.execution, workers, o.run.output.verbose(), one_rank());
    for (const Extents& lattice : o.lattices())
        for (const Precision p : o.precisions())
            if (selected(o, overhead_section) && !is_fixed_point(p))
                report.overheads.push_back(measure_overhead(session, lattice, p, o.repeat()));
    for (const Extents& lattice : of_engines)
        report.engines.push_back(
            measure_engines(session, lattice, std::min(o.repeat(), most_engine_runs)));
}

void bench_all(const BenchSpec& o, const Operations& operations,
               const std::vector<WorkerCounts>& configurations, Ranks& ranks, BenchReport& report)
{
    const References references(o, operations, ranks);
    for (const WorkerCounts& w : configurations) {
        if (operations.empty()) continue;
        // Each part is printed at once, also where it is interrupted: the whole takes minutes.
        std::optional<Interrupted> interruption;
        try {
            bench_workers(o, references, w, ranks, report);
        } catch (const Interrupted& e) {
            interruption = e;
        }
        if (!o.run.output.quiet()) print_text(std::cout, report.configurations.back());
        std::cout.flush();
        if (interruption) throw *interruption;
    }
    if (!o.ops().empty() && !o.run.output.quiet())
        for (const Extents& lattice : o.lattices())
            if (selected(o, engines_section) && volume(lattice) > largest_engine_volume)
                std::cout << fmt::format(
                    "{} on {}: left out, the sequential one would take minutes\n", engines_section,
                    to_string(lattice));
    if (ranks.several()) return;
    int most = 0;
    for (const WorkerCounts& w : configurations) most = std::max(most, w.cores());
    for (const WorkerCounts& w : configurations)
        if (w.cpu > 0 && w.cores() == most && o.rhs() == 1) bench_solves(o, w, report);
}

/// One CPU worker, all of them, and devices of each kind: a worker of several cores only where it is
/// asked for, because its tasks are not a core's.
std::vector<WorkerCounts> workers_of_grain(std::vector<WorkerCounts> all, const BenchSpec& o)
{
    if (!o.run.execution.cores_per_worker())
        std::erase_if(all, [](const WorkerCounts& w) { return w.cores_per_cpu > 1; });
    return all;
}

/// How small tasks may be. Each workload is printed as soon as it is measured.
void bench_grain(const BenchSpec& o, const std::vector<WorkerCounts>& configurations, Ranks& ranks,
                 BenchReport& report)
{
    std::deque<GrainMeasurement> all; // what is wrong with one is said before the first one runs
    for (const GrainWorkload& w : grain_workloads(o)) all.emplace_back(o, w, configurations);
    for (GrainMeasurement& measurement : all) {
        report.grains.push_back(measurement.run(ranks));
        const GrainReport& grain = report.grains.back();
        if (!o.run.output.quiet()) print_text(std::cout, grain);
        if (const std::string folder = measurement.folder(); !folder.empty()) {
            note(draw_charts(folder, grain), o.run.output.quiet());
            if (!o.run.output.quiet())
                std::cout << fmt::format("\n  {}: runs.csv, and charts as .svg, .png, .gp, .dat\n",
                                         folder);
        }
        std::cout.flush();
        stop_if_asked("bench: interrupted");
    }
}

/// Throws Error for what cannot be measured, before anything is.
void require_grain(const BenchSpec& o, const Ranks& ranks)
{
    if (ranks.several()) throw Error("mpirun: --grain is of one process (without mpirun)");
    grain_workloads(o);
    const std::string& file = o.run.execution.sched_lib();
    const std::string library =
        file.empty() ? scheduler_library_of_environment() : scheduler_library_path(file);
    for (const std::string& name : o.schedulers()) require_scheduler("--sched", name, library);
}

/// The devices that each rank has: GPUs are shared among ranks.
std::vector<Device> devices_of_rank(Ranks& ranks)
{
    std::vector<Device> devices = find_devices();
    if (!ranks.several()) return devices;
    int left = least_of_all(ranks, int(cuda_devices_for({.ranks = &ranks}).size()));
    std::erase_if(devices, [&](const Device& d) { return d.kind == "CUDA" && left-- <= 0; });
    return devices;
}

} // namespace

int run_bench(const BenchSpec& o, Ranks& ranks)
{
    if (o.grain()) require_grain(o, ranks);
    const Operations operations = o.grain() ? Operations{} : select(o);
    BenchReport report;
    const std::string left_out = o.grain() ? "" : left_out_of_ranks(operations, ranks);
    report.machine = probe_machine();
    report.machine.cores = least_of_all(ranks, report.machine.cores);
    report.ranks = ranks.size();
    report.isa = to_string(cpu_isa());
    report.repeat = o.repeat();
    report.rhs = o.rhs();
    const std::vector<Device> devices = devices_of_rank(ranks);
    std::vector<WorkerCounts> configurations =
        bench_configurations(o.run.execution, report.machine, devices, ranks);
    if (o.grain()) configurations = workers_of_grain(configurations, o);
    for (const WorkerCounts& w : configurations)
        if (const std::string crowd =
                crowding("CPU workers", w.cores(), "cores", report.machine.cores, report.machine);
            !o.oversubscribe() && !crowd.empty())
            throw Error("bench: {}; --oversubscribe measures all the same", crowd);
    if (!o.run.output.quiet()) {
        print_heading(std::cout, report);
        std::cout.flush();
    }
    note(left_out, o.run.output.quiet());
    std::optional<Interrupted> interruption;
    try {
        if (o.grain())
            bench_grain(o, configurations, ranks, report);
        else
            bench_all(o, operations, configurations, ranks, report);
    } catch (const Interrupted& e) {
        interruption = e;
        report.interrupted = true;
    }
    if (!o.run.output.quiet()) {
        print_legend(std::cout, report);
        print_overheads(std::cout, report.overheads);
        print_engines(std::cout, report.engines);
    }
    if (!o.run.output.json().empty())
        write_json(o.run.output.json(),
                   with_provenance(to_json(report), o.run.output, devices, starpu_build()));
    ranks.barrier(); // the first one has written what there is
    if (interruption) throw *interruption;
    const bool complete = std::all_of(report.grains.begin(), report.grains.end(),
                                      [](const GrainReport& g) { return g.complete; });
    return complete ? exit_converged : exit_missing_device;
}

} // namespace qcd
