#pragma once
// What the slots of operations hold: the contents in their lists (device/slots.h).

#include "codelets/device/exact_sum.h"
#include "codelets/device/solve_scalars.h"
#include "runtime/slot_table.hpp"

namespace qcd::slot
{

// Fields on one parity of a tile.
inline constexpr Slot spinor{.holds = "spinor"}, links{.holds = "links"},
    clover{.holds = "clover matrices"};
/// The faces of a tile, or of its neighbours, 2 mu for the one below and 2 mu + 1 for the one
/// above; those of directions that are not cut are absent.
inline constexpr Slot faces{.holds = "half spinors"};
/// QCD_MAX_SUMS accumulators, exact. Written: their sum over the tile's sites. Read: in a batch the
/// device kernel that reads them clears them, too.
inline constexpr Slot sums{
    .holds = "exact sums", .added_to = QCD_TASK_SUM_WORDS * sizeof(i64), .zeroed_by_reader = true};
/// Exact sums that no task adds to and no reader clears.
inline constexpr Slot whole_sums{.holds = "exact sums"};
/// A method's, which begin with solve_scalars (device/solve_scalars.h).
inline constexpr Slot scalars{.holds = "scalars"};
/// Scalars behind whose closed gate the operation does nothing.
inline constexpr Slot gate{.holds = "scalars", .gates = true};
inline constexpr Slot history{.holds = "history", .turns = true};
inline constexpr Slot peer_memory{.holds = "peer memory"};
/// Data without contents that keep the tasks of one worker, which write them, in their order.
inline constexpr Slot order{.holds = "nothing"};

} // namespace qcd::slot

namespace qcd
{

/// The slot of a table that has the gate of the operation; -1: none.
constexpr int gate_slot(std::initializer_list<Slot> table)
{
    int slot = 0;
    for (const Slot& s : table) {
        if (s.gates) return slot;
        slot += s.count;
    }
    return -1;
}

/// Operation::idle of an operation that does nothing behind the closed gate of the scalars there;
/// of each right-hand side its own.
template <int slot>
bool behind_closed_gate_of(void* const* slots, int rhs)
{
    for (int i = 0; i < rhs; ++i)
        if (!gate_closed(gate_of(static_cast<const solve_scalars*>(slots[slot]), i))) return false;
    return true;
}
template <int slot>
inline constexpr auto idle_behind = &behind_closed_gate_of<slot>;
template <>
inline constexpr bool (*idle_behind<-1>)(void* const*, int) = nullptr;

} // namespace qcd
