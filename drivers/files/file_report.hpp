#pragma once
// What is printed and written of gauge files that were looked at.

#include "lattice/files/gauge_check.hpp"

#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>
#include <vector>

namespace qcd
{

/// Columns as wide as what is in them.
void print_rows(std::ostream&, const std::vector<std::vector<std::string>>& rows);

/// A line for each file, and a line above them.
void print_table(std::ostream&, const std::vector<GaugeFileReport>&);
/// Labelled lines of one that is good.
void print_text(std::ostream&, const GaugeFileReport&);

nlohmann::ordered_json to_json(const GaugeFileReport&);

} // namespace qcd
