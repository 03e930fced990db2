#include "drivers/bench_operations.hpp"
#include "drivers/bench_report.hpp"
#include "drivers/bench_session.hpp"
#include "drivers/bench_solves.hpp"
#include "drivers/bench_timing.hpp"
#include "drivers/commands.hpp"
#include "drivers/plain_loop.hpp"
#include "drivers/problem.hpp"
#include "drivers/tuning.hpp"
#include "lattice/error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
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

/// Does --ops ask for it?
bool selected(const cli::BenchOptions& o, const std::string& name)
{
    return o.ops.empty() || std::any_of(o.ops.begin(), o.ops.end(), [&](const std::string& part) {
               return name.find(part) != std::string::npos;
           });
}

Operations select(const cli::BenchOptions& o)
{
    Operations chosen;
    std::string names;
    for (const BenchOperation& op : bench_operations()) {
        names += std::string(op.name) + ", ";
        if (selected(o, op.name)) chosen.push_back(&op);
    }
    if (chosen.empty() && !selected(o, overhead_section) && !selected(o, engines_section))
        throw Error(fmt::format("--ops: no operation has such a name: {}{} and {} there are", names,
                                overhead_section, engines_section));
    return chosen;
}

/// Of the operations those that are another kernel for this storage of links than for the first.
Operations that_differ(const Operations& operations, LinkStorage links, const cli::BenchOptions& o)
{
    Operations some;
    for (const BenchOperation* op : operations)
        if (op->cost.links > 0 || links == o.links.front()) some.push_back(op);
    return some;
}

/// What is verified: the operation on general data.
void run_once(const BenchOperation& op, BenchFields& fields)
{
    fields.set_coefficients(true);
    (op.check ? op.check : op.submit)(fields);
    wait_for_all();
}

void reset(const BenchOperation& op, BenchFields& fields)
{
    for (const int i : op.writes) fields.reset(i);
}

/// The results of the generic CPU kernels, by lattice, precision and operation.
class References
{
public:
    References(const cli::BenchOptions& o, const Operations& operations)
    {
        if (operations.empty()) return;
        const BenchSession session({}, {.cpu = 1});
        for (const Extents& lattice : o.lattices)
            for (const cli::Precision p : o.precisions) {
                const Tiling tiling = session.tiling(lattice, real_bytes(stored_precision(p)));
                for (const LinkStorage links : o.links) {
                    stop_if_asked("bench: interrupted");
                    require_memory(name_of(tiling),
                                   BenchFields::bytes(tiling, stored_precision(p), links),
                                   probe_machine());
                    BenchFields fields(tiling, stored_precision(p), links);
                    for (const BenchOperation* op : that_differ(operations, links, o))
                        results_[{lattice, p, links, op->name}] = generic_result(*op, fields);
                }
            }
    }

    const std::string& at(const Extents& lattice, cli::Precision p, LinkStorage links,
                          const BenchOperation& op) const
    {
        return results_.at({lattice, p, links, op.name});
    }

private:
    static std::string generic_result(const BenchOperation& op, BenchFields& fields)
    {
        TaskRecorder recorder;
        run_once(op, fields);
        const PlainLoop loop(recorder.take(), PlainLoop::Isa::generic,
                             PlainLoop::Coefficients::shared);
        reset(op, fields);
        fields.set_coefficients(true);
        loop.run(1);
        const std::string result = result_of(op, fields);
        reset(op, fields);
        return result;
    }

    std::map<std::tuple<Extents, cli::Precision, LinkStorage, std::string>, std::string> results_;
};

/// Throws Error (verification) when the workers' result is not the generic CPU kernel's.
void verify(const BenchOperation& op, BenchFields& fields, const std::string& reference,
            const std::string& where)
{
    run_once(op, fields);
    if (result_of(op, fields) != reference)
        throw Error(fmt::format("bench: {} on {}: the result is not, bit for bit, that of the "
                                "generic CPU kernel",
                                op.name, where),
                    exit_verify_failed);
    reset(op, fields);
}

/// The rows of one lattice in one precision.
void bench_lattice(const BenchSession& session, LaunchTuning& shapes, const Operations& operations,
                   const References& references, const Extents& lattice, cli::Precision precision,
                   LinkStorage links, int repeat, std::vector<OperationRow>& rows)
{
    const Precision stored = stored_precision(precision);
    const Tiling tiling = session.tiling(lattice, real_bytes(stored));
    require_memory(name_of(tiling), BenchFields::bytes(tiling, stored, links), probe_machine());
    shapes.prepare(tiling, stored, links);
    BenchFields fields(tiling, stored, links);
    const std::string where = fmt::format("{}, {}, {}", to_string(session.machine().workers()),
                                          to_string(lattice), to_string(precision));
    for (const BenchOperation* op : operations)
        verify(*op, fields, references.at(lattice, precision, links, *op), where);
    fields.set_coefficients(false);
    const WorkerCounts workers = session.machine().workers();
    const bool batches = one_worker_has_all(workers, tiling);
    for (const BenchOperation* op : operations) {
        if (op->applies && !op->applies(tiling)) continue;
        const double units = op->unit_count(tiling);
        OperationRow row{.operation = op->name,
                         .precision = std::string(to_string(precision)),
                         .links = op->cost.links > 0 ? reals(links) : 0,
                         .lattice = lattice,
                         .tiles = tiling.tiles(),
                         .seconds = time_of_tasks(*op, fields, batches, repeat),
                         .plain = {},
                         .flop = units * op->cost.flop,
                         .bytes = units * op->reals_with(links) * double(real_bytes(stored))};
        if (workers.cpu == workers.all())
            row.plain = time_of_loops(*op, fields, workers.cores(), row.seconds, repeat);
        rows.push_back(row);
    }
}

/// Do these workers compute in the host's memory?
bool use_host_memory(const WorkerCounts& w, const std::vector<Device>& devices)
{
    const auto is_cpu = [](const Device& d) { return d.kind != "OpenCL" || d.is_cpu; };
    return w.cuda == 0 && (w.opencl == 0 || std::all_of(devices.begin(), devices.end(), is_cpu));
}

/// Into a new part of the report: rows are there as soon as they are measured.
void bench_workers(const cli::BenchOptions& o, const Operations& operations,
                   const References& references, const WorkerCounts& workers, bool host_memory,
                   BenchReport& whole)
{
    ConfigurationReport& report = whole.configurations.emplace_back();
    report.workers = workers;
    report.load_average = load_average();
    const MachineFacts facts = probe_machine();
    const int threads =
        workers.cpu > 0 ? workers.cores() : facts.cores; // an OpenCL of the CPU uses all cores
    if (host_memory) report.before = measure_bandwidth(facts, threads);
    {
        const BenchSession session(o.machine, workers);
        report.scheduler = session.machine().scheduler();
        LaunchTuning shapes(o.machine, session.machine(), [](const std::string&) {});
        for (const Extents& lattice : o.lattices)
            for (const cli::Precision p : o.precisions)
                for (const LinkStorage links : o.links)
                    bench_lattice(session, shapes, that_differ(operations, links, o), references,
                                  lattice, p, links, o.repeat, report.rows);
        report.launch_shapes = shapes.report();
    }
    stop_if_asked("bench: interrupted");
    if (host_memory) report.after = measure_bandwidth(facts, threads);
}

/// The sections with whole solves, on all cores. A row that was interrupted is none.
void bench_solves(const cli::BenchOptions& o, const WorkerCounts& workers, BenchReport& report)
{
    const BenchSession session(o.machine, workers);
    for (const Extents& lattice : o.lattices)
        for (const cli::Precision p : o.precisions)
            if (selected(o, overhead_section)) {
                const OverheadRow row = measure_overhead(session, lattice, p, o.repeat);
                stop_if_asked("bench: interrupted");
                report.overheads.push_back(row);
            }
    for (const Extents& lattice : o.lattices)
        if (selected(o, engines_section) && volume(lattice) <= largest_engine_volume) {
            const EngineRow row =
                measure_engines(session, lattice, std::min(o.repeat, most_engine_runs));
            stop_if_asked("bench: interrupted");
            report.engines.push_back(row);
        }
}

/// Prints a part at once: the whole takes minutes.
template <class Part>
void show(const cli::BenchOptions& o, const Part& part)
{
    if (!o.output.quiet) {
        print_text(std::cout, part);
        std::cout.flush();
    }
}

void bench_all(const cli::BenchOptions& o, const Operations& operations,
               const std::vector<WorkerCounts>& configurations, const std::vector<Device>& devices,
               BenchReport& report)
{
    const References references(o, operations);
    WorkerCounts cores;
    for (const WorkerCounts& w : configurations) {
        if (w.cpu > 0 && w.cores_per_cpu == o.machine.cores_per_worker.value_or(1)) cores = w;
        if (operations.empty()) continue;
        try {
            bench_workers(o, operations, references, w, use_host_memory(w, devices), report);
        } catch (const Interrupted&) {
            show(o, report.configurations.back());
            throw;
        }
        show(o, report.configurations.back());
    }
    if (cores.cpu > 0) bench_solves(o, cores, report);
}

} // namespace

int run_bench(const cli::BenchOptions& o)
{
    const Operations operations = select(o);
    BenchReport report;
    report.machine = probe_machine();
    report.isa = to_string(cpu_isa());
    report.repeat = o.repeat;
    const std::vector<Device> devices = find_devices();
    const std::vector<WorkerCounts> configurations =
        bench_configurations(o.machine, report.machine, devices);
    if (!o.output.quiet) {
        print_heading(std::cout, report);
        std::cout.flush();
    }
    std::optional<Interrupted> interruption;
    try {
        bench_all(o, operations, configurations, devices, report);
    } catch (const Interrupted& e) {
        interruption = e;
        report.interrupted = true;
    }
    show(o, report.overheads);
    show(o, report.engines);
    if (!o.output.json.empty()) write_json(o.output.json, to_json(report));
    if (interruption) throw *interruption;
    return exit_converged;
}

} // namespace qcd
