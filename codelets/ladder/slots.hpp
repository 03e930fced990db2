#pragma once
// What the slots of the ladder's operations hold.

#include "codelets/slots.hpp"

namespace qcd::slot
{

/// A time slice of a neighbouring tile.
inline Slot ladder_slice(const char* name)
{
    return {name, "spinors of a time slice", Mode::reads, true};
}
/// Where they are written out: none.
inline Slot ladder_spin_matrices() { return {"spin", "spin matrices", Mode::reads, true}; }
/// One complex number, or several, in double.
inline Slot ladder_sums(const char* name, Mode mode) { return {name, "sums", mode}; }
/// Of which a part is copied.
inline Slot ladder_source(const char* name)
{
    return {.name = name, .holds = "spinor", .optional = true, .in_part = true};
}

} // namespace qcd::slot
