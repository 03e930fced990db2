// The C functions of fields: files, sources, smearing, correlators. They need no session.
#include "api/guarded.hpp"
#include "api/memory_fields.hpp"
#include "api/option_text.hpp"
#include "base/error.hpp"
#include "drivers/spec/dirac_problem.hpp"
#include "lattice/files/gauge_writer.hpp"
#include "lattice/files/spinor_file.hpp"
#include "lattice/files/spinor_writer.hpp"
#include "lattice/gauge_observables.hpp"
#include "lattice/pion_correlator.hpp"
#include "lattice/smearing.hpp"
#include "lattice/spin_basis.hpp"
#include "tasks/quenched_gauge.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

using qcd::guarded;
using qcd::lattice_of;
using qcd::require;
using qcd::say;

namespace
{

const char* or_none(const char* options) { return options ? options : ""; }

/// Reads and measures it, slice by slice: take(t, links of the slice).
template <class Take>
void read_all(qcd::GaugeSource& source, const Take& take)
{
    qcd::GaugeMeasurement measurement(source.extents());
    std::vector<double> slice(source.slice_reals());
    for (int t = 0; t < source.extents()[3]; ++t) {
        source.read_slice(t, slice);
        measurement.add_slice(t, slice);
        take(t, slice);
    }
    source.finish(measurement.result());
}

/// Generated, or the only spinor of a file that is good, or the one that is asked for. angles: of
/// the boundaries, where they are known.
std::unique_ptr<qcd::SpinorSource> open_source(const char* source, const qcd::Extents& lattice,
                                               const qcd::ProblemSpec& options,
                                               const std::optional<qcd::Theta>& angles)
{
    if (qcd::is_generated_source(source)) {
        if (options.source_number() || options.basis() || options.phases() ||
            options.ignore_checksum())
            throw qcd::Error(
                fmt::format("--source-number, --basis, --phases, --ignore-checksum: for files, and "
                            "{} is generated",
                            qcd::quoted(source)));
        return qcd::open_spinor_source(source, lattice);
    }
    const qcd::SpinorFile file =
        qcd::open_spinor_file(source, lattice,
                              {.basis = options.basis(),
                               .phases = options.phases(),
                               .angles = angles,
                               .ignore_checksum = options.ignore_checksum()});
    if (!options.source_number() && file.spinors() != 1)
        throw qcd::Error(fmt::format("{}: there are {} spinors", source, file.spinors()));
    const int number = options.source_number().value_or(0);
    if (number >= file.spinors())
        throw qcd::Error(fmt::format("{}: there is no spinor {}, as there are {}, from 0 on",
                                     source, number, file.spinors()));
    if (file.phases() == qcd::BoundaryPhases::spread && !file.angles())
        throw qcd::Error(fmt::format("{}: its boundary phases are spread over all links, by angles "
                                     "that are not known here: qcd_read_source_for() takes those "
                                     "of a problem",
                                     source));
    file.verify();
    return file.spinor(number);
}

qcd_status read_source(const qcd_problem* problem, const qcd::Extents& lattice, const char* source,
                       const char* options, qcd_spinor b)
{
    require(source, "source");
    require(b.data, "b");
    std::optional<qcd::Theta> angles;
    if (problem) {
        const auto o = qcd::parse_problem_options(
            or_none(problem->options), lattice, problem->kappa, problem->mubar, problem->tolerance);
        angles = qcd::boundary_angles(o.problem.antiperiodic(), o.problem.theta());
    }
    const auto spinor =
        open_source(source, lattice, qcd::parse_source_options(or_none(options)).problem, angles);
    const qcd_spinor out = qcd::with_strides(b);
    for (long site = 0; site < qcd::volume(lattice); ++site) {
        const qcd::Coord x = qcd::coordinates(lattice, site);
        double values[24];
        spinor->site(x, values);
        qcd::store_site(lattice, out, x, values);
    }
    return QCD_DONE;
}

/// 0 for all: as the file says.
std::optional<qcd::Extents> asked_lattice(const int extents[4])
{
    require(extents, "extents");
    if (std::all_of(extents, extents + 4, [](int l) { return l == 0; })) return std::nullopt;
    return lattice_of(extents);
}

qcd::Theta theta_of(const double* theta)
{
    qcd::Theta all{};
    if (theta) std::copy_n(theta, 4, all.begin());
    return all;
}

int require_bits(int bits)
{
    if (bits != 32 && bits != 64) throw qcd::Error(fmt::format("bits: {} is not 32 or 64", bits));
    return bits;
}

/// A colour vector of one spin on a time slice, between the caller's array and smear().
class ColourSlice
{
public:
    ColourSlice(const qcd::Extents& l, int t, const qcd_spinor& psi, int spin)
        : sites_(long(l[0]) * l[1] * l[2]),
          first_(psi.data + t * sites_ * psi.site + spin * psi.spin), psi_(psi)
    {
    }
    std::vector<double> load() const
    {
        std::vector<double> v(std::size_t(6 * sites_));
        for (long site = 0; site < sites_; ++site)
            for (int colour = 0; colour < 3; ++colour)
                std::copy_n(at(site, colour), 2, &v[std::size_t(6 * site + 2 * colour)]);
        return v;
    }
    void store(const std::vector<double>& v) const
    {
        for (long site = 0; site < sites_; ++site)
            for (int colour = 0; colour < 3; ++colour)
                std::copy_n(&v[std::size_t(6 * site + 2 * colour)], 2, at(site, colour));
    }

private:
    double* at(long site, int colour) const
    {
        return first_ + site * psi_.site + colour * psi_.colour;
    }
    long sites_;
    double* first_;
    qcd_spinor psi_;
};

bool is_zero(const std::vector<double>& v)
{
    return std::all_of(v.begin(), v.end(), [](double c) { return c == 0; });
}

} // namespace

qcd_status qcd_read_gauge(const char* field, const int extents[4], double* links, qcd_error* error)
{
    return guarded(error, [&] {
        require(field, "field");
        require(links, "links");
        const auto source = qcd::open_any_gauge(field, lattice_of(extents));
        read_all(*source, [&](int t, const std::vector<double>& slice) {
            std::copy(slice.begin(), slice.end(), links + std::size_t(t) * slice.size());
        });
        return QCD_DONE;
    });
}

qcd_status qcd_read_gauge_with(const char* field, const char* options, int extents[4],
                               qcd_mutable_links links, qcd_error* error)
{
    return guarded(error, [&] {
        require(field, "field");
        const auto lattice = asked_lattice(extents);
        const qcd::ProblemSpec o = qcd::parse_gauge_options(or_none(options)).problem;
        if (qcd::is_generated(field) &&
            (o.reunitarize() || o.gauge_number() || o.ignore_checksum()))
            throw qcd::Error(fmt::format("--reunitarize, --gauge-number, --ignore-checksum: for "
                                         "files, and {} is generated",
                                         qcd::quoted(field)));
        const auto source = qcd::open_any_gauge(field, lattice,
                                                {.reunitarize = o.reunitarize(),
                                                 .ignore_checksum = o.ignore_checksum(),
                                                 .number = o.gauge_number()});
        const qcd::Extents l = source->extents();
        std::copy(l.begin(), l.end(), extents);
        if (!links.data) return QCD_DONE;
        const qcd::MutableLinks out(l, links);
        read_all(*source,
                 [&](int t, const std::vector<double>& slice) { out.store_slice(t, slice); });
        return say(error, QCD_DONE, fmt::format("{}", fmt::join(source->notes(), "; ")).c_str());
    });
}

qcd_status qcd_read_source(const char* source, const int extents[4], double* b, qcd_error* error)
{
    return guarded(error, [&] {
        return read_source(nullptr, lattice_of(extents), source, nullptr, {b, 0, 0, 0});
    });
}

qcd_status qcd_read_source_for(const qcd_problem* problem, const char* source, double* b,
                               qcd_error* error)
{
    return guarded(error, [&] {
        require(problem, "problem");
        return read_source(problem, lattice_of(problem->extents), source, nullptr, {b, 0, 0, 0});
    });
}

qcd_status qcd_read_source_with(const qcd_problem* problem, const int extents[4],
                                const char* source, const char* options, qcd_spinor b,
                                qcd_error* error)
{
    return guarded(error, [&] {
        return read_source(problem, lattice_of(problem ? problem->extents : extents), source,
                           options, b);
    });
}

qcd_status qcd_write_gauge(const char* file, const int extents[4], qcd_links links, int bits,
                           qcd_error* error)
{
    return guarded(error, [&] {
        require(file, "file");
        const qcd::Extents l = lattice_of(extents);
        qcd::MemoryGauge gauge(l, links, {});
        const auto writer = qcd::make_gauge_writer(file, l, require_bits(bits));
        qcd::GaugeMeasurement measurement(l);
        read_all(gauge, [&](int t, const std::vector<double>& slice) {
            measurement.add_slice(t, slice);
            writer->write_slice(t, slice);
        });
        writer->finish(measurement.result());
        return QCD_DONE;
    });
}

qcd_status qcd_write_spinors(const char* file, const int extents[4], int count, int is_propagator,
                             const qcd_const_spinor* spinors, int bits, const char* info,
                             qcd_error* error)
{
    return guarded(error, [&] {
        require(file, "file");
        require(spinors, "spinors");
        if (count < 1 || (is_propagator && count != 12))
            throw qcd::Error(fmt::format("count: {} is no number of spinors in a file{}", count,
                                         is_propagator ? " of a propagator, which has 12" : ""));
        const qcd::Extents l = lattice_of(extents);
        const auto writer = qcd::make_spinor_writer(file, {.lattice = l,
                                                           .bits = require_bits(bits),
                                                           .spinors = count,
                                                           .propagator = is_propagator != 0,
                                                           .info = or_none(info)});
        for (int i = 0; i < count; ++i) {
            const qcd::MemorySpinor psi(l, spinors[i], "spinors");
            for (long site = 0; site < qcd::volume(l); ++site) {
                double values[24];
                psi.site(qcd::coordinates(l, site), values);
                writer->add_site(values);
            }
        }
        writer->finish();
        return QCD_DONE;
    });
}

qcd_status qcd_plaquette(const int extents[4], qcd_links links, double* plaquette,
                         double* link_trace, qcd_error* error)
{
    return guarded(error, [&] {
        qcd::MemoryGauge gauge(lattice_of(extents), links, {});
        qcd::GaugeMeasurement measurement(gauge.extents());
        read_all(gauge,
                 [&](int t, const std::vector<double>& slice) { measurement.add_slice(t, slice); });
        const qcd::GaugeObservables o = measurement.result();
        if (plaquette) *plaquette = o.plaquette_total;
        if (link_trace) *link_trace = o.link_trace;
        return QCD_DONE;
    });
}

qcd_status qcd_smear(const int extents[4], qcd_links links, const double theta[4], double width,
                     int steps, qcd_spinor psi, qcd_error* error)
{
    return guarded(error, [&] {
        const qcd::Extents l = lattice_of(extents);
        const qcd::Smearing smearing =
            qcd::parse_smearing(fmt::format("{},{}", width, steps), "smearing");
        qcd::MemoryGauge gauge(l, links, theta_of(theta));
        const qcd::MemorySpinor finite(l, {psi.data, psi.site, psi.spin, psi.colour}, "psi");
        const qcd_spinor field = qcd::with_strides(psi);
        for (int t = 0; t < l[3]; ++t) {
            std::vector<double> slice; // read where it is needed
            for (int spin = 0; spin < 4; ++spin) {
                const ColourSlice part(l, t, field, spin);
                std::vector<double> v = part.load();
                if (is_zero(v)) continue;
                if (slice.empty()) {
                    slice.resize(gauge.slice_reals());
                    gauge.read_slice(t, slice);
                }
                part.store(qcd::smear(l, slice, smearing, std::move(v)));
            }
        }
        return QCD_DONE;
    });
}

qcd_status qcd_pion(const int extents[4], const int origin[4], int count,
                    const qcd_const_spinor* spinors, double* along_t, double* along_z,
                    qcd_error* error)
{
    return guarded(error, [&] {
        require(origin, "origin");
        require(spinors, "spinors");
        const qcd::Extents l = lattice_of(extents);
        const qcd::Coord o{origin[0], origin[1], origin[2], origin[3]};
        for (int mu = 0; mu < 4; ++mu)
            if (o[mu] < 0 || o[mu] >= l[mu])
                throw qcd::Error(fmt::format("origin: {},{},{},{} is not on the lattice", o[0],
                                             o[1], o[2], o[3]));
        qcd::PionCorrelator pion(l, o);
        for (int i = 0; i < count; ++i) {
            const qcd::MemorySpinor psi(l, spinors[i], "spinors");
            for (long site = 0; site < qcd::volume(l); ++site) {
                const qcd::Coord x = qcd::coordinates(l, site);
                double values[24];
                psi.site(x, values);
                pion.add(x, values);
            }
        }
        const auto add = [](double* to, const std::vector<double>& sums) {
            for (std::size_t d = 0; to && d < sums.size(); ++d) to[d] += sums[d];
        };
        add(along_t, pion.along(3));
        add(along_z, pion.along(2));
        return QCD_DONE;
    });
}

qcd_status qcd_effective_masses(int count, const double* correlator, double* masses,
                                qcd_error* error)
{
    return guarded(error, [&] {
        require(correlator, "correlator");
        require(masses, "masses");
        if (count < 1) throw qcd::Error(fmt::format("count: {} distances", count));
        const auto found =
            qcd::effective_masses(std::vector<double>(correlator, correlator + count));
        std::transform(found.begin(), found.end(), masses, [](const std::optional<double>& m) {
            return m.value_or(std::numeric_limits<double>::quiet_NaN());
        });
        return QCD_DONE;
    });
}

qcd_status qcd_spin_rotation(const char* basis, double u[16], qcd_error* error)
{
    return guarded(error, [&] {
        require(basis, "basis");
        require(u, "u");
        const auto known = qcd::spin_basis_of(basis);
        if (!known)
            throw qcd::Error(fmt::format("basis: {} is none of degrand-rossi, dirac, chiral",
                                         qcd::quoted(basis)));
        const qcd::SpinRotation& rotation = qcd::to_degrand_rossi(*known);
        for (int row = 0; row < 4; ++row) std::copy_n(rotation[row], 4, u + 4 * row);
        return QCD_DONE;
    });
}
