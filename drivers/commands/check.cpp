#include "drivers/commands/commands.hpp"
#include "drivers/files/file_report.hpp"
#include "drivers/run/problem.hpp"
#include "program/complain.hpp"
#include "program/provenance.hpp"
#include "program/stop.hpp"

#include <nlohmann/json.hpp>

#include <iostream>
#include <vector>

namespace qcd
{

namespace
{

FileReport look_at(const std::string& file, const ProblemSpec& o)
{
    const auto stop = [] { stop_if_asked("interrupted"); };
    std::unique_ptr<FileBytes> bytes;
    try {
        bytes = open_file_bytes(file);
    } catch (const Error& error) {
        GaugeFileReport report;
        report.file = file;
        report.error = error.what();
        return report;
    }
    if (is_checkpoint(*bytes)) return check_checkpoint(std::move(bytes), stop);
    if (is_ensemble(*bytes)) return check_ensemble(std::move(bytes), stop);
    if (holds_spinors(*bytes))
        return check_spinor_file(std::move(bytes), o.lattice(), stop, o.ignore_checksum());
    return check_gauge_file(std::move(bytes), o.lattice(), stop, gauge_reading(o));
}

} // namespace

int run_check(const CheckSpec& o)
{
    std::vector<FileReport> reports;
    for (const std::string& file : o.files()) {
        reports.push_back(look_at(file, o.run.problem));
        if (const std::string& error = error_of(reports.back()); !error.empty()) complain(error);
    }
    const long bad = std::count_if(reports.begin(), reports.end(),
                                   [](const FileReport& r) { return !error_of(r).empty(); });
    if (!o.run.output.quiet() && reports.size() > 1) print_table(std::cout, reports);
    if (!o.run.output.quiet() && reports.size() == 1 && bad == 0)
        std::visit([](const auto& r) { print_text(std::cout, r); }, reports.front());
    nlohmann::ordered_json j{{"files", nlohmann::ordered_json::array()}, {"bad", bad}};
    for (const FileReport& r : reports)
        j["files"].push_back(std::visit([](const auto& one) { return to_json(one); }, r));
    write_result({o.run.output.json()}, j, o.run.output);
    return bad == 0 ? exit_converged : exit_bad_input;
}

} // namespace qcd
