#include "drivers/files/file_report.hpp"

#include "drivers/lines.hpp"
#include "lattice/text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace qcd
{

namespace
{

using Json = nlohmann::ordered_json;

std::string or_dash(const std::string& text) { return text.empty() ? "-" : text; }

Json or_nothing(const std::string& text) { return text.empty() ? Json() : Json(text); }

} // namespace

void print_table(std::ostream& out, const std::vector<GaugeFileReport>& files)
{
    std::vector<std::vector<std::string>> rows{
        {"file", "", "lattice", "checksum", "plaquette", "|UU^-1|", "format"}};
    for (const GaugeFileReport& r : files) {
        const bool read = r.observables.has_value();
        rows.push_back({one_line(r.file), r.good() ? "good" : "bad",
                        r.lattice ? to_string(*r.lattice) : "-", or_dash(r.checksum),
                        read ? fmt::format("{:.12f}", r.observables->plaquette_total) : "-",
                        read ? fmt::format("{:.1e}", r.unitarity) : "-", or_dash(r.format)});
    }
    print_rows(out, rows);
}

void print_rows(std::ostream& out, const std::vector<std::vector<std::string>>& rows)
{
    std::vector<std::size_t> widths(rows.front().size());
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i + 1 < row.size(); ++i)
            line += fmt::format("{:<{}}  ", row[i], widths[i]);
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

Json to_json(const GaugeFileReport& r)
{
    Json plaquette, link_trace, unitarity, determinant, notes = Json::array();
    if (r.observables) {
        const GaugeObservables& o = *r.observables;
        plaquette = {{"total", o.plaquette_total},
                     {"spatial", o.plaquette_spatial},
                     {"temporal", o.plaquette_temporal}};
        link_trace = o.link_trace;
        unitarity = r.unitarity;
        determinant = r.determinant;
    }
    for (const std::string& note : r.notes) notes.push_back(note);
    return {{"file", r.file},
            {"good", r.good()},
            {"error", or_nothing(r.error)},
            {"format", or_nothing(r.format)},
            {"lattice", r.lattice ? Json(*r.lattice) : Json()},
            {"bits", r.bits == 0 ? Json() : Json(r.bits)},
            {"checksum", or_nothing(r.checksum)},
            {"plaquette", plaquette},
            {"link_trace", link_trace},
            {"unitarity", unitarity},
            {"determinant", determinant},
            {"notes", notes}};
}

} // namespace qcd
