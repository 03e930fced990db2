#pragma once
// --checkpoint and --resume of a run.

#include "drivers/checkpoint/checkpoint_writer.hpp"
#include "drivers/checkpoint/state_file.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace qcd
{

struct RunReport;

class Checkpointing
{
public:
    /// Opens what is resumed, and what stands where checkpoints are to be written. Throws Error
    /// where it is no checkpoint of this problem, as far as that is known without the links.
    Checkpointing(const RunSpec&, const Extents&, std::span<const std::unique_ptr<SpinorSource>>);

    /// What was opened must be of these links, too. Throws Error.
    void require_links(std::uint64_t digest);

    /// From which the solve goes on, of the sites that this rank has; none: from its beginning.
    /// Throws Error.
    std::optional<std::vector<State>> begin(RunReport&, const LatticeGraph&);
    /// Null: none are written.
    Checkpoints* checkpoints() { return writer_.get(); }
    /// Waits for the last one; says what there was.
    void end(RunReport&);

private:
    /// A file, and why it matters of which problem it is.
    struct Opened {
        std::unique_ptr<CheckpointFile> file;
        const char* otherwise;
    };
    void require_same(const Opened&, bool links_are_known) const;

    CheckpointProblem problem_;
    std::string resume_, file_;
    CheckpointInterval interval_;
    std::vector<Opened> opened_;
    std::unique_ptr<CheckpointWriter> writer_;
};

/// Null where the options ask for neither.
std::unique_ptr<Checkpointing> open_checkpoints(const RunSpec&, const Extents&,
                                                std::span<const std::unique_ptr<SpinorSource>>);

} // namespace qcd
