#pragma once
// Flags in peer memory (peer_memory.hpp), for CUDA devices: numbers that only grow.

#include "codelets/device/lang.h"

namespace qcd
{

/// What this thread wrote, or saw of others by a barrier, is there when the flag is seen.
__device__ inline void raise_flag(i64* flag, i64 count)
{
    asm volatile("st.release.sys.global.s64 [%0], %1;" ::"l"(flag), "l"(count) : "memory");
}

__device__ inline unsigned long long nanoseconds()
{
    unsigned long long ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
}

/// Waits until the flag is `count` or more; after a minute fails like a lost device.
__device__ inline void await_flag(const i64* flag, i64 count)
{
    constexpr unsigned long long a_minute = 60'000'000'000ull;
    const unsigned long long start = nanoseconds();
    for (i64 seen = 0; seen < count;) {
        asm volatile("ld.acquire.sys.global.s64 %0, [%1];" : "=l"(seen) : "l"(flag) : "memory");
        if (nanoseconds() - start > a_minute) __trap();
    }
}

} // namespace qcd
