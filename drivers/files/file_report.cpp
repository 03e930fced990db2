#include "drivers/files/file_report.hpp"

#include "base/text.hpp"
#include "program/lines.hpp"

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace qcd
{

namespace
{

using Json = nlohmann::ordered_json;

Json or_nothing(const std::string& text) { return text.empty() ? Json() : Json(text); }

/// The sums of one record, or how many there are.
std::string checksum_of(const SpinorFileReport& r)
{
    if (r.checksums.size() == 1) return r.checksums.front();
    return r.checksums.empty() ? "" : fmt::format("of {}", r.checksums.size());
}

using Row = std::vector<std::string>;

/// found: checksum, plaquette, |UU^-1|, |x|^2, format; "": none.
template <class Report>
Row row_with(const Report& r, const std::optional<Extents>& lattice, const Row& found)
{
    Row row{one_line(r.file), r.good() ? "good" : "bad", lattice ? to_string(*lattice) : "-"};
    for (const std::string& text : found) row.push_back(text.empty() ? "-" : text);
    return row;
}

Row row_of(const GaugeFileReport& r)
{
    const auto& o = r.observables;
    return row_with(r, r.lattice,
                    {r.checksum, o ? fmt::format("{:.12f}", o->plaquette_total) : "",
                     o ? fmt::format("{:.1e}", r.unitarity) : "", "", r.format});
}

Row row_of(const SpinorFileReport& r)
{
    return row_with(r, r.lattice,
                    {checksum_of(r), "", "",
                     r.norm2.empty() ? "" : fmt::format("{:.12g}", r.total_norm2()), r.format});
}

Row row_of(const CheckpointFileReport& r)
{
    if (!r.header) return row_with(r, {}, {"", "", "", "", "checkpoint"});
    return row_with(r, r.header->problem.lattice,
                    {"", "", "", "", "checkpoint: " + progress_of(*r.header)});
}

/// What is said of a file of fields of either kind.
template <class Report>
Json head_of(const char* kind, const Report& r)
{
    return {{"kind", kind},
            {"file", r.file},
            {"good", r.good()},
            {"error", or_nothing(r.error)},
            {"format", or_nothing(r.format)},
            {"lattice", r.lattice ? Json(*r.lattice) : Json()},
            {"bits", r.bits == 0 ? Json() : Json(r.bits)}};
}

/// Width of a column; 0: no file has anything in it.
std::size_t width_of(const std::vector<Row>& rows, std::size_t column)
{
    std::size_t width = 0;
    bool any = false;
    for (const Row& row : rows) {
        width = std::max(width, row[column].size());
        any = any || (&row != &rows.front() && row[column] != "-");
    }
    return any ? width : 0;
}

} // namespace

const std::string& error_of(const FileReport& report)
{
    return std::visit([](const auto& r) -> const std::string& { return r.error; }, report);
}

void print_table(std::ostream& out, const std::vector<FileReport>& files)
{
    std::vector<Row> rows{
        {"file", "", "lattice", "checksum", "plaquette", "|UU^-1|", "|x|^2", "format"}};
    for (const FileReport& r : files)
        rows.push_back(std::visit([](const auto& one) { return row_of(one); }, r));
    for (const Row& row : rows) {
        std::string line;
        for (std::size_t i = 0; i + 1 < row.size(); ++i)
            if (const std::size_t width = width_of(rows, i))
                line += fmt::format("{:<{}}  ", row[i], width);
        out << line << row.back() << '\n';
    }
}

void print_text(std::ostream& out, const GaugeFileReport& r)
{
    const GaugeObservables& o = r.observables.value();
    out << one_line(r.file) << '\n';
    Lines lines(out);
    lines.add("format", "{}", r.format);
    lines.add("lattice", "{}", to_string(r.lattice.value()));
    lines.add("precision", "{} bits", r.bits);
    lines.add("checksum", "{}", r.checksum.empty() ? "none" : r.checksum + ", right");
    lines.add("plaquette", "{:.12f} (spatial {:.12f}, temporal {:.12f}; 1 for unit links)",
              o.plaquette_total, o.plaquette_spatial, o.plaquette_temporal);
    lines.add("link trace", "{:.12f} (average of Re tr U / 3)", o.link_trace);
    lines.add("unitarity", "|U U^dagger - 1| {:.1e}, |det U - 1| {:.1e} at most", r.unitarity,
              r.determinant);
    for (const std::string& note : r.notes) lines.add("note", "{}", one_line(note));
}

void print_text(std::ostream& out, const SpinorFileReport& r)
{
    out << one_line(r.file) << '\n';
    Lines lines(out);
    lines.add("format", "{}", r.format);
    if (!r.info.empty()) lines.add("info", "{}", one_line(r.info));
    lines.add("lattice", "{}", to_string(r.lattice.value()));
    lines.add("precision", "{} bits", r.bits);
    lines.add("spin basis", "{}, {}", to_string(r.basis.value()),
              r.basis_is_said ? "as the file says" : "as usual in this format");
    lines.add("phases", "{}{}, {}", place_of(r.phases.value()),
              r.angles ? fmt::format(" (theta {} pi)", fmt::join(*r.angles, ",")) : "",
              r.phases_are_said ? "as the file says" : "as usual in this format");
    lines.add("checksum", "{}", r.checksums.empty() ? "none" : checksum_of(r) + ", right");
    for (std::size_t i = 0; i < r.norm2.size(); ++i)
        lines.add(r.norm2.size() == 1 ? "spinor" : fmt::format("spinor {}", i).c_str(),
                  "|x|^2 {:.14e}, digest {}{}", r.norm2[i], r.digests[i],
                  r.propagator ? fmt::format(", source spin {} colour {}", i / 3, i % 3) : "");
    for (const std::string& note : r.notes) lines.add("note", "{}", one_line(note));
}

Json to_json(const GaugeFileReport& r)
{
    Json plaquette, link_trace, unitarity, determinant;
    if (r.observables) {
        const GaugeObservables& o = *r.observables;
        plaquette = {{"total", o.plaquette_total},
                     {"spatial", o.plaquette_spatial},
                     {"temporal", o.plaquette_temporal}};
        link_trace = o.link_trace;
        unitarity = r.unitarity;
        determinant = r.determinant;
    }
    Json j = head_of("gauge", r);
    j["checksum"] = or_nothing(r.checksum);
    j["plaquette"] = plaquette;
    j["link_trace"] = link_trace;
    j["unitarity"] = unitarity;
    j["determinant"] = determinant;
    j["notes"] = r.notes;
    return j;
}

Json to_json(const SpinorFileReport& r)
{
    Json spinors = Json::array();
    for (std::size_t i = 0; i < r.norm2.size(); ++i)
        spinors.push_back({{"norm2", r.norm2[i]}, {"digest", r.digests[i]}});
    Json j = head_of("spinors", r);
    j["spin_basis"] = r.basis ? Json(to_string(*r.basis)) : Json();
    j["phases"] = r.phases ? Json(to_string(*r.phases)) : Json();
    j["phases_angles"] = r.angles ? Json(*r.angles) : Json();
    j["propagator"] = r.format.empty() ? Json() : Json(r.propagator);
    j["info"] = or_nothing(r.info);
    j["checksums"] = r.checksums;
    j["spinors"] = spinors;
    j["notes"] = r.notes;
    return j;
}

} // namespace qcd
