#pragma once
// What is printed and written of checkpoints that were looked at.

#include "drivers/ensemble/ensemble_state.hpp"
#include "lattice/files/checkpoint_file.hpp"
#include "lattice/files/file_check.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace qcd
{

/// What is known of a checkpoint, as far as the file could be read.
struct CheckpointFileReport {
    std::string file;
    std::string error;       ///< the line that says why it is not good; "": it is
    std::uint64_t bytes = 0; ///< of the file; 0: not known, like what follows
    std::optional<CheckpointHeader> header;

    bool good() const { return error.empty(); }
};

/// Reads all of it. before_vector is called before each vector.
CheckpointFileReport check_checkpoint(std::unique_ptr<FileBytes>,
                                      const std::function<void()>& before_vector);

/// What is known of a checkpoint of `generate`, whose links are looked at like those of a gauge file.
struct EnsembleFileReport : GaugeFileReport {
    std::optional<EnsembleState> state;
};

/// Reads all of it. before_slice is called before each time slice, of which each is read twice.
EnsembleFileReport check_ensemble(std::unique_ptr<FileBytes>,
                                  const std::function<void()>& before_slice);

/// "cg, iteration 12, |r|/|b| 1.0e-03"
std::string progress_of(const CheckpointHeader&);
/// Labelled lines of one that is good.
void print_text(std::ostream&, const CheckpointFileReport&);
void print_text(std::ostream&, const EnsembleFileReport&);

nlohmann::ordered_json to_json(const CheckpointFileReport&);
nlohmann::ordered_json to_json(const EnsembleFileReport&);

} // namespace qcd
