#include "drivers/commands.hpp"
#include "drivers/files/checkpoint_report.hpp"
#include "drivers/files/file_report.hpp"
#include "drivers/machine/starpu_facts.hpp"
#include "drivers/provenance.hpp"
#include "drivers/run_report.hpp"

#include <nlohmann/json.hpp>

#include <iostream>
#include <vector>

namespace qcd
{

namespace
{

/// alone: of one file that was to be checked; a bad one's line was printed.
template <class Report>
void print(const std::vector<Report>& reports, bool alone)
{
    if (reports.empty()) return;
    if (!alone)
        print_table(std::cout, reports);
    else if (reports.front().good())
        print_text(std::cout, reports.front());
}

} // namespace

int run_check(const cli::CheckOptions& o)
{
    std::vector<GaugeFileReport> fields;
    std::vector<CheckpointFileReport> checkpoints;
    long bad = 0;
    const auto look = [&](const auto& report) {
        if (report.good()) return;
        ++bad;
        complain(report.error);
    };
    const auto stop = [] { stop_if_asked("interrupted"); };
    for (const std::string& file : o.files)
        if (begins_as_checkpoint(file))
            look(checkpoints.emplace_back(check_checkpoint(file, stop)));
        else
            look(fields.emplace_back(check_gauge_file(file, o.lattice, stop)));
    if (!o.output.quiet) {
        const bool alone = o.files.size() == 1;
        print(fields, alone);
        print(checkpoints, alone);
    }
    if (!o.output.json.empty()) {
        nlohmann::ordered_json j{{"files", nlohmann::ordered_json::array()},
                                 {"checkpoints", nlohmann::ordered_json::array()},
                                 {"bad", bad}};
        for (const GaugeFileReport& r : fields) j["files"].push_back(to_json(r));
        for (const CheckpointFileReport& r : checkpoints) j["checkpoints"].push_back(to_json(r));
        write_json(o.output.json, with_provenance(j, o.output, find_devices(), starpu_build()));
    }
    return bad == 0 ? exit_converged : exit_bad_input;
}

} // namespace qcd
