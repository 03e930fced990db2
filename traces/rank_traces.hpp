#pragma once
// Makes one trace of those that ranks have recorded, each on its own clock.

#include "runtime/ranks.hpp"
#include "traces/trace.hpp"

#include <algorithm>
#include <vector>

namespace qcd
{

/// The clock of this rank against the first one's. They are compared by messages to and fro, of
/// which the fastest counts, at the beginning and at the end of what is recorded; in between the
/// difference is taken to change evenly.
class RankClock
{
public:
    /// All ranks make one. Compares.
    explicit RankClock(Ranks&);
    /// Compares again; all ranks.
    void look_again() { last_ = compare(); }
    /// A time of this rank's clock on the first one's.
    double on_first(double time) const;
    /// Seconds by which a time may be wrong: half of the fastest message to and fro.
    double uncertainty() const { return std::max(first_.uncertainty, last_.uncertainty); }

private:
    struct Comparison {
        double time = 0;   ///< here
        double behind = 0; ///< seconds by which the first one's clock is behind
        double uncertainty = 0;
    };
    Comparison compare() const;

    Ranks& ranks_;
    Comparison first_, last_;
};

/// What a rank hands in.
struct RankRecord {
    Trace trace;                      ///< times since `began`
    double began = 0;                 ///< on the clock of this rank
    std::vector<MessageEnd> messages; ///< on that clock, too
};

/// On the first rank the trace of all: times since its recording began, workers and memories with
/// their rank in the name, messages of which both ranks have told. On others it is empty. All ranks
/// call it.
Trace merged(Ranks&, RankRecord mine, const RankClock&);

} // namespace qcd
