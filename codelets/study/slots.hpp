#pragma once
// What the slots of the study's operations hold.

#include "codelets/slots.hpp"

namespace qcd::slot
{

/// A time slice of a neighbouring tile.
inline Slot study_slice(const char* name)
{
    return {name, "spinors of a time slice", Mode::reads, true};
}
/// Where they are written out: none.
inline Slot study_spin_matrices() { return {"spin", "spin matrices", Mode::reads, true}; }
/// One complex number, or several, in double.
inline Slot study_sums(const char* name, Mode mode) { return {name, "sums", mode}; }
/// Of which a part is copied.
inline Slot study_source(const char* name)
{
    return {.name = name, .holds = "spinor", .optional = true, .in_part = true};
}

} // namespace qcd::slot
