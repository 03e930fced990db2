#pragma once
// The reference numbers: open.json, clover.json and the gauge fields beside them in data/. The
// project has some of a field of its own, tests/reference/golden; more, of other people's fields,
// are found through QCD_REFERENCE_DIR.

#include "tests/reference/dirac.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace qcd::reference
{

/// The project's; none where tests run without its sources, as in a bundle.
std::optional<std::filesystem::path> own_golden_folder();

/// The folder of the environment variable QCD_REFERENCE_DIR; none if it is unset or empty.
std::optional<std::filesystem::path> golden_folder();

/// How many there must be at least: in the project's numbers, or in those of QCD_REFERENCE_DIR.
std::size_t golden_count(const std::filesystem::path& folder, std::size_t own, std::size_t others);

/// Prints the line that CTest reports as a skipped test.
void report_skipped();

/// check(folder) where there is one; says so where there is none.
void with_own_golden(const std::function<void(const std::filesystem::path&)>& check);
void with_golden(const std::function<void(const std::filesystem::path&)>& check);

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
