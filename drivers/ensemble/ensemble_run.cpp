#include "drivers/ensemble/ensemble_run.hpp"

#include "base/atomic_file.hpp"
#include "drivers/machine/kernel_rates.hpp"
#include "drivers/plan/command.hpp"
#include "drivers/plan/run_plan.hpp"
#include "drivers/run/end_all.hpp"
#include "drivers/run/problem.hpp"
#include "drivers/run/run_observer.hpp"
#include "drivers/spec/rules.hpp"
#include "drivers/spec/run_fields.hpp"
#include "lattice/files/gauge_writer.hpp"
#include "lattice/files/running_xxh64.hpp"
#include "lattice/generated_gauge.hpp"
#include "lattice/twist.hpp"
#include "program/progress.hpp"
#include "program/progress_line.hpp"
#include "program/stop.hpp"
#include "program/stopwatch.hpp"
#include "runtime/machine_probe.hpp"
#include "runtime/session.hpp"
#include "tasks/link_measurement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>
#include <span>

namespace qcd
{

namespace
{

UpdateRule rule_of(const GenerateSpec& g)
{
    return {.beta = *g.beta(),
            .overrelaxations = g.overrelaxations(),
            .reunitarize = g.reunitarize(),
            .seed = g.seed()};
}

/// Workers and tiles as a graph of the operators would have them; tiles that were not asked for are
/// made fewer where they would not be equally thick.
RunPlan plan_of(const GenerateSpec& g, const Extents& lattice, const Workers& workers)
{
    RunSpec s;
    s.problem.lattice = lattice;
    s.execution = g.run.execution;
    s.method.links = LinkStorage::full;
    const bool whole = !s.execution.tiles() || volume(*s.execution.tiles()) == 1;
    if (!s.execution.plan() && (workers.counts.all() > 1 || !whole))
        s.execution.plan = PlanChoice{PlanKind::graph, {}};
    s = completed(s);
    const RunPlan plan = make_plan(s, lattice, workers);
    if (s.execution.tiles() || plan.kind == PlanKind::batch) return plan;
    Extents tiles = plan.tiles();
    for (int mu = 0; mu < 4; ++mu) {
        const int ranks = plan.rank_grid[mu];
        while (tiles[mu] > 0 && lattice[mu] / tile_granularity % tiles[mu] != 0) tiles[mu] -= ranks;
        if (tiles[mu] <= 0)
            throw Error(fmt::format("mpirun: {} ranks have no equally thick tiles of {} in "
                                    "direction {}, which updates of links need: choose a number "
                                    "that divides {}",
                                    ranks, to_string(lattice), "xyzt"[mu],
                                    lattice[mu] / tile_granularity));
    }
    s.execution.tiles = tiles;
    return make_plan(s, lattice, workers);
}

std::string command_of(const GenerateSpec& g, const Extents& lattice, const RunPlan& p)
{
    const long ranks = volume(p.rank_grid);
    std::string text = ranks > 1 ? fmt::format("mpirun -n {} ", ranks) : "";
    text += ensemble_command(g, lattice);
    RunSpec s;
    s.execution.plan = g.run.execution.plan();
    s.execution.sched_lib = g.run.execution.sched_lib();
    return text + " " + typed(as_chosen(s, p), {Role::execution});
}

/// xxh64 of the links, of which the first rank has it.
std::string digest_of(const LinkField& links)
{
    RunningXxh64 sum;
    links.visit_slices([&](int, std::span<const double> slice) { sum.add(std::as_bytes(slice)); });
    return fmt::format("{:016x}", sum.value());
}

void save_field(const GenerateSpec& g, const LinkField& links, const std::string& file)
{
    const Extents& lattice = links.graph().tiling().lattice();
    std::unique_ptr<GaugeWriter> writer; // of the first rank, which alone is given slices
    if (links.graph().ranks().speaks())
        writer =
            make_gauge_writer(file, lattice, g.format().value_or(gauge_format_of(file)), g.bits());
    GaugeMeasurement plaquettes(lattice);
    links.visit_slices([&](int t, std::span<const double> slice) {
        plaquettes.add_slice(t, slice);
        writer->write_slice(t, slice);
    });
    if (writer) writer->finish(plaquettes.result());
}

/// The sweeps of a run, and what is written on the way.
class Chain
{
public:
    Chain(const GenerateSpec& g, EnsembleReport& r, LinkField& links)
        : g_(g), r_(r), links_(links), ranks_(links.graph().ranks()), updates_(links, r.state.rule),
          measurement_(links), line_(g.run.output.quiet()), before_(r.state.counts)
    {
    }

    /// Until the last sweep, or the first one after somebody asks for an end.
    void run()
    {
        LatticeGraph& graph = links_.graph();
        const long tasks = graph.tasks();
        Stopwatch clock;
        if (r_.state.sweeps == 0 && r_.state.rows.empty() && measures(0)) measure(clock);
        {
            Graph::Batch batch(graph);
            while (r_.state.sweeps < g_.sweeps() && !ranks_.any(stop_requested)) step(graph, clock);
            graph.wait();
        }
        r_.sweep_seconds += clock.lap();
        r_.run.tasks = graph.tasks() - tasks;
        r_.interrupted = r_.state.sweeps < g_.sweeps();
    }

    /// What is left to write.
    void finish()
    {
        count();
        if (!g_.run.execution.checkpoint().empty()) checkpoint();
        if (!g_.save().empty() && !r_.interrupted) save(r_.state.sweeps);
        write_table();
        r_.digest = digest_of(links_);
    }

private:
    bool measures(int sweep) const
    {
        return g_.measure_every() > 0 && sweep % g_.measure_every() == 0;
    }

    void step(LatticeGraph& graph, Stopwatch& clock)
    {
        constexpr int sweeps_ahead = 8; // of those that are done: an end is soon there
        const int n = ++r_.state.sweeps;
        updates_.sweep(std::uint32_t(n));
        const bool saves = g_.every() && n % *g_.every() == 0;
        const bool checkpoints = ranks_.any(ranks_.speaks() && due()); // by the first one's clock
        if (measures(n) || saves || n % sweeps_ahead == 0 || checkpoints) {
            graph.wait();
            r_.sweep_seconds += clock.lap();
        }
        if (measures(n)) measure(clock);
        if (saves) save(n);
        if (checkpoints) {
            checkpoint();
            write_table();
        }
        show(n);
        if (saves) clock.lap();
    }

    void measure(Stopwatch& clock)
    {
        const LinkAverages m = measurement_.measure();
        r_.state.rows.push_back({.sweep = r_.state.sweeps,
                                 .plaquette = (m.plaquette_space + m.plaquette_time) / 2,
                                 .spatial = m.plaquette_space,
                                 .temporal = m.plaquette_time,
                                 .polyakov = m.polyakov});
        r_.measure_seconds += clock.lap();
    }

    void save(int n)
    {
        const std::string file = g_.file_of(n);
        save_field(g_, links_, file);
        if (r_.files.empty() || r_.files.back() != file) r_.files.push_back(file);
    }

    /// Is it time for a checkpoint?
    bool due() const
    {
        if (g_.run.execution.checkpoint().empty()) return false;
        const CheckpointInterval every =
            g_.run.execution.checkpoint_every().value_or(CheckpointInterval{});
        return every.iterations > 0 ? r_.state.sweeps % every.iterations == 0
                                    : Clock::now() - written_ >= every.time;
    }
    void checkpoint()
    {
        const std::string& file = g_.run.execution.checkpoint();
        count();
        write_ensemble(file, r_.state, links_);
        r_.checkpoint = file;
        written_ = Clock::now();
    }

    void count()
    {
        const link_counts own = updates_.counts();
        r_.state.counts = {before_.drawn + own.drawn, before_.trials + own.trials,
                           before_.exhausted + own.exhausted};
    }

    void write_table() const
    {
        if (g_.table().empty() || !ranks_.speaks()) return;
        const std::string text = csv_of(r_.state.rows);
        write_whole(g_.table(), std::as_bytes(std::span(text)));
    }

    void show(int n)
    {
        if (r_.state.rows.empty()) return;
        const double seconds = std::chrono::duration<double>(Clock::now() - began_).count();
        line_.show(fmt::format("sweep {} of {}  plaquette {:.6f}  about {} left", n, g_.sweeps(),
                               r_.state.rows.back().plaquette,
                               duration(seconds / r_.done() * (g_.sweeps() - n))));
    }

    using Clock = std::chrono::steady_clock;
    const GenerateSpec& g_;
    EnsembleReport& r_;
    LinkField& links_;
    Ranks& ranks_;
    LinkUpdates updates_;
    LinkMeasurement measurement_;
    ProgressLine line_;
    link_counts before_; // of the runs before
    Clock::time_point began_ = Clock::now(), written_ = Clock::now();
};

/// On devices timing keeps kernels from overlapping: one more sweep, of links that nobody needs any
/// more.
std::vector<KernelRate> rates_on_devices(LinkField& links, const UpdateRule& rule,
                                         const WorkerCounts& workers)
{
    Events events(links.graph());
    LinkUpdates(links, rule).sweep(1);
    return rates_of(events.times(), workers);
}

/// The sweeps, and what is known of their tasks.
void run_chain(EnsembleReport& r, const GenerateSpec& g, LinkField& links, const Session& session,
               RunObserver* observer)
{
    LatticeGraph& graph = links.graph();
    const WorkerCounts& w = session.workers();
    const std::optional<int> every = observer ? observer->every_batch(w) : std::nullopt;
    std::optional<Events> events;
    if (every || w.only_cores())
        events.emplace(graph, every ? Events::Keep::all : Events::Keep::sums, every.value_or(1));
    session.traffic();
    session.work();
    if (observer) observer->begin(graph, session);
    Chain chain(g, r, links);
    chain.run();
    if (observer) observer->solved();
    const std::vector<WorkDone> work = session.work();
    const Traffic traffic = session.traffic();
    if (observer) observer->end(work, w, events ? &*events : nullptr);
    if (w.only_cores()) r.run.kernels = rates_of(events->times(), w);
    events.reset();
    chain.finish();
    if (observer && !w.only_cores()) r.run.kernels = rates_on_devices(links, r.state.rule, w);
    const BusySeconds busy = busy_seconds(work, r.run.kernels, w);
    r.run.seconds.cores_busy = busy.cores;
    r.run.seconds.devices_busy = busy.devices;
    r.run.seconds.bus = traffic.seconds;
    r.run.bytes_moved = traffic.bytes;
}

} // namespace

SavedEnsemble beginning_of(const GenerateSpec& g)
{
    const std::optional<Extents>& lattice = g.run.problem.lattice();
    const std::string& resume = g.run.execution.resume();
    if (resume.empty()) {
        SavedEnsemble b;
        b.state.rule = rule_of(g);
        b.state.start = g.start();
        b.links = g.start() == "cold"  ? unit_gauge(*lattice)
                  : g.start() == "hot" ? random_gauge(*lattice, g.seed())
                                       : open_gauge(g.start(), lattice);
        b.state.lattice = b.links->extents();
        return b;
    }
    SavedEnsemble b = read_ensemble(open_file_bytes(resume));
    const auto require = [&](bool same, const char* option, const std::string& there) {
        if (!same)
            throw Error(fmt::format("--resume: {} is of an ensemble with {} {}",
                                    qcd::quoted(resume), option, there));
    };
    const UpdateRule rule = rule_of(g);
    const EnsembleState& s = b.state;
    require(!lattice || *lattice == s.lattice, "--lattice", to_string(s.lattice));
    require(rule.beta == s.rule.beta, "--beta", fmt::format("{}", s.rule.beta));
    require(g.start() == s.start, "--start", s.start);
    require(rule.seed == s.rule.seed, "--seed", fmt::format("{}", s.rule.seed));
    require(rule.overrelaxations == s.rule.overrelaxations, "--overrelax",
            fmt::format("{}", s.rule.overrelaxations));
    require(rule.reunitarize == s.rule.reunitarize, "--reunitarize-every",
            fmt::format("{}", s.rule.reunitarize));
    if (s.sweeps > g.sweeps())
        throw Error(fmt::format("--resume: {} has {} sweeps, and --sweeps asks for {} in all",
                                qcd::quoted(resume), s.sweeps, g.sweeps()));
    return b;
}

std::string ensemble_command(const GenerateSpec& g, const Extents& lattice)
{
    std::string text = fmt::format("qcd_starpu generate --lattice {} --beta {} --start {} --sweeps "
                                   "{} --overrelax {} --seed {}",
                                   to_string(lattice), *g.beta(), g.start(), g.sweeps(),
                                   g.overrelaxations(), g.seed());
    if (g.reunitarize() != UpdateRule{}.reunitarize)
        text += fmt::format(" --reunitarize-every {}", g.reunitarize());
    return text;
}

EnsembleReport run_ensemble(const GenerateSpec& g, SavedEnsemble beginning, Ranks& ranks,
                            RunObserver* observer)
{
    const RunSpec& o = g.run;
    EnsembleReport r;
    r.state = std::move(beginning.state);
    r.first_sweep = r.state.sweeps;
    r.asked_sweeps = g.sweeps();
    r.thermalize = g.thermalize().value_or(g.sweeps() / 5);
    r.measure_every = g.measure_every();
    RunReport& run = r.run;
    run.problem.lattice = r.state.lattice;
    run.load_average = load_average();
    MachineFacts facts = probe_machine();
    Stopwatch clock;
    const Session session(session_of_tasks(o, facts, ranks));
    note_workers(session.workers(), facts, ranks, o.output.quiet());
    run.workers = session.workers();
    run.bus_gb_per_s = session.bus_gb_per_s();
    run.plan = plan_of(g, r.state.lattice, workers_of(session));
    run.command = command_of(g, r.state.lattice, *run.plan);
    ObservedGauge source(std::move(beginning.links), "", Theta{}, o.output.quiet(), ranks);
    facts.available_bytes /= ranks.local_size();
    LatticeGraph graph(run.plan->tiling(), *run.plan, run.plan->rank_grid);
    require_memory("the ensemble", LinkField::bytes(graph) + source.bytes(), facts);
    run.seconds.setup = clock.lap();
    LinkField links(graph, source);
    end_all_if_it_fails(ranks, [&] {
        source.complete();
        if (source.bits() == 32) // in SU(3) to single accuracy
            LinkUpdates(links, r.state.rule).reunitarize();
        run.seconds.allocation = clock.lap();
        run.seconds.setup += run.seconds.allocation;
        run_chain(r, g, links, session, observer);
    });
    run.seconds.solve = r.sweep_seconds;
    run.iterations = r.done(); // sweeps, which a bound is made of
    run.fixed_iterations = true;
    run.gflops = std::numeric_limits<double>::quiet_NaN(); // nobody counts them
    run.interrupted = r.interrupted;
    run.verification = Verification::nothing;
    run.solution.digest = r.digest;
    r.means = means_of(r.state.rows, r.thermalize);
    r.averaged = r.means.empty() ? 0 : r.means.front().mean.n;
    return r;
}

} // namespace qcd
