#pragma once
// Lines of comma-separated values, quoted as RFC 4180 says.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qcd::experiment
{

/// A line with its line end. Line ends inside of cells become '?': a record is a line.
std::string csv_line(const std::vector<std::string>& cells);

/// The cells of a line without its end; nothing where its quotes do not match.
std::optional<std::vector<std::string>> csv_cells(std::string_view line, char separator = ',');
/// What separates the cells of a table with this header: spreadsheets write semicolons where the
/// comma is that of decimals.
char csv_separator(std::string_view header);

} // namespace qcd::experiment
