#pragma once
// Who wants to know of the solves of a run.

#include "runtime/events.hpp"
#include "runtime/session.hpp"

#include <optional>
#include <vector>

namespace qcd
{

/// Told of them between setup and verification.
class RunObserver
{
public:
    virtual ~RunObserver() = default;
    /// Every how many batches of a worker are looked into, in a session with these workers;
    /// nothing: no events are wanted.
    virtual std::optional<int> every_batch(const WorkerCounts&) const = 0;
    /// No task is under way.
    virtual void begin(Graph&, const Session&) = 0;
    /// The last one has ended; no other follows.
    virtual void solved() = 0;
    /// work: of the solves; events: null if none were wanted.
    virtual void end(const std::vector<WorkDone>& work, const WorkerCounts&, Events*) = 0;
};

} // namespace qcd
