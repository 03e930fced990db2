#pragma once
// The table of an operation's slots, of the list in which they stand (codelets/device/slots.h):
// QCD_SLOT_TABLE(NAME). What slots hold is said by whoever has operations, as constants of the same
// namespace: slots without a name.

#include "runtime/operation.hpp"

namespace qcd::slot
{

struct Use {
    Mode mode;
    double share = 1;
    int read_with = Slot::always;
};
inline constexpr Use reads{Mode::reads}, writes{Mode::writes}, updates{Mode::updates};
/// Data of which faces or other small parts are read.
inline constexpr Use reads_part{Mode::reads, 0};
/// One of n equal parts is looked at.
constexpr Use reads_one_of(int n) { return {Mode::reads, 1.0 / n}; }
/// It is overwritten, but stays as it is behind a closed gate.
inline constexpr Use stays{.mode = Mode::updates, .read_with = Slot::never};
/// It is updated where that slot is filled, and else stays.
constexpr Use updates_with(int slot) { return {.mode = Mode::updates, .read_with = slot}; }

struct Presence {
    bool optional;
    int count = 1;
};
inline constexpr Presence required{false}, optional{true};
constexpr Presence several(int n) { return {true, n}; }

constexpr Slot make(const char* name, const Use& use, Slot s, Presence p)
{
    s.name = name;
    s.mode = use.mode;
    s.share = use.share;
    s.read_with = use.read_with;
    s.optional = p.optional;
    s.count = p.count;
    if (s.mode == Mode::reads)
        s.added_to = 0;
    else
        s.zeroed_by_reader = false;
    return s;
}

} // namespace qcd::slot

#define QCD_SLOT_ROW(op, name, use, contents, type, presence)                                      \
    qcd::slot::make(#name, qcd::slot::use, qcd::slot::contents, qcd::slot::presence),
/// The table of an operation.
#define QCD_SLOT_TABLE(op)                                                                         \
    {                                                                                              \
        QCD_SLOTS_##op(QCD_SLOT_ROW, op##_)                                                        \
    }
