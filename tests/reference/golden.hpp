#pragma once
// The reference numbers (open.json, clover.json and the gauge fields beside them), found through
// QCD_REFERENCE_DIR.

#include "tests/reference/dirac.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>
#include <string>

namespace qcd::reference
{

/// The folder of the environment variable QCD_REFERENCE_DIR; none if it is unset or empty.
std::optional<std::filesystem::path> golden_folder();

/// Prints the line that CTest reports as a skipped test.
void report_skipped();

nlohmann::json golden_numbers(const std::filesystem::path& folder,
                              const std::string& file = "open.json");

/// Links of a configuration of open.json, by its name there.
Links golden_links(const std::filesystem::path& folder, const std::string& config);

/// Those of a file beside the numbers.
Links golden_file_links(const std::filesystem::path& folder, const std::string& file);

/// The operator of one entry of a configuration's "runs".
Wilson golden_operator(const nlohmann::json& config, const Links& links, const nlohmann::json& run);

Complex golden_complex(const nlohmann::json& pair);

} // namespace qcd::reference
