#pragma once
// A trace of a part of the run (the solve) through StarPU's FxT recorder, for StarPU's own tools:
//   DIR/fxt_0        its raw recording, for starpu_fxt_tool and StarVZ
//   DIR/dag.dot      the graph of tasks, for graphviz
//   DIR/tasks.rec    a record of each task
//   DIR/paje.trace   for ViTE: workers over time, a colour per task name, first task to last
//   DIR/profile.txt  where the time went, by task name and kind of worker; also profile.csv
// They are made in DIR/unfinished and moved when they are complete; until then an earlier trace in
// DIR stays. What a run that was killed left there ends with the next trace in DIR. Needs a StarPU
// built with FxT.

#include "traces/profile.hpp"
#include "traces/trace_folder.hpp"

#include <filesystem>
#include <optional>

namespace qcd
{

/// The order of calls: constructor, starpu_init, start, stop, starpu_shutdown, convert.
/// Tasks that run while start or stop is called are not counted: wait for all of them before.
class FxtTrace
{
public:
    /// What StarPU takes for the recording, unless STARPU_TRACE_BUFFER_SIZE is set.
    static constexpr std::size_t memory = 128 << 20;

    /// Takes `folder` and tells StarPU by environment variables to record into it; a
    /// STARPU_TRACE_BUFFER_SIZE that is set stays. Throws DeviceError if StarPU has no FxT, Error
    /// as ResultFolder does.
    explicit FxtTrace(const std::filesystem::path& folder);

    /// Comes after starpu_shutdown. A StarPU that is started later records nothing.
    ~FxtTrace();
    FxtTrace(const FxtTrace&) = delete;
    FxtTrace& operator=(const FxtTrace&) = delete;

    void start();
    void stop();

    /// Puts fxt_0, which StarPU has written, in place of an earlier run's results, and beside it
    /// what is made of it. Throws Error if the recording is missing or does not hold all of the
    /// `submitted` tasks.
    Profile convert(long submitted);

private:
    std::optional<ResultFolder> folder_;    ///< always, once constructed
    bool is_recorded_ = false;              ///< its raw recording is in the folder
    std::vector<std::string> worker_kinds_; ///< by worker number
};

} // namespace qcd
