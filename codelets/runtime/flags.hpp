#pragma once
// Flags in peer memory (peer_memory.hpp), for cores: numbers that only grow.

#include "codelets/device/lang.h"

namespace qcd
{

/// What was written before is there when the flag is seen.
void raise_flag(i64* flag, i64 count);
/// Waits until the flag is `count` or more; after a minute fails like a lost device.
void await_flag(i64* flag, i64 count);

} // namespace qcd
