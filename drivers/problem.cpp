#include "drivers/problem.hpp"

#include "drivers/commands.hpp"
#include "lattice/files/gauge_writer.hpp"

namespace qcd
{

DiracProblem problem_of(const cli::SolveOptions& o)
{
    return {.dirac = {o.problem.kappa, o.problem.mubar},
            .antiperiodic = o.problem.antiperiodic,
            .method = o.method,
            .even_odd = o.even_odd,
            .precision = o.precision,
            .links = o.links.value()};
}

LinkStorage default_links(const GaugeSource& gauge, Precision precision)
{
    return precision == Precision::f64 && gauge.third_rows_are_completed() ? LinkStorage::two_rows
                                                                           : LinkStorage::full;
}

struct ObservedGauge::Parts {
    std::unique_ptr<GaugeSource> source;
    GaugeMeasurement measurement;
    std::unique_ptr<GaugeWriter> writer;
};

ObservedGauge::ObservedGauge(std::unique_ptr<GaugeSource> source, const std::string& save_gauge)
    : GaugeSource(source->extents(), source->description())
{
    const Extents lattice = source->extents();
    parts_ = std::make_unique<Parts>(Parts{std::move(source), GaugeMeasurement(lattice), nullptr});
    if (!save_gauge.empty())
        parts_->writer = make_gauge_writer(save_gauge, lattice, parts_->source->bits());
}

ObservedGauge::~ObservedGauge() = default;

bool ObservedGauge::third_rows_are_completed() const
{
    return parts_->source->third_rows_are_completed();
}

void ObservedGauge::read_slice(int t, std::span<double> links)
{
    stop_if_asked("interrupted in the set-up, before there was a result");
    parts_->source->read_slice(t, links);
    parts_->measurement.add_slice(t, links);
    if (parts_->writer) parts_->writer->write_slice(t, links);
}

GaugeObservables ObservedGauge::complete()
{
    const GaugeObservables measured = parts_->measurement.result();
    parts_->source->finish(measured);
    if (parts_->writer) parts_->writer->finish(measured);
    return measured;
}

std::unique_ptr<ObservedGauge> open_problem_gauge(const cli::ProblemOptions& o)
{
    return std::make_unique<ObservedGauge>(open_gauge(o.gauge, o.lattice), o.save_gauge);
}

ProblemReport describe(const cli::ProblemOptions& o, const ObservedGauge& gauge,
                       const SpinorSource& source, Precision precision)
{
    ProblemReport r;
    r.lattice = gauge.extents();
    r.antiperiodic = o.antiperiodic;
    r.kappa = o.kappa;
    r.mass = o.mass;
    r.mubar = o.mubar;
    r.gauge = gauge.description();
    r.source = source.description();
    r.precision = cli::to_string(precision);
    return r;
}

} // namespace qcd
