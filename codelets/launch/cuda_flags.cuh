#pragma once
// What CUDA devices that write each other's memory (peer_memory.hpp) tell each other.

#include "codelets/device/sent_word.h"

namespace qcd
{

/// A flag is a number that only grows. What this thread wrote, or saw of others by a barrier, is
/// there when the flag is seen.
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

/// Fails after an hour like a lost device: a run that is suspended goes on when the others do.
template <class Condition>
__device__ inline void await(Condition reached)
{
    constexpr unsigned long long an_hour = 3600'000'000'000ull;
    const unsigned long long start = nanoseconds();
    while (!reached())
        if (nanoseconds() - start > an_hour) __trap();
}

/// Waits until the flag is `count` or more.
__device__ inline void await_flag(const i64* flag, i64 count)
{
    await([&] {
        i64 seen;
        asm volatile("ld.acquire.sys.global.s64 %0, [%1];" : "=l"(seen) : "l"(flag) : "memory");
        return seen >= count;
    });
}

__device__ inline void send_word(sent_word* to, i64 value, unsigned number)
{
    const sent_word w = make_sent_word(value, number);
    asm volatile("st.relaxed.sys.global.v2.u64 [%0], {%1, %2};" ::"l"(to), "l"(w.low), "l"(w.high)
                 : "memory");
}

/// Waits until the word of this exchange is there.
__device__ inline i64 await_word(const sent_word* from, unsigned number)
{
    sent_word w;
    await([&] {
        asm volatile("ld.relaxed.sys.global.v2.u64 {%0, %1}, [%2];"
                     : "=l"(w.low), "=l"(w.high)
                     : "l"(from)
                     : "memory");
        return has_arrived(w, number);
    });
    return value_of_sent(w);
}

} // namespace qcd
