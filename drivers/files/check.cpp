#include "drivers/commands.hpp"
#include "drivers/files/file_report.hpp"
#include "drivers/machine/starpu_facts.hpp"
#include "drivers/provenance.hpp"
#include "drivers/run_report.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>

namespace qcd
{

int run_check(const cli::CheckOptions& o)
{
    std::vector<GaugeFileReport> reports;
    for (const std::string& file : o.files) {
        reports.push_back(check_gauge_file(file, o.lattice, [] { stop_if_asked("interrupted"); }));
        if (!reports.back().good()) complain(reports.back().error);
    }
    const long bad = std::count_if(reports.begin(), reports.end(),
                                   [](const GaugeFileReport& r) { return !r.good(); });
    if (!o.output.quiet && reports.size() > 1) print_table(std::cout, reports);
    if (!o.output.quiet && reports.size() == 1 && bad == 0) print_text(std::cout, reports.front());
    if (!o.output.json.empty()) {
        nlohmann::ordered_json j{{"files", nlohmann::ordered_json::array()}, {"bad", bad}};
        for (const GaugeFileReport& r : reports) j["files"].push_back(to_json(r));
        write_json(o.output.json, with_provenance(j, o.output, find_devices(), starpu_build()));
    }
    return bad == 0 ? exit_converged : exit_bad_input;
}

} // namespace qcd
