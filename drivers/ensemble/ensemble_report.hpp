#pragma once
// What `generate` found, as text, JSON, a table and a plot.

#include "drivers/ensemble/ensemble_state.hpp"
#include "drivers/run/run_report.hpp"
#include "experiment/autocorrelation.hpp"

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace qcd
{

/// A quantity over the sweeps that count.
struct EnsembleMean {
    std::string key, meaning;
    experiment::SeriesMean mean; ///< its tau in measurements
};

struct EnsembleReport {
    EnsembleState state;
    RunReport run;         ///< plan, workers, tasks: what traces and comparisons know of a run
    int first_sweep = 0;   ///< done before, by a run that this one resumes
    int asked_sweeps = 0;  ///< in all
    int thermalize = 0;    ///< measurements up to this sweep are left out of the means
    int measure_every = 1; ///< sweeps
    std::vector<EnsembleMean> means;
    int averaged = 0;               ///< measurements in them
    std::vector<std::string> files; ///< fields that were saved
    std::string checkpoint;         ///< file that was written last; empty: none
    std::string digest;             ///< of the field at the end
    bool interrupted = false;
    double sweep_seconds = 0;   ///< of all sweeps of this run
    double measure_seconds = 0; ///< of its measurements

    int done() const { return state.sweeps - first_sweep; }
    /// A second, in the sweeps: heat bath and overrelaxations count alike.
    double link_updates_a_second() const;
};

/// Means of the measurements after `thermalize` sweeps.
std::vector<EnsembleMean> means_of(const std::vector<EnsembleRow>&, int thermalize);

void print_text(std::ostream&, const EnsembleReport&);
nlohmann::ordered_json to_json(const EnsembleReport&);

/// A line for each measurement, by the names in the first one.
std::string csv_of(const std::vector<EnsembleRow>&);

/// history.dat and history.gp in the folder, which is made if it is not there, and from them by
/// gnuplot history.svg and history.png. Returns in a line why there are no pictures; empty: there are.
void require_history_folder(const std::string& folder);
std::string plot_history(const std::string& folder, const EnsembleReport&);

} // namespace qcd
