#include "base/atomic_file.hpp"
#include "drivers/commands/commands.hpp"
#include "drivers/ensemble/ensemble_report.hpp"
#include "drivers/ensemble/ensemble_state.hpp"
#include "drivers/plan/run_plan.hpp"
#include "drivers/plan/worker_choice.hpp"
#include "drivers/report/recorders.hpp"
#include "drivers/run/end_all.hpp"
#include "drivers/run/problem.hpp"
#include "drivers/spec/rules.hpp"
#include "lattice/files/gauge_writer.hpp"
#include "lattice/files/running_xxh64.hpp"
#include "lattice/generated_gauge.hpp"
#include "lattice/twist.hpp"
#include "program/complain.hpp"
#include "program/json_file.hpp"
#include "program/progress.hpp"
#include "program/progress_line.hpp"
#include "program/provenance.hpp"
#include "program/stop.hpp"
#include "program/stopwatch.hpp"
#include "runtime/machine_probe.hpp"
#include "runtime/session.hpp"
#include "tasks/link_measurement.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <iostream>
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

/// The first field, and what is known of it.
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
    SavedEnsemble b = read_ensemble(resume);
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

/// Workers and tiles as a graph of the operators would have them; tiles that were not asked for are
/// made fewer where they would not be equally thick.
RunPlan plan_of(const GenerateSpec& g, const Extents& lattice, const Workers& workers)
{
    RunSpec s;
    s.problem.lattice = lattice;
    s.execution = g.run.execution;
    s.method.links = LinkStorage::full;
    if (!s.execution.plan() && workers.counts.all() > 1)
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

std::string command_of(const GenerateSpec& g, const EnsembleState& s, const RunPlan& p)
{
    const long ranks = volume(p.rank_grid);
    std::string text =
        fmt::format("{}qcd_starpu generate --lattice {} --beta {} --start {} "
                    "--sweeps {} --overrelax {} --seed {}",
                    ranks > 1 ? fmt::format("mpirun -n {} ", ranks) : "", to_string(s.lattice),
                    s.rule.beta, s.start, g.sweeps(), s.rule.overrelaxations, s.rule.seed);
    if (s.rule.reunitarize != UpdateRule{}.reunitarize)
        text += fmt::format(" --reunitarize-every {}", s.rule.reunitarize);
    text += fmt::format(" --plan {}{} --tiles {}", to_string(p.kind),
                        p.collects() ? fmt::format(":{}", p.iterations) : "", to_string(p.tiles()));
    const WorkerCounts& w = p.workers;
    text += fmt::format(" --cpus {} --cuda {} --opencl {}", w.cpu, w.cuda, w.opencl);
    if (w.cores_per_cpu > 1) text += fmt::format(" --cores-per-worker {}", w.cores_per_cpu);
    if (p.scheduler != "none") text += fmt::format(" --sched {}", p.scheduler);
    if (p.scheduler != "none" && !g.run.execution.sched_lib().empty())
        text += fmt::format(" --sched-lib {}", g.run.execution.sched_lib());
    return text;
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
        if (r_.state.sweeps == 0 && measures(0)) measure(clock);
        {
            Graph::Batch batch(graph);
            while (r_.state.sweeps < g_.sweeps() && !ranks_.any(stop_requested)) step(graph, clock);
            graph.wait();
        }
        r_.sweep_seconds += clock.lap();
        r_.tasks = graph.tasks() - tasks;
        r_.interrupted = r_.state.sweeps < g_.sweeps();
        finish();
    }

private:
    bool measures(int sweep) const { return sweep % g_.measure_every() == 0; }

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

    void finish()
    {
        count();
        if (!g_.run.execution.checkpoint().empty()) checkpoint();
        if (!g_.save().empty() && !r_.interrupted) save(r_.state.sweeps);
        write_table();
        r_.digest = digest_of(links_);
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

/// What traces say of a run.
RunReport run_report_of(const EnsembleReport& r)
{
    RunReport run;
    run.problem.lattice = r.state.lattice;
    run.plan = r.plan;
    run.workers = r.workers;
    run.command = r.command;
    run.iterations = r.done(); // sweeps, which a bound is made of
    return run;
}

} // namespace

int run_generate(const GenerateSpec& g, Ranks& ranks)
{
    const RunSpec& o = g.run;
    if (!o.execution.checkpoint().empty()) handle_checkpoint_signal();
    SavedEnsemble beginning = beginning_of(g);
    if (!g.plot().empty() && ranks.speaks()) require_history_folder(g.plot());
    EnsembleReport r;
    r.state = std::move(beginning.state);
    r.first_sweep = r.state.sweeps;
    r.asked_sweeps = g.sweeps();
    r.thermalize = g.thermalize().value_or(g.sweeps() / 5);
    r.measure_every = g.measure_every();
    std::optional<Recorders> recorders;
    if (!o.output.trace().empty() || !o.output.report().empty()) recorders.emplace(o, ranks);
    MachineFacts facts = probe_machine();
    Stopwatch clock;
    {
        SessionOptions options = session_options(o.execution, o.output.verbose(), ranks);
        if (ranks.several() && !options.cpus && cuda_devices().empty())
            options.cpus = workers_of_rank(facts.cores);
        leave_opencl_out(options);
        const Session session(options);
        note(crowding("CPU workers", session.workers().cores(), "cores", facts.cores, facts),
             o.output.quiet());
        note(too_few_cores(session.workers(), facts.cores, probe_processing_units().cores, ranks),
             o.output.quiet());
        note(gpus_of_ranks(session.workers(), ranks), o.output.quiet());
        r.workers = session.workers();
        r.plan = plan_of(g, r.state.lattice, workers_of(session));
        r.command = command_of(g, r.state, r.plan);
        ObservedGauge source(std::move(beginning.links), "", Theta{}, o.output.quiet(), ranks);
        facts.available_bytes /= ranks.local_size();
        LatticeGraph graph(r.plan.tiling(), r.plan, r.plan.rank_grid);
        require_memory("the ensemble", LinkField::bytes(graph) + source.bytes(), facts);
        LinkField links(graph, source);
        end_all_if_it_fails(ranks, [&] {
            source.complete();
            if (source.bits() == 32) // in SU(3) to single accuracy
                LinkUpdates(links, r.state.rule).reunitarize();
            r.setup_seconds = clock.lap();
            std::optional<Events> events;
            if (recorders) {
                if (const auto every = recorders->every_batch(r.workers))
                    events.emplace(graph, Events::Keep::all, *every);
                session.work();
                recorders->begin(graph, session);
            }
            Chain(g, r, links).run();
            if (recorders) {
                recorders->solved();
                recorders->end(session.work(), r.workers, events ? &*events : nullptr);
            }
        });
    }
    r.means = means_of(r.state.rows, r.thermalize);
    r.averaged = r.means.empty() ? 0 : r.means.front().mean.n;
    if (!o.output.quiet()) print_text(std::cout, r);
    if (!g.plot().empty() && ranks.speaks()) note(plot_history(g.plot(), r), o.output.quiet());
    const auto result = with_provenance(to_json(r), o.output, find_devices(), starpu_build());
    if (!o.output.json().empty()) write_json(o.output.json(), result);
    if (recorders)
        recorders->write(
            run_report_of(r), o.output, [](const auto& write) { write(); }, &result);
    if (r.interrupted && r.checkpoint.empty())
        note("generate: interrupted; without --checkpoint nothing is kept to go on from",
             o.output.quiet());
    return r.interrupted ? exit_not_converged : exit_converged;
}

} // namespace qcd
