#include "drivers/commands/commands.hpp"
#include "drivers/propagator/kept_solutions.hpp"
#include "drivers/propagator/pion_plot.hpp"
#include "drivers/propagator/propagator_report.hpp"
#include "drivers/run/end_all.hpp"
#include "drivers/run/kept_vectors.hpp"
#include "drivers/run/problem.hpp"
#include "drivers/run/run_case.hpp"
#include "drivers/run/spinor_files.hpp"
#include "drivers/run/with_starpu.hpp"
#include "drivers/spec/rules.hpp"
#include "lattice/box.hpp"
#include "lattice/files/spinor_writer.hpp"
#include "lattice/smearing.hpp"
#include "program/complain.hpp"
#include "program/provenance.hpp"
#include "program/stop.hpp"
#include "program/stopwatch.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <optional>

namespace qcd
{

namespace
{

std::unique_ptr<SpinorSource> source_of(const PropagatorSpec& p, int number, const Extents& lattice)
{
    return open_spinor_source(fmt::format("{},{},{}", p.source(), number / 3, number % 3), lattice);
}

/// From where distances are counted: the first site, in the order of sites, where the source is.
Coord origin_of(const SpinorSource& source, const Extents& l)
{
    for (long site = 0; site < volume(l); ++site) {
        const Coord x = coordinates(l, site);
        double b[24];
        source.site(x, b);
        if (std::any_of(b, b + 24, [](double c) { return c != 0; })) return x;
    }
    return {};
}

/// Null, too, on ranks that write none.
std::unique_ptr<SpinorWriter> writer_of(const PropagatorSpec& p, const Extents& lattice,
                                        const Ranks& ranks)
{
    if (p.save().empty() || !ranks.speaks()) return nullptr;
    return make_spinor_writer(
        p.save(), {.lattice = lattice,
                   .bits = p.run.method.precision() == Precision::f64 ? 64 : 32,
                   .spinors = propagator_sources,
                   .propagator = true,
                   .info = fmt::format("S of D S = 1, kappa {}, mubar {}, csw {}, source {}",
                                       kappa_of(p.run.problem), p.run.problem.mubar(),
                                       p.run.problem.csw(), source_text(p)),
                   .phases = written_phases(p.phases(), p.run.problem)});
}

/// What fails does not cost the other solves.
void save(const PropagatorSpec& p, std::unique_ptr<SpinorWriter>& writer, SolveCase& run, int rhs,
          Ranks& ranks, Propagator& out)
{
    if (!ranks.any(writer != nullptr)) return; // on all ranks or none
    try {
        run.visit_x([&](const Coord&, const double* x) { writer->add_site(x); }, rhs);
        if (!writer) return;
        if (out.solves.size() < propagator_sources) return;
        writer->finish();
        out.file = p.save();
        const ProblemSpec& problem = p.run.problem;
        if (is_twisted(boundary_angles(problem.antiperiodic(), problem.theta())))
            out.phases = p.phases().value_or(BoundaryPhases::boundary);
    } catch (const Error& e) {
        out.unsaved = e.what();
        writer.reset();
    }
}

/// The twelve in turn, of a gauge field that was read.
class Sources
{
public:
    Sources(const PropagatorSpec& p, const ObservedGauge& gauge, const Coord& origin)
        : options_(p), lattice_(gauge.extents())
    {
        if (p.smearing()) smeared_.emplace(lattice_, origin, *p.smearing(), gauge.kept_slice());
    }
    std::unique_ptr<SpinorSource> operator()(int number) const
    {
        return smeared_ ? smeared_->source(number / 3, number % 3)
                        : source_of(options_, number, lattice_);
    }

private:
    const PropagatorSpec& options_;
    Extents lattice_;
    std::optional<SmearedPoint> smeared_;
};

void stop_between(const std::optional<KeptSolutions>& kept, Ranks& ranks)
{
    if (!ranks.any(stop_requested)) return;
    stop_requested = true; // of another rank
    const std::string line =
        kept ? fmt::format("what was solved is in {}, and the same command goes on", kept->folder())
             : "nothing was written";
    stop_if_asked(("propagator: interrupted: " + line).c_str());
}

/// Some of the twelve, which the case solves together.
class Group
{
public:
    /// From number `first` on, as many as the case has right-hand sides and there are.
    Group(const Sources& sources, int first, int rhs, const RunReport& report, SolveCase& run)
        : first_(first), count_(std::min(rhs, propagator_sources - first)), run_(run),
          whole_(report), kept_(count_)
    {
        whole_.rhs.assign(rhs, report);
        for (int i = 0; i < rhs; ++i) {
            sources_.push_back(i < count_ ? sources(first + i) : std::make_unique<ZeroSource>());
            run.set_source(*sources_.back(), i);
        }
    }

    int size() const { return count_; }
    const RunReport& report(int i) const { return whole_.rhs[i]; }
    bool is_kept(int i) const { return kept_[i]; }

    /// Takes the solutions of an earlier run, and solves for the others.
    void solve(const std::optional<KeptSolutions>& kept, const RunSpec& o, Propagator& out)
    {
        for (int i = 0; i < count_; ++i)
            kept_[i] = kept && kept->take(first_ + i, whole_.rhs[i], run_, i);
        const int missing = count_ - int(std::count(kept_.begin(), kept_.end(), true));
        if (missing == 0) return;
        const std::vector<RunReport> taken = whole_.rhs;
        for (int i = 0; i < count_; ++i)
            if (kept_[i]) run_.set_source(ZeroSource(), i);
        solve_once(whole_, o, run_, missing);
        for (int i = 0; i < count_; ++i)
            if (kept_[i]) {
                kept->put(first_ + i, run_, i);
                whole_.rhs[i] = taken[i];
            } else if (kept)
                keep(*kept, i, out);
    }

private:
    void keep(const KeptSolutions& kept, int i, Propagator& out)
    {
        const RunReport& one = whole_.rhs[i];
        if (one.interrupted || exit_status(one) != exit_converged) return;
        try {
            kept.keep(first_ + i, one, run_, i);
        } catch (const Error& e) { // as with the propagator's file
            out.unsaved = e.what();
        }
    }

    int first_, count_;
    SolveCase& run_;
    RunReport whole_; // its rhs are the sources
    std::vector<bool> kept_;
    std::vector<std::unique_ptr<SpinorSource>> sources_;
};

void solve_all(RunReport& r, const PropagatorSpec& p, const RunPlan& plan, ObservedGauge& gauge,
               const Coord& origin, Ranks& ranks, Propagator& out)
{
    const Extents lattice = gauge.extents();
    auto writer = writer_of(p, lattice, ranks);
    Stopwatch clock;
    const auto first_source = source_of(p, 0, lattice);
    const auto vectors = open_test_vectors(p.run, gauge);
    const auto run = make_case(p.run, plan, gauge, *first_source, vectors);
    if (vectors) out.unsaved = vectors->failure();
    r.problem.observables = gauge.complete();
    const Sources sources(p, gauge, origin);
    std::optional<KeptSolutions> kept;
    if (p.resume()) kept.emplace(p, lattice, gauge.digest(), ranks);
    r.seconds.setup += clock.lap();
    RunReport common = r;
    common.residual.requested = *p.run.method.tolerance();
    for (int first = 0; first < propagator_sources; first += plan.rhs) {
        Group group(sources, first, plan.rhs, common, *run);
        group.solve(kept, p.run, out);
        stop_between(kept, ranks);
        for (int i = 0; i < group.size(); ++i) {
            run->visit_x([&](const Coord& x, const double* s) { out.pion.add(x, s); }, i);
            out.kept.push_back(group.is_kept(i));
            out.solves.push_back(group.report(i));
            save(p, writer, *run, i, ranks, out);
        }
    }
    const bool complete = !out.file.empty() && exit_status(worst_of(out)) == exit_converged;
    if (kept && complete) kept->remove();
}

/// Completes what is not given, as the line `method` of the output says it.
RunSpec with_method(const PropagatorSpec& p)
{
    RunSpec s = completed(with_method_of_twelve(p.run));
    if (!p.run.execution.rhs() && !p.resume()) s.execution.rhs = std::optional<int>();
    return s;
}

} // namespace

int run_propagator(const PropagatorSpec& asked, Ranks& ranks)
{
    PropagatorSpec p = asked;
    RunSpec& o = p.run;
    o = with_method(p);
    const auto gauge = open_problem_gauge(o.problem, o.output, ranks);
    const Extents lattice = gauge->extents();
    if (!o.method.links()) o.method.links = default_links(*gauge, o.method.precision());
    const auto first = source_of(p, 0, lattice);
    const Coord origin = origin_of(*first, lattice);
    if (p.smearing()) gauge->keep_slice(origin[3]);
    if (p.smearing() && p.smearing()->short_waves_grow())
        note(fmt::format("--smeared {},{}: with fewer than 3 W^2/2 = {:g} steps short waves grow",
                         p.smearing()->width, p.smearing()->steps,
                         1.5 * p.smearing()->width * p.smearing()->width),
             o.output.quiet());
    if (p.resume()) gauge->compute_digest();
    writer_of(p, lattice, ranks); // fails before there is anything to lose
    if (p.resume() && ranks.speaks()) KeptSolutions::require_own_folder(p);
    if (!p.plot().empty() && ranks.speaks()) require_pion_folder(p.plot());
    Propagator s{.solves = {},
                 .kept = {},
                 .pion = {lattice, origin},
                 .file = {},
                 .phases = {},
                 .unsaved = {}};
    const RunReport r = run_with_starpu(
        o, *gauge, *first, ranks,
        [&](RunReport& report, const Session&, const RunPlan& plan) {
            end_all_if_it_fails(ranks,
                                [&] { solve_all(report, p, plan, *gauge, origin, ranks, s); });
        },
        p.words());
    if (o.output.dry_run()) return exit_converged;
    if (!o.output.quiet()) print_text(std::cout, r, p, s);
    note(multigrid_advice(worst_of(s), o), o.output.quiet());
    write_result({o.output.json()}, to_json(r, p, s), o.output);
    if (!p.plot().empty() && ranks.speaks()) note(plot_pion(p.plot(), s.pion), o.output.quiet());
    if (!s.unsaved.empty()) throw Error(s.unsaved);
    return exit_status(worst_of(s));
}

} // namespace qcd
