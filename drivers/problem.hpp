#pragma once
// From options to data: gauge field, source, precision.

#include "drivers/dirac_problem.hpp"
#include "drivers/run_report.hpp"
#include "lattice/files/gauge_writer.hpp"
#include "lattice/spinor_source.hpp"
#include "lattice/twist.hpp"

#include <memory>

namespace qcd
{

/// A gauge source that measures what passes, saves it if asked, and twists it.
class ObservedGauge : public GaugeSource
{
public:
    /// save_gauge empty: not saved. quiet: the source's notes are not printed.
    ObservedGauge(std::unique_ptr<GaugeSource> source, const std::string& save_gauge,
                  const Theta& theta, bool quiet);
    int bits() const override { return source_->bits(); }
    bool third_rows_are_completed() const override
    {
        return !is_twisted(theta_) && source_->third_rows_are_completed();
    }
    /// Memory that it takes to read the field: three time slices.
    std::size_t bytes() const { return 3 * slice_reals() * sizeof(double); }
    /// After the last slice: the observables, once the file is found to agree with them; its notes
    /// go to stderr. Throws Error.
    GaugeObservables complete();

private:
    void read(const Box&, std::span<double> links) override; ///< time slices, in order

    std::unique_ptr<GaugeSource> source_;
    GaugeMeasurement measurement_;
    std::unique_ptr<GaugeWriter> writer_;
    Theta theta_;
    bool quiet_;
};

/// Opens the gauge field of the options: file or generated.
std::unique_ptr<ObservedGauge> open_problem_gauge(const cli::ProblemOptions&,
                                                  const cli::OutputOptions&);

/// Memory that it takes to read the field, and to make a clover term of it.
std::size_t bytes_to_read(const ObservedGauge&, const cli::ProblemOptions&);

/// The report's lines that say what is computed.
ProblemReport describe(const cli::ProblemOptions&, const ObservedGauge&, const SpinorSource&,
                       Precision);

} // namespace qcd
