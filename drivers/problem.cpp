#include "drivers/problem.hpp"

#include "drivers/commands.hpp"
#include "lattice/clover.hpp"
#include "lattice/files/checksum.hpp"

#include <span>

namespace qcd
{

ObservedGauge::ObservedGauge(std::unique_ptr<GaugeSource> source, const std::string& save_gauge,
                             const Theta& theta, bool quiet)
    : GaugeSource(source->extents(), source->description()), source_(std::move(source)),
      measurement_(extents()), theta_(theta), quiet_(quiet)
{
    if (!save_gauge.empty()) writer_ = make_gauge_writer(save_gauge, extents(), bits());
}

void ObservedGauge::read(const Box& box, std::span<double> links)
{
    const int t = slice_of(box);
    stop_if_asked("interrupted in the set-up, before there was a result");
    source_->read_box(box, links);
    measurement_.add_slice(t, links);
    if (writer_) writer_->write_slice(t, links);
    if (!slice_digests_.empty()) slice_digests_[std::size_t(t)] = xxh64(std::as_bytes(links));
    if (is_twisted(theta_)) twist_slice(extents(), theta_, t, links);
    if (t == kept_t_) kept_.assign(links.begin(), links.end());
}

std::uint64_t ObservedGauge::digest() const
{
    return xxh64(std::as_bytes(std::span(slice_digests_)));
}

GaugeObservables ObservedGauge::complete()
{
    const GaugeObservables measured = measurement_.result();
    source_->finish(measured);
    if (!quiet_)
        for (const std::string& note : source_->notes()) complain("note: " + note);
    if (writer_) writer_->finish(measured);
    return measured;
}

std::unique_ptr<ObservedGauge> open_problem_gauge(const cli::ProblemOptions& o,
                                                  const cli::OutputOptions& output)
{
    const Unitarity unitarity = o.reunitarize ? Unitarity::restored : Unitarity::required;
    return std::make_unique<ObservedGauge>(open_gauge(o.gauge, o.lattice, unitarity), o.save_gauge,
                                           o.theta, output.quiet);
}

std::size_t bytes_to_read(const ObservedGauge& gauge, const cli::ProblemOptions& o)
{
    return gauge.bytes() + (o.csw == 0 ? 0 : CloverSlices::bytes(gauge.extents()));
}

ProblemReport describe(const cli::ProblemOptions& o, const ObservedGauge& gauge,
                       const SpinorSource& source, Precision precision)
{
    ProblemReport r;
    r.lattice = gauge.extents();
    r.antiperiodic = o.antiperiodic;
    r.theta = o.theta;
    r.kappa = o.kappa;
    r.mass = o.mass;
    r.mubar = o.mubar;
    r.csw = o.csw;
    r.gauge = gauge.description();
    r.source = source.description();
    r.precision = cli::to_string(precision);
    return r;
}

} // namespace qcd
