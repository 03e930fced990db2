#pragma once
// The slots that operations have, by what they hold.

#include "codelets/device/exact_sum.h"
#include "codelets/device/solve_scalars.h"
#include "runtime/operation.hpp"

namespace qcd::slot
{

// Of one parity of a tile.
inline Slot spinor(const char* name, Mode mode) { return {name, "spinor", mode}; }
inline Slot links(const char* name) { return {name, "links"}; }
inline Slot clover(const char* name) { return {name, "clover matrices"}; }

/// Of the faces of a tile, or its neighbours, 2 mu for the one below and 2 mu + 1 for the one
/// above; those of directions that are not cut are absent.
inline Slot faces(const char* name, Mode mode) { return {name, "half spinors", mode, true, 8}; }

/// Of QCD_MAX_SUMS accumulators, exact: what is written is their sum over the tile's sites.
inline Slot sums(const char* name)
{
    return {.name = name,
            .holds = "exact sums",
            .mode = Mode::writes,
            .added_to = QCD_TASK_SUM_WORDS * sizeof(i64)};
}
/// Those of a tile or of all; in a batch the device kernel that reads them clears them, too.
inline Slot sums_read(const char* name)
{
    return {.name = name, .holds = "exact sums", .zeroed_by_reader = true};
}

/// A method's, which begin with solve_scalars (device/solve_scalars.h).
inline Slot scalars(const char* name, Mode mode = Mode::reads) { return {name, "scalars", mode}; }

/// Without contents, of one worker: its tasks that write it stay in their order.
inline Slot order() { return {"order", "nothing", Mode::writes}; }

/// So many that follow each other.
inline Slot several(Slot s, int count)
{
    s.count = count;
    return s;
}

inline Slot optional(Slot s)
{
    s.optional = true;
    return s;
}

} // namespace qcd::slot

namespace qcd
{

/// Operation::idle of an operation that does nothing behind the closed gate of the scalars there;
/// of each right-hand side its own.
template <int slot>
bool behind_closed_gate_of(void* const* slots, int rhs)
{
    for (int i = 0; i < rhs; ++i)
        if (!gate_closed(gate_of(static_cast<const solve_scalars*>(slots[slot]), i))) return false;
    return true;
}

} // namespace qcd
