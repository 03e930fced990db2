#include "tasks/rank_sums.hpp"

#include "codelets/device/exact_sum.h"
#include "codelets/merge_sums/merge_sums.hpp"
#include "runtime/ranks.hpp"

#include <bit>

namespace qcd
{

RankSums::RankSums(LatticeGraph& graph, const Data& mine) : graph_(graph), total_(mine)
{
    const unsigned ranks = unsigned(graph.ranks().size()), rank = unsigned(graph.ranks().rank());
    const unsigned doubling = std::bit_floor(ranks), beyond = ranks - doubling;
    constexpr int bits = 32;
    const long first_tag = graph.ranks().tags(bits + 2), given = first_tag + bits,
               taken = given + 1;
    if (rank >= doubling) {
        add_step(int(rank - doubling), given, Way::gives);
        add_step(int(rank - doubling), taken, Way::takes_total);
        return;
    }
    if (rank < beyond) add_step(int(rank + doubling), given, Way::takes);
    for (int bit = 0; 1u << bit < doubling; ++bit)
        add_step(int(rank ^ 1u << bit), first_tag + bit, Way::both);
    if (rank < beyond) add_step(int(rank + doubling), taken, Way::gives);
}

std::unique_ptr<HostData> RankSums::make() const
{
    return std::make_unique<HostData>(graph_, graph_.rhs() * QCD_TASK_SUM_WORDS, sizeof(i64),
                                      graph_.owner_of_scalars());
}

void RankSums::add_step(int partner, long tag, Way way)
{
    Step step{partner, tag, {}, total_, nullptr, nullptr};
    if (way == Way::gives || way == Way::both) step.send = total_;
    if (way != Way::gives) step.theirs = make();
    if (way == Way::takes || way == Way::both) step.sum = make();
    if (step.sum)
        total_ = step.sum->data();
    else if (step.theirs)
        total_ = step.theirs->data();
    steps_.push_back(std::move(step));
}

void RankSums::submit() const
{
    for (const Step& s : steps_) {
        if (s.send) graph_.send(s.send, s.partner, s.tag, "sums");
        if (s.theirs) graph_.receive(s.theirs->data(), s.partner, s.tag, "sums");
        if (s.sum)
            graph_.submit(merge_sums_codelet(), merge_sums_args{2},
                          {s.sum->data(), s.mine, s.theirs->data()});
    }
}

} // namespace qcd
