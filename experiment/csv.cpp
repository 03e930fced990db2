#include "experiment/csv.hpp"

#include "base/text.hpp"

namespace qcd::experiment
{

std::string csv_line(const std::vector<std::string>& cells)
{
    std::string line;
    for (const std::string& raw : cells) {
        const std::string cell = one_line(raw);
        if (&raw != &cells.front()) line += ',';
        if (cell.find_first_of(",\"") == std::string::npos) {
            line += cell;
            continue;
        }
        line += '"';
        for (const char c : cell) line += c == '"' ? std::string("\"\"") : std::string(1, c);
        line += '"';
    }
    return line + '\n';
}

std::optional<std::vector<std::string>> csv_cells(std::string_view line, char separator)
{
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
            cells.back() += line[++i];
        else if (c == '"')
            quoted = !quoted;
        else if (c == separator && !quoted)
            cells.emplace_back();
        else
            cells.back() += c;
    }
    if (quoted) return std::nullopt;
    return cells;
}

char csv_separator(std::string_view header)
{
    return header.find(',') == header.npos && header.find(';') != header.npos ? ';' : ',';
}

} // namespace qcd::experiment
