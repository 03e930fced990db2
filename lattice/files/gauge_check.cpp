#include "lattice/files/gauge_check.hpp"

#include "base/error.hpp"
#include "lattice/files/gauge_file.hpp"
#include "lattice/link.hpp"

#include <algorithm>

namespace qcd
{

namespace
{

/// Of a slice whose links were found finite.
void measure_links(std::span<const double> slice, GaugeFileReport& report)
{
    double unitarity = report.unitarity, determinant = report.determinant;
    const long links = long(slice.size() / links::reals_per_link);
#pragma omp parallel for schedule(static) reduction(max : unitarity, determinant)
    for (long i = 0; i < links; ++i) {
        const double* const link = &slice[i * links::reals_per_link];
        if (is_zero_link(link)) continue;
        const links::Link u = links::load(link);
        unitarity = std::max(unitarity, links::unitarity_violation(u));
        determinant = std::max(determinant, links::determinant_violation(u));
    }
    report.unitarity = unitarity;
    report.determinant = determinant;
}

void stream(GaugeSource& source, const std::function<void()>& before_slice, GaugeFileReport& report)
{
    GaugeMeasurement measurement(source.extents());
    std::vector<double> slice(source.slice_reals());
    for (int t = 0; t < source.extents()[3]; ++t) {
        before_slice();
        source.read_slice(t, slice);
        measurement.add_slice(t, slice);
        measure_links(slice, report);
    }
    source.finish(measurement.result());
    report.observables = measurement.result();
    report.notes = source.notes();
}

} // namespace

GaugeFileReport check_gauge_file(std::unique_ptr<FileBytes> bytes,
                                 const std::optional<Extents>& lattice,
                                 const std::function<void()>& before_slice,
                                 const GaugeReading& reading)
{
    GaugeFileReport report;
    report.file = bytes->name();
    try {
        const auto source = open_gauge_file(std::move(bytes), lattice, reading);
        report.format = source->format();
        report.lattice = source->extents();
        report.bits = source->bits();
        report.checksum = source->checksum();
        stream(*source, before_slice, report);
    } catch (const Error& error) {
        if (error.exit_status() != exit_bad_input) throw;
        report.error = error.what();
    }
    return report;
}

} // namespace qcd
