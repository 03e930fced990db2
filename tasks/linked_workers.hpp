#pragma once
// Workers that run tasks at the same time and exchange faces and sums inside of them, through peer
// memory (codelets/linked_hop, codelets/linked_coefficients).

#include "codelets/linked_coefficients/args.h"
#include "tasks/submit.hpp"

#include <vector>

namespace qcd
{

inline constexpr int most_linked_workers = QCD_MOST_PEERS + 1;

/// From now on these workers are linked, none if empty. Each has one tile and no data of others.
/// Part of assign_tiles().
void link_workers(const std::vector<int>& workers);
/// None: not linked.
const std::vector<int>& linked_workers();
/// Data without contents that a linked worker's exchanges write, so that they stay in order.
Data order_of(int linked_worker);

/// One exchange of sums between all linked workers, which are counted from 0 here. Nobody can be
/// two exchanges ahead of another, because an exchange needs the sums of all: so there are two
/// inboxes each, which take turns.
class SumExchange
{
public:
    SumExchange(); ///< the next one
    unsigned number() const { return number_; }
    Data inbox(int worker) const;
    /// Where the worker's sums go in the inbox of another.
    Data place(int worker, int in_inbox_of) const;

private:
    unsigned number_;
};

} // namespace qcd
