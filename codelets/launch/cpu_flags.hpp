#pragma once
// What cores that write each other's memory (runtime/peer_memory.hpp) tell each other, as
// cuda_flags.cuh is for CUDA devices.

#include "codelets/device/sent_word.h"

namespace qcd
{

/// A flag is a number that only grows. What was written before is there when it is seen.
void raise_flag(i64* flag, i64 count);
/// Waits until the flag is `count` or more; after an hour fails like a lost device.
void await_flag(i64* flag, i64 count);

void send_word(sent_word* to, i64 value, unsigned number);
/// Waits until the word of this exchange is there, as above.
i64 await_word(sent_word* from, unsigned number);

} // namespace qcd
