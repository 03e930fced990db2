#include "lattice/files/file_check.hpp"

#include "base/error.hpp"
#include "lattice/box.hpp"
#include "lattice/files/etmc_spinors.hpp"
#include "lattice/files/gauge_file.hpp"
#include "lattice/files/hdf5_dataset.hpp"
#include "lattice/files/hdf5_fields.hpp"
#include "lattice/files/lime.hpp"
#include "lattice/files/scidac.hpp"
#include "lattice/link.hpp"
#include "lattice/spinor_digest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace qcd
{

namespace
{

/// Measures a slice whose links were found finite.
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

bool says_spinors(const FileBytes& bytes)
{
    if (is_hdf5(bytes)) return has_hdf5_dataset(bytes, hdf5_spinors);
    if (!bytes.text(0, 4).starts_with("\x45\x67\x89\xab")) return false;
    LimeReader reader(bytes);
    while (const auto record = reader.next())
        if (is_etmc_format(record->type) || is_scidac_spinor(bytes, *record)) return true;
    return false;
}

void measure(const SpinorSource& spinor, const Extents& lattice, int bits,
             const std::function<void()>& before_slice, SpinorFileReport& report)
{
    SpinorDigest digest(bits / 8);
    double norm2 = 0;
    const long slice = volume(lattice) / lattice[3];
    for (long site = 0; site < volume(lattice); ++site) {
        if (site % slice == 0) before_slice();
        double s[24];
        spinor.site(coordinates(lattice, site), s);
        digest.add_site(s);
        norm2 += std::inner_product(s, s + 24, s, 0.0);
    }
    report.norm2.push_back(norm2);
    report.digests.push_back(fmt::format("{:016x}", digest.value()));
}

/// What read(report) has found, and the error that ended it.
template <class Report, class Read>
Report report_of(const FileBytes& bytes, const Read& read)
{
    Report report;
    report.file = bytes.name();
    report.error = error_of_reading([&] { read(report); });
    return report;
}

} // namespace

double SpinorFileReport::total_norm2() const
{
    return std::accumulate(norm2.begin(), norm2.end(), 0.0);
}

std::string error_of_reading(const std::function<void()>& read)
{
    try {
        read();
    } catch (const Error& error) {
        if (error.exit_status() != exit_bad_input) throw;
        return error.what();
    }
    return "";
}

bool holds_spinors(const FileBytes& bytes)
{
    try {
        return says_spinors(bytes);
    } catch (const Error&) {
        return false;
    }
}

GaugeFileReport check_gauge_file(std::unique_ptr<FileBytes> bytes,
                                 const std::optional<Extents>& lattice,
                                 const std::function<void()>& before_slice,
                                 const GaugeReading& reading)
{
    return report_of<GaugeFileReport>(*bytes, [&](GaugeFileReport& report) {
        check_links(*open_gauge_file(std::move(bytes), lattice, reading), before_slice, report);
    });
}

void check_links(GaugeSource& source, const std::function<void()>& before_slice,
                 GaugeFileReport& report)
{
    report.format = source.format();
    report.lattice = source.extents();
    report.bits = source.bits();
    report.checksum = source.checksum();
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

SpinorFileReport check_spinor_file(std::unique_ptr<FileBytes> bytes,
                                   const std::optional<Extents>& lattice,
                                   const std::function<void()>& before_slice, bool ignore_checksum)
{
    return report_of<SpinorFileReport>(*bytes, [&](SpinorFileReport& report) {
        const SpinorFile file =
            open_spinor_file(std::move(bytes), lattice, {.ignore_checksum = ignore_checksum});
        report.format = file.format();
        report.lattice = file.lattice();
        report.bits = file.bits();
        report.basis = file.basis();
        report.basis_is_said = file.basis_is_said();
        report.phases = file.phases();
        report.phases_are_said = file.phases_are_said();
        report.angles = file.angles();
        report.propagator = file.is_propagator();
        report.info = file.info();
        for (const ScidacChecksum& sums : file.checksums())
            report.checksums.push_back(fmt::format("{:08x} {:08x}", sums.suma, sums.sumb));
        before_slice();
        const std::vector<std::string> ignored = file.verify();
        SpinorFileReport measured;
        for (int number = 0; number < file.spinors(); ++number)
            measure(*file.spinor(number), file.lattice(), file.bits(), before_slice, measured);
        report.norm2 = measured.norm2;
        report.digests = measured.digests;
        report.notes = file.notes();
        report.notes.insert(report.notes.end(), ignored.begin(), ignored.end());
    });
}

} // namespace qcd
