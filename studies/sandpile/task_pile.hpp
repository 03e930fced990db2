#pragma once
// The pile in parts: what the versions that are tasks submit.

#include "runtime/grid.hpp"
#include "studies/frame/cells.hpp"
#include "studies/frame/faces.hpp"
#include "studies/sandpile/plain.hpp"

#include <deque>
#include <memory>
#include <vector>

namespace qcd::studies
{

/// How long a settling took.
struct Settled {
    long sweeps = 0; ///< submitted
    long tasks = 0;  ///< on parts, of those
    bool stable = false;
};

/// Synchronous sweeps: tiles, and overlap where a task has several. Whether all is stable is looked
/// at late: while the host reads the flags of one look, the sweeps until the next are under way.
class SynchronousPile
{
public:
    SynchronousPile(Graph&, const Grid<2>&, const Pile&, int sweeps_of_a_task, bool overlaps);
    Settled settle(const SettleControl&);
    std::vector<int> grains() { return u_.get(); }

private:
    using Flags = DataOfParts<HostData>; ///< of operations' `unstable`
    void submit(const Flags*, int look);

    Graph& graph_;
    Grid<2> grid_;
    int sweeps_;
    bool overlaps_;
    Cells<2, int> u_, next_;
    Faces<2> faces_;
};

/// Version lazy. Parts of one colour of a chessboard have tasks in even rounds, those of the other
/// in odd ones: neighbours never at the same time. A task reports, which the host reads two rounds
/// later; where it has reported that it is stable, and nobody has sent it anything since, it is
/// left out.
class LazyPile
{
public:
    LazyPile(Graph&, const Grid<2>&, const Pile&);
    Settled settle(const SettleControl&);
    std::vector<int> grains() { return u_.get(); }

private:
    struct Part {
        std::unique_ptr<HostData> sent[Grid<2>::faces]; ///< to the part over this border
        std::unique_ptr<HostData> reports[2];           ///< of every second of its tasks
        int reported = 0;                               ///< tasks so far
        bool unstable = true;                           ///< by the latest report that is known
        long submitted = -1;                            ///< the latest round with a task of it
        long received = -1; ///< the latest round known in which somebody sent it something
    };
    struct Submitted {
        int part;
        long round;
        HostData* report;
    };
    bool wants_task(const Part& p) const { return p.unstable || p.received >= p.submitted; }
    void submit(int part, long round, int sweeps);
    void read_reports(long before_round);

    Graph& graph_;
    Grid<2> grid_;
    Cells<2, int> u_;
    std::vector<Part> parts_;
    std::deque<Submitted> pending_;
};

} // namespace qcd::studies
