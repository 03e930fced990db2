#pragma once
// What workers that write each other's memory send word by word (launch/cpu_flags.hpp,
// launch/cuda_flags.cuh).

#include "codelets/device/lang.h"
#include "codelets/device/plain_structs.h"

QCD_PLAIN_BEGIN

/// 64 bits on their way. Each half stands beside the number of the exchange that brought it, in a
/// word that arrives as a whole: this needs no flag, and no wait until all of a message is there.
typedef struct __attribute__((aligned(16))) { // CUDA moves both halves by one instruction
    u64 low, high;
} sent_word;

QCD_FN sent_word make_sent_word(i64 value, unsigned number)
{
    const u64 bits = (u64)value, tag = (u64)number << 32;
    sent_word w;
    w.low = tag | (bits & 0xffffffffu);
    w.high = tag | bits >> 32;
    return w;
}
QCD_FN int has_arrived(sent_word w, unsigned number)
{
    return w.low >> 32 == number && w.high >> 32 == number;
}
QCD_FN i64 value_of_sent(sent_word w) { return (i64)(w.high << 32 | (w.low & 0xffffffffu)); }

QCD_PLAIN_END
