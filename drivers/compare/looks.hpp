#pragma once
// What a comparison finds out about its runs beside their seconds: bounds, losses, and what
// warnings are made of.

#include "drivers/compare/bound.hpp"
#include "drivers/compare/runtime_split.hpp"
#include "drivers/run/run_report.hpp"
#include "experiment/ranking.hpp"

#include <optional>
#include <string>
#include <vector>

namespace qcd
{

/// The bound of one case.
struct CaseBound {
    double area = 0, path = 0, bus = 0; ///< seconds, of Bound
    bool whole = true;           ///< false: of the first operations alone (GraphRecord::most_nodes)
    double best = 0, median = 0; ///< seconds of the runs
    double look_seconds = 0;     ///< of the run that was looked into; 0: none
    bool look_counts = false;    ///< it is one of the rounds'; else looking took time, too
    Losses losses{};             ///< of that run
    struct Share {
        std::string kind;
        double bound = 0, measured = 0; ///< of the flop; measured: in the fastest run
    };
    std::vector<Share> shares{}; ///< where several kinds work
    double seconds() const { return Bound{area, path, bus}.seconds(); }
};

/// What warnings about one case are made of.
struct CaseFacts {
    double median_task = 0; ///< seconds; 0: a task is many operations
    double seconds = 0;     ///< of the run with these bytes
    double bytes_moved = 0, bytes_needed = 0;
    double bus_gb_per_s = 0;
    WorkerCounts workers{};
    PlanKind plan = PlanKind::graph;
    bool scheduler_asked = false; ///< it is one of the factors of the case
    struct Model {
        std::string operation, kind;
        double ratio = 1;     ///< measured over predicted
        double deviation = 0; ///< of the measured ones, over their mean
    };
    std::vector<Model> models{}; ///< of what takes a share of the time that counts
};

/// Where CG went on for CR both count from 0 on; what follows the shorter one's end is left out of
/// both, and the bound is so much lower.
Counted counted(const RunReport&);

/// The bound of a run by itself, recorded with its graph and every operation: each takes as long as
/// its fastest call in it. Where that would be slower than the run, nothing was lost that is known.
CaseBound bound_of(const RunReport&, const RunRecord&);

class Looks
{
public:
    explicit Looks(std::size_t cases) : cases_(cases) {}

    /// What the next run of a case is to record: the first one in this process, the warm-up, all.
    RunRecord wanted(int which) const;
    void add(int which, const RunReport&, RunRecord&&);

    /// Nothing where no run of this process was recorded.
    std::optional<CaseBound> bound(const experiment::Design&, const std::vector<experiment::Run>&,
                                   int which) const;
    std::optional<CaseFacts> facts(int which) const;
    /// Where the time of the warm-up went, if its tasks were single operations.
    std::optional<RuntimeSplit> split(int which) const { return cases_[std::size_t(which)].split; }
    /// The load average of the machine before the first run; none: there was no run.
    std::optional<double> load_before() const { return load_before_; }

    /// The fastest times of all runs; those of earlier calls are added to them.
    FastestTimes fastest{};

private:
    struct Look {
        RunLook run;
        bool counts;
    };
    struct OfCase {
        std::optional<CaseTasks> tasks{};
        std::optional<RuntimeSplit> split{};
        std::vector<Look> looks{};     // by seconds; of many the middle ones
        std::optional<RunLook> best{}; // of those that count
        CaseFacts facts{};
    };
    static void keep(OfCase&, Look);
    static const Look* look_near(const OfCase&, double seconds);

    std::vector<OfCase> cases_;
    std::optional<double> load_before_;
};

} // namespace qcd
