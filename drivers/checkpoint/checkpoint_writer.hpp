#pragma once

#include "drivers/spec/commands.hpp"
#include "lattice/files/checkpoint_file.hpp"
#include "solver/checkpoints.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <optional>
#include <string>

namespace qcd
{

class LatticeGraph;

/// What was written.
struct CheckpointCounts {
    int written = 0, failed = 0;
    double seconds = 0;      ///< that the solve stood still
    std::uint64_t bytes = 0; ///< of the last file
    int iteration = 0;       ///< that it belongs to
};

/// Writes states into one file, by a thread of its own while the solve goes on; a state waits for
/// the one before. One that cannot be written, for which there is no memory, or no thread, leaves
/// the file as it was, and the solve goes on.
/// Each of several ranks has one: the first one's clock counts, it writes the file, and the solve
/// stands still until that is done.
class CheckpointWriter : public Checkpoints
{
public:
    /// complain: told of the first failure, in one line, by the thread that solves, while it does.
    /// shared: that several ranks have; null: of one.
    CheckpointWriter(std::string file, CheckpointProblem, const CheckpointInterval&,
                     std::function<void(const std::string&)> complain,
                     const LatticeGraph* shared = nullptr);
    ~CheckpointWriter() override;

    /// At multiples of the iterations; or, as soon as that time is over, at the end of the block of
    /// iterations that begins then.
    int pause_in(int begin, int end) override;
    void take(int iterations, const std::function<std::vector<State>()>&) override;

    /// Waits for what is being written. Returns why the last state is not in the file, in one line;
    /// "": it is, or there was none.
    std::string finish();
    const CheckpointCounts& counts() const { return counts_; }
    bool has_complained() const { return has_complained_; }

private:
    using Clock = std::chrono::steady_clock;
    bool is_due(int begin);
    std::optional<std::vector<State>> states_of(const std::function<std::vector<State>()>&) const;
    void write(std::vector<State>);
    void wait();
    void complain();
    void wait_and_complain();
    void written(std::uint64_t bytes);
    void fail(const std::exception&);

    std::string file_;
    CheckpointProblem problem_;
    CheckpointInterval interval_;
    std::function<void(const std::string&)> complain_;
    const LatticeGraph* shared_;
    int asked_ = -1; ///< of ranks: when the first one's clock was looked at
    bool has_complained_ = false;
    Clock::time_point last_ = Clock::now();
    std::future<std::uint64_t> writing_; ///< not valid: nothing is being written
    int iteration_ = 0;                  ///< that this belongs to
    std::string failure_;                ///< of the last one
    CheckpointCounts counts_;
};

} // namespace qcd
