#pragma once
// StarPU's performance models: measured before the rounds, and left as they are in all of them, so
// that every round asks the same ones.

#include "drivers/compare/cases.hpp"
#include "experiment/run_file.hpp"
#include "runtime/starpu_samples.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace qcd
{

/// Does the scheduler of this case, if StarPU has something to choose in it, ask models how long
/// tasks take?
bool asks_models(const RunSpec&, bool gpus);

/// Solves in which models are measured.
RunSpec short_solves(RunSpec);

/// The entries that a comparison uses, as they were when its rounds began.
struct Calibration {
    std::string folder; ///< StarPU's, where the models are
    int runs = 0;       ///< that it took
    std::vector<ModelEntry> entries;

    /// The number of entries with fewer timings than StarPU wants before it trusts one, and
    /// measures on.
    int short_of_timings() const;
    /// Says in a line which model is not any more what it was; empty: none.
    std::string changed() const;
};

/// What a case's entries in StarPU's models are called together: "hopping_f64_avx2, CPU, 1 MiB".
std::string name_of(const ModelEntry&);

struct CalibrationControl {
    /// Runs this case with short_solves(); nothing: it was stopped.
    std::function<std::optional<experiment::Outcome>(const Variant&)> run;
    std::function<void(const Variant&)> progress; ///< before each run
};

/// Runs those cases that ask models until each entry that they use has enough timings, or does not
/// get more. Nothing: stopped.
std::optional<Calibration> calibrate(const std::vector<Variant>&, bool gpus,
                                     const CalibrationControl&);

/// Reads calibration.json in the folder; nothing where it is not there. Throws Error.
std::optional<Calibration> read_calibration(const std::string& folder);
void write_calibration(const std::string& folder, const Calibration&);

} // namespace qcd
