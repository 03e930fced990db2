#pragma once
// What is printed and written of files that were looked at.

#include "drivers/files/checkpoint_report.hpp"
#include "lattice/files/file_check.hpp"

#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <variant>
#include <vector>

namespace qcd
{

using FileReport =
    std::variant<GaugeFileReport, SpinorFileReport, CheckpointFileReport, EnsembleFileReport>;

/// The line that says why it is not good; "": it is.
const std::string& error_of(const FileReport&);

/// A line for each file, and a line above them; columns that all files lack are left out.
void print_table(std::ostream&, const std::vector<FileReport>&);
/// Labelled lines of one that is good.
void print_text(std::ostream&, const GaugeFileReport&);
void print_text(std::ostream&, const SpinorFileReport&);

nlohmann::ordered_json to_json(const GaugeFileReport&);
nlohmann::ordered_json to_json(const SpinorFileReport&);

} // namespace qcd
