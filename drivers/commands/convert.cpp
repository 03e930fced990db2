#include "drivers/commands/commands.hpp"
#include "drivers/files/file_report.hpp"
#include "drivers/run/problem.hpp"
#include "drivers/run/run_report.hpp"
#include "lattice/files/gauge_writer.hpp"
#include "lattice/gauge_source.hpp"
#include "program/complain.hpp"
#include "program/provenance.hpp"
#include "program/stop.hpp"
#include "tasks/quenched_gauge.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <iostream>

namespace qcd
{

namespace
{

/// Numbers of 32 bits are refused in a file of 64, where they would not be in SU(3) to its
/// precision, and those of 64 bits are rounded where that was asked for only.
int bits_of(const ConvertSpec& o, GaugeFormat format, const GaugeSource& source)
{
    const GaugeFormatFacts& facts = facts_of(format);
    const int bits = o.bits().value_or(facts.bits.size() == 1 ? facts.bits.front() : source.bits());
    if (source.bits() == 32 && bits == 64)
        throw Error("{}: links of 32 bits are not in SU(3) to the precision of 64; "
                    "--reunitarize projects them",
                    source.description());
    if (source.bits() == 64 && bits == 32 && !o.bits())
        throw Error("{}: {} files have numbers of 32 bits: --precision single rounds "
                    "them",
                    o.out(), facts.name);
    return bits;
}

GaugeObservables copy_links(GaugeSource& source, GaugeWriter& writer)
{
    GaugeMeasurement measurement(source.extents());
    std::vector<double> slice(source.slice_reals());
    for (int t = 0; t < source.extents()[3]; ++t) {
        stop_if_asked("interrupted: nothing was written");
        source.read_slice(t, slice);
        measurement.add_slice(t, slice);
        writer.write_slice(t, slice);
    }
    const GaugeObservables measured = measurement.result();
    source.finish(measured);
    writer.finish(measured);
    return measured;
}

/// Does a file of so many bits have room for every bit of the links? Last rows that were completed
/// have those of 64.
bool is_exact(const GaugeSource& source, int bits)
{
    return bits == 64 || (source.bits() == 32 && !source.third_rows_are_completed());
}

/// What was written, read anew.
GaugeFileReport look_at(const std::string& file, const GaugeObservables& expected, bool exact)
{
    const GaugeFileReport report = check_gauge_file(
        open_file_bytes(file), std::nullopt, [] { stop_if_asked("interrupted after writing"); });
    if (!report.good()) throw Error(report.error, exit_verify_failed);
    const double off = std::abs(report.observables->plaquette_total - expected.plaquette_total);
    constexpr double of_rounding = 1e-5;
    if (!(off <= (exact ? 0 : of_rounding)))
        throw Error(
            fmt::format("{}: read again, its plaquette is another one by {:.1e}", file, off),
            exit_verify_failed);
    return report;
}

} // namespace

int run_convert(const ConvertSpec& o)
{
    const auto source =
        open_any_gauge(o.in(), o.run.problem.lattice(), gauge_reading(o.run.problem));
    const GaugeFormat format = o.format().value_or(gauge_format_of(o.out()));
    const int bits = bits_of(o, format, *source);
    const auto writer = make_gauge_writer(o.out(), source->extents(), format, bits);
    const GaugeObservables measured = copy_links(*source, *writer);
    for (const std::string& line : source->notes()) note(line, o.run.output.quiet());
    const GaugeFileReport written = look_at(o.out(), measured, is_exact(*source, bits));
    if (!o.run.output.quiet()) {
        std::cout << "from " << source->description() << '\n';
        print_text(std::cout, written);
    }
    write_result({o.run.output.json()},
                 {{"source", source->description()},
                  {"rounded", bits < source->bits()},
                  {"written", to_json(written)}},
                 o.run.output);
    return exit_converged;
}

} // namespace qcd
