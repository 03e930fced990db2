#include "tests/reference/golden.hpp"

#include "lattice/gauge_source.hpp"

#include <cstdlib>
#include <fstream>
#include <iostream>

namespace qcd::reference
{

std::optional<std::filesystem::path> own_golden_folder()
{
    const std::filesystem::path folder = QCD_OWN_GOLDEN;
    if (!std::filesystem::exists(folder)) return std::nullopt;
    return folder;
}

std::optional<std::filesystem::path> golden_folder()
{
    const char* folder = std::getenv("QCD_REFERENCE_DIR");
    if (!folder || !*folder) return std::nullopt;
    return folder;
}

std::size_t golden_count(const std::filesystem::path& folder, std::size_t own, std::size_t others)
{
    return folder == own_golden_folder() ? own : others;
}

void report_skipped() { std::cerr << "SKIPPED: reference numbers: QCD_REFERENCE_DIR is not set\n"; }

void with_own_golden(const std::function<void(const std::filesystem::path&)>& check)
{
    const auto folder = own_golden_folder();
    if (!folder)
        std::cerr << "SKIPPED: the project's own numbers: its sources are not here\n";
    else
        check(*folder);
}

void with_golden(const std::function<void(const std::filesystem::path&)>& check)
{
    const auto folder = golden_folder();
    if (!folder)
        report_skipped();
    else
        check(*folder);
}

nlohmann::json golden_numbers(const std::filesystem::path& folder, const std::string& name)
{
    std::ifstream file(folder / name);
    return nlohmann::json::parse(file);
}

Links golden_links(const std::filesystem::path& folder, const std::string& config)
{
    const bool generated = config.starts_with("gen_");
    return golden_file_links(folder, config + (generated ? ".ildg" : ""));
}

Links golden_file_links(const std::filesystem::path& folder, const std::string& file)
{
    return load_links(*open_gauge((folder / "data" / file).string(), std::nullopt));
}

Wilson golden_operator(const nlohmann::json& config, const Links& links, const nlohmann::json& run)
{
    return {config.at("dims_xyzt").get<Extents>(), links, run.at("kappa"), run.at("mubar"),
            run.at("bc_t") == -1};
}

Complex golden_complex(const nlohmann::json& pair) { return {pair.at(0), pair.at(1)}; }

} // namespace qcd::reference
