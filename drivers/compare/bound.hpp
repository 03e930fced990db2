#pragma once
// How fast a case could have been, and what one of its runs lost on the way (docs/compare.md).

#include "drivers/compare/run_look.hpp"

#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace qcd
{

/// The fastest execution seen of each sort of tasks on each kind of workers.
class FastestTimes
{
public:
    void add(const Sort&, const std::string& kind, double seconds);
    void add(const RunLook&);
    const std::map<std::pair<Sort, std::string>, double>& seen() const { return seen_; }

    /// Seconds of the kernel. On devices the looks at the clock have the launch between them, and
    /// on OpenCL ones a wait, which cost less where tasks follow each other closely; so the
    /// shortest time of all sorts, which has little else, is taken off. A sort that the kind was
    /// not seen with is taken to move its bytes as fast as any other does there. Infinite: nothing
    /// is known of the kind.
    double kernel(const Sort&, const std::string& kind) const;

private:
    double launch(const std::string& kind) const;

    std::map<std::pair<Sort, std::string>, double> seen_;
};

/// What a case executes. counts: nodes that did something.
struct CaseTasks {
    TaskGraph graph{};
    std::vector<bool> counts{};
};
CaseTasks tasks_of(const RunRecord&, Counted);

struct Bound {
    double area = 0; ///< (a); no number: it needs a linear program, and there is no solver
    double path = 0; ///< (b)
    double bus = 0;  ///< (c)
    std::vector<double> shares{}; ///< of the flop on each kind, where (a) is reached
    double seconds() const;
};
/// bus_gb_per_s: to a device; 0: there is none.
Bound bound_of(const CaseTasks&, const std::vector<WorkerKind>&, const FastestTimes&,
               double bus_gb_per_s);

/// Seconds of a run above its bound: what they add up to.
struct Losses {
    double kernels = 0;   ///< slower than the fastest seen
    double placement = 0; ///< on kinds of workers that take longer than where the bound has them
    double transfers = 0, reductions = 0, idle = 0, runtime = 0; ///< of Idle
};
Losses losses_of(const RunLook&, const FastestTimes&, double bound);

} // namespace qcd
