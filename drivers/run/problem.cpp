#include "drivers/run/problem.hpp"

#include "drivers/plan/worker_choice.hpp"
#include "drivers/spec/run_fields.hpp"
#include "lattice/clover.hpp"
#include "lattice/files/checksum.hpp"
#include "program/complain.hpp"
#include "program/stop.hpp"
#include "runtime/codelet.hpp"
#include "runtime/session.hpp"
#include "tasks/quenched_gauge.hpp"
#include "traces/fxt_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <span>

namespace qcd
{

ObservedGauge::ObservedGauge(std::unique_ptr<GaugeSource> source, const std::string& save_gauge,
                             const Theta& theta, bool quiet, Ranks& ranks)
    : GaugeSource(source->extents(), source->description()), source_(std::move(source)),
      measurement_(extents()), saves_(!save_gauge.empty()), ranks_(ranks), theta_(theta),
      quiet_(quiet)
{
    if (saves_ && ranks.speaks()) writer_ = make_gauge_writer(save_gauge, extents(), bits());
}

void ObservedGauge::begin_slices(int first, int count)
{
    measurement_ = GaugeMeasurement(extents(), first, count);
    parts_ = ranks_.all(Part{first, count});
}

void ObservedGauge::read(const Box& box, std::span<double> links)
{
    const int t = slice_of(box);
    if (!ranks_.several()) // which agree on an end in the first iterations
        stop_if_asked("interrupted in the set-up, before there was a result");
    source_->read_box(box, links);
    measurement_.add_slice(t, links);
    if (saves_) save(t, links);
    if (!slice_digests_.empty()) slice_digests_[std::size_t(t)] = xxh64(std::as_bytes(links));
    if (is_twisted(theta_)) twist_slice(extents(), theta_, t, links);
    if (t == kept_t_) kept_.assign(links.begin(), links.end());
}

std::uint64_t ObservedGauge::digest() const
{
    return xxh64(std::as_bytes(std::span(slice_digests_)));
}

/// The first rank writes its own slices, which are the first ones, and then those of others.
void ObservedGauge::save(int t, std::span<const double> links)
{
    if (!writer_) {
        if (leads(ranks_.rank())) ranks_.send_bytes(std::as_bytes(links), 0);
        return;
    }
    writer_->write_slice(t, links);
    if (!ranks_.several() || t + 1 < measurement_.count()) return;
    std::vector<double> slice(slice_reals());
    for (int first = t + 1; first < extents()[3];) {
        const int rank = rank_of(first);
        for (int i = 0; i < parts_[rank].count; ++i, ++first) {
            ranks_.receive_bytes(std::as_writable_bytes(std::span(slice)), rank);
            writer_->write_slice(first, slice);
        }
    }
}

int ObservedGauge::rank_of(int first) const
{
    const auto has = [&](const Part& p) { return p.first == first; };
    return int(std::find_if(parts_.begin(), parts_.end(), has) - parts_.begin());
}

bool ObservedGauge::leads(int rank) const { return rank_of(parts_[rank].first) == rank; }

/// Where several ranks read the same slices, the n-th of them gives to the n-th.
void ObservedGauge::exchange_slices(Side side, std::span<double> links) const
{
    const Part mine = parts_[ranks_.rank()];
    const int lt = extents()[3], nth = ranks_.rank() - rank_of(mine.first);
    const auto ends_below = [&](const Part& p) { return (p.first + p.count) % lt == mine.first; };
    const int below =
        int(std::find_if(parts_.begin(), parts_.end(), ends_below) - parts_.begin()) + nth;
    const int above = rank_of((mine.first + mine.count) % lt) + nth;
    const auto received = std::as_writable_bytes(links);
    if (side == Side::above)
        ranks_.exchange_bytes(std::as_bytes(measurement_.first_slice()), below, received, above);
    else
        ranks_.exchange_bytes(std::as_bytes(measurement_.last_slice()), above, received, below);
}

void ObservedGauge::read_outside(int t, std::span<double> links)
{
    const Part mine = parts_[ranks_.rank()];
    const bool is_above = t == (mine.first + mine.count) % extents()[3];
    exchange_slices(is_above ? Side::above : Side::below, links);
    if (is_twisted(theta_)) twist_slice(extents(), theta_, t, links);
}

/// Each rank lacks the slice above its own ones.
GaugeObservables ObservedGauge::of_all_ranks()
{
    const Part mine = parts_[ranks_.rank()];
    if (measurement_.wants_the_next()) {
        std::vector<double> slice(slice_reals());
        exchange_slices(Side::above, slice);
        measurement_.add_slice((mine.first + mine.count) % extents()[3], slice);
    }
    const std::vector<std::byte> bytes =
        ranks_.gather(std::as_bytes(std::span(measurement_.sums())));
    const std::vector<ReadSums> read = ranks_.all(source_->read_sums());
    std::vector<SliceSums> sums(extents()[3]), of_rank(sums.size());
    for (int rank = 0; rank < ranks_.size(); ++rank) {
        if (!leads(rank)) continue;
        const std::span to = std::as_writable_bytes(std::span(of_rank));
        std::copy_n(bytes.begin() + std::ptrdiff_t(to.size()) * rank, to.size(), to.begin());
        const Part& part = parts_[rank];
        for (int t = part.first; t < part.first + part.count; ++t) sums[t] = of_rank[t];
        if (part != mine) source_->add_read(read[rank]);
    }
    return observables_of(extents(), sums);
}

/// Each rank has those of its own slices.
void ObservedGauge::share_digests()
{
    const std::vector<std::byte> bytes = ranks_.gather(std::as_bytes(std::span(slice_digests_)));
    std::vector<std::uint64_t> of_rank(slice_digests_.size());
    const std::span to = std::as_writable_bytes(std::span(of_rank));
    for (int rank = 0; rank < ranks_.size(); ++rank) {
        std::copy_n(bytes.begin() + std::ptrdiff_t(to.size()) * rank, to.size(), to.begin());
        const auto first = of_rank.begin() + parts_[rank].first;
        std::copy_n(first, parts_[rank].count, slice_digests_.begin() + parts_[rank].first);
    }
}

GaugeObservables ObservedGauge::complete()
{
    const GaugeObservables measured = ranks_.several() ? of_all_ranks() : measurement_.result();
    if (ranks_.several() && !slice_digests_.empty()) share_digests();
    if (ranks_.several() && kept_t_ >= 0) { // who has read it gives it to all
        const auto has = [&](const Part& p) {
            return kept_t_ >= p.first && kept_t_ < p.first + p.count;
        };
        kept_.resize(slice_reals());
        ranks_.broadcast(std::as_writable_bytes(std::span(kept_)),
                         int(std::find_if(parts_.begin(), parts_.end(), has) - parts_.begin()));
    }
    source_->finish(measured);
    if (!quiet_)
        for (const std::string& note : source_->notes()) complain("note: " + note);
    if (writer_) writer_->finish(measured);
    return measured;
}

GaugeReading gauge_reading(const ProblemSpec& o)
{
    return {.reunitarize = o.reunitarize(),
            .ignore_checksum = o.ignore_checksum(),
            .number = o.gauge_number()};
}

std::unique_ptr<ObservedGauge> open_problem_gauge(const ProblemSpec& o, const OutputSpec& output,
                                                  Ranks& ranks)
{
    auto gauge = open_any_gauge(o.gauge(), o.lattice(), gauge_reading(o));
    if (gauge->is_open_in_time())
        throw Error("{}: the links t of the last time slice are 0 (open boundary "
                    "conditions, or the Schroedinger functional), and D with such "
                    "boundaries is not here: `check` and `convert` read the field",
                    o.gauge());
    return std::make_unique<ObservedGauge>(std::move(gauge), output.save_gauge(), o.theta(),
                                           output.quiet(), ranks);
}

std::size_t bytes_to_read(const ObservedGauge& gauge, const ProblemSpec& o)
{
    return gauge.bytes() + (o.csw() == 0 ? 0 : CloverSlices::bytes(gauge.extents()));
}

ProblemReport describe(const ProblemSpec& o, const ObservedGauge& gauge, const SpinorSource& source,
                       Precision precision)
{
    ProblemReport r;
    r.lattice = gauge.extents();
    r.antiperiodic = o.antiperiodic();
    r.theta = o.theta();
    r.kappa = kappa_of(o);
    r.mass = mass_of(o);
    r.mubar = o.mubar();
    r.csw = o.csw();
    r.gauge = gauge.description();
    r.source = source.description();
    r.source_phases = source.phases();
    r.precision = to_string(precision);
    return r;
}

void describe_run(RunReport& r, const RunSpec& s)
{
    const MethodSpec& m = s.method;
    r.asked = asked_of(s);
    r.solver = to_string(*m.solver());
    r.even_odd = *m.even_odd();
    r.links = reals(*m.links());
    if (m.solver() == Method::gcr) r.restart = problem_of(s).restart;
    if (m.precondition())
        r.preconditioner = {.method = m.precondition()->method,
                            .iterations = m.precondition()->iterations,
                            .precision = std::string(to_string(m.sloppy().value_or(m.precision()))),
                            .domain = m.domain(),
                            .applications = 0};
    if (m.sloppy() && !m.precondition())
        r.sloppy = {.precision = std::string(to_string(*m.sloppy())),
                    .drop = problem_of(s).sloppy_drop,
                    .updates = {},
                    .single_iterations = {},
                    .double_iterations = {}};
    r.engine = to_string(s.execution.engine());
    r.residual.requested = m.iterations() ? 0 : *m.tolerance();
    r.fixed_iterations = m.iterations().has_value();
    r.load_average = load_average();
}

SessionOptions session_of_tasks(const RunSpec& s, const MachineFacts& facts, Ranks& ranks)
{
    SessionOptions options = session_options(s.execution, s.output.verbose(), ranks);
    if (ranks.several() && !options.cpus && cuda_devices().empty())
        options.cpus = workers_of_rank(facts.cores);
    leave_opencl_out(options);
    return options;
}

void note_workers(const WorkerCounts& w, const MachineFacts& facts, Ranks& ranks, bool quiet)
{
    note(crowding("CPU workers", w.cores(), "cores", facts.cores, facts), quiet);
    note(too_few_cores(w, facts.cores, probe_processing_units().cores, ranks), quiet);
    note(gpus_of_ranks(w, ranks), quiet);
}

void announce_memory(std::size_t bytes, MachineFacts facts, const OutputSpec& o, const Ranks& ranks)
{
    facts.available_bytes /= ranks.local_size();
    constexpr double mib = 1 << 20;
    const std::size_t trace = o.trace_fxt().empty() ? 0 : FxtTrace::memory;
    if (!o.quiet())
        std::cout << fmt::format("memory          {:.1f} MiB for links, spinors and faces{}{}\n",
                                 double(bytes) / mib, ranks.several() ? " of each rank" : "",
                                 trace ? fmt::format("; {:.0f} for the trace", trace / mib) : "")
                  << std::flush;
    require_memory("the solve", bytes + trace, facts);
}

} // namespace qcd
