#include "drivers/run/solve_rounds.hpp"

#include "drivers/run/end_all.hpp"
#include "drivers/run/shared_runs.hpp"
#include "drivers/spec/commands.hpp"
#include "program/complain.hpp"
#include "program/progress_line.hpp"
#include "program/stop.hpp"

namespace qcd
{

using experiment::Outcome;

std::optional<Outcome> outcome_of_run(Ranks& ranks, const std::function<RunReport()>& run,
                                      const std::function<Outcome(const RunReport&)>& outcome_of)
{
    try {
        const RunReport r = run();
        if (r.interrupted) {
            stop_requested = true; // maybe by another rank's signal
            return std::nullopt;
        }
        return outcome_of(r);
    } catch (const Interrupted& e) {
        require_all_to_fail(ranks, e);
        return std::nullopt;
    } catch (const Error& e) {
        require_all_to_fail(ranks, e);
        return Outcome{0, {}, "", e.what()};
    }
}

std::vector<experiment::Run>
measure_rounds(const experiment::Design& d, experiment::RunFile& file, Ranks& ranks,
               const OutputSpec& output,
               const std::function<std::optional<Outcome>(int which)>& run, int manner)
{
    SharedRuns shared(ranks);
    const auto run_shared = [&](int which) {
        shared.begin(which, manner);
        return run(which);
    };
    return run_rounds_shown(d, output.quiet(), &file, run_shared,
                            [&](const std::string& what) { note(what, output.quiet()); });
}

} // namespace qcd
