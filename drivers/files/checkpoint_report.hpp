#pragma once
// What is printed and written of checkpoints that were looked at.

#include "lattice/files/checkpoint_file.hpp"

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

/// "cg, iteration 12, |r|/|b| 1.0e-03"
std::string progress_of(const CheckpointHeader&);
/// Labelled lines of one that is good.
void print_text(std::ostream&, const CheckpointFileReport&);

nlohmann::ordered_json to_json(const CheckpointFileReport&);

} // namespace qcd
