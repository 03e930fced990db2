#pragma once
// An experiment of ranks: order, rounds and files are the first one's, which tells the others which
// run is next.

#include "base/error.hpp"
#include "runtime/ranks.hpp"

#include <algorithm>
#include <vector>

namespace qcd
{

class SharedRuns
{
public:
    explicit SharedRuns(Ranks& ranks) : ranks_(ranks) {}

    // The first rank calls this before each run, number `which` of those that all know, in one of
    // several manners, and end() when its files are written.
    void begin(int which, int manner = 0) { tell({which, manner, exit_converged}); }
    ExitStatus end(ExitStatus status)
    {
        tell({none, 0, status});
        return status;
    }

    /// What the others do: run(which, manner) as often as the first rank begins one. Returns its
    /// status.
    template <class Run>
    ExitStatus follow(const Run& run)
    {
        for (;;) {
            const Message next = ranks_.from_rank(0, Message{});
            if (next.which == none) return next.status;
            run(next.which, next.manner);
        }
    }

private:
    static constexpr int none = -1;
    struct Message {
        int which = none, manner = 0;
        ExitStatus status = exit_converged;
    };
    void tell(const Message& m) { ranks_.from_rank(0, m); }

    Ranks& ranks_;
};

/// What all ranks have at least, of cores or devices.
inline int least_of_all(Ranks& ranks, int mine)
{
    const std::vector<int> all = ranks.all(mine);
    return *std::min_element(all.begin(), all.end());
}

} // namespace qcd
