#pragma once
// What --trace, --report and --trace-fxt record of the solves of a run.

#include "drivers/run/run_record.hpp"
#include "drivers/run/run_report.hpp"
#include "drivers/spec/commands.hpp"
#include "runtime/evictions.hpp"
#include "runtime/transfers.hpp"
#include "traces/fxt_trace.hpp"
#include "traces/rank_traces.hpp"
#include "traces/trace_folder.hpp"

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>

namespace qcd
{

/// The order of calls: constructor, StarPU starts, begin, end, StarPU ends, write. Of several ranks
/// all record, and the first one writes what it has of all.
class Recorders : public RunObserver
{
public:
    /// On devices a look at the clock between two kernels keeps them from overlapping: of batches
    /// there so many are looked into, the others are one event each. On cores all are.
    static constexpr int every_batch_on_devices = 8;

    /// Takes the folders. Throws Error, DeviceError where StarPU has no FxT and it is asked for.
    Recorders(const RunSpec&, Ranks&);

    std::optional<int> every_batch(const WorkerCounts&) const override;
    void begin(Graph&, const Session&) override;
    void solved() override { record_.solved(); }
    void end(const std::vector<WorkDone>&, const WorkerCounts&, Events*) override;

    /// The files, and the profile as text. Each in an `attempt` of its own, which may catch what it
    /// throws. result: what --json writes; null: that of the report.
    void write(const RunReport&, const OutputSpec&,
               const std::function<void(const std::function<void()>&)>& attempt,
               const nlohmann::ordered_json* result = nullptr);

private:
    bool traces_, report_, one_solve_;
    bool bounds_ = false; // the page has the bound
    Ranks& ranks_;
    bool records() const { return traces_ || report_; }
    /// Makes one trace of those of all ranks, on the first one.
    void merge_ranks(double began);

    std::optional<FxtTrace> fxt_;
    std::optional<TraceFolder> folder_;
    std::optional<Transfers> transfers_;
    std::optional<Evictions> evictions_;
    std::optional<Profiling> profiling_;
    std::optional<RankClock> clock_; // where there are several
    MessageLog messages_;
    RunRecord record_;
    Trace trace_; // of its events
};

} // namespace qcd
