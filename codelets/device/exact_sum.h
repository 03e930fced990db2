#pragma once
// Sums of doubles that do not depend on the order: the exact sum, rounded once.
//
// An accumulator is QCD_SUM_WORDS 64-bit integers: word i < 67 counts units of 2^(32 i - 1074),
// word 67 counts terms that are not finite, the last two stay 0. A double is 53 bits at some place,
// so it adds to at most three words, each time by less than 2^32: 2^31 terms fit. Accumulators of
// parts add word by word, in any order. (After Kulisch's long accumulator, with the carries
// delayed.) So the value does not depend on tiling, schedule, worker or vector width.

#include "codelets/device/lang.h"
#include "codelets/device/plain_structs.h"

#define QCD_SUM_WORDS 70
#define QCD_SUM_NONFINITE 67
#define QCD_MAX_SUMS 5 // accumulators that one task fills
#define QCD_TASK_SUM_WORDS (QCD_MAX_SUMS * QCD_SUM_WORDS)

// The address space of what the threads of a block, or the items of a work group, share.
#if defined(__OPENCL_VERSION__)
#define QCD_SHARED __local
#else
#define QCD_SHARED
#endif

QCD_PLAIN_BEGIN

#if defined(__OPENCL_VERSION__)
QCD_FN u64 bits_of_double(double x) { return as_ulong(x); }
QCD_FN double double_of_bits(u64 b) { return as_double(b); }
#else
QCD_FN u64 bits_of_double(double x)
{
    u64 b;
    __builtin_memcpy(&b, &x, sizeof b);
    return b;
}
QCD_FN double double_of_bits(u64 b)
{
    double x;
    __builtin_memcpy(&x, &b, sizeof x);
    return x;
}
#endif

/// A double as magnitude * 2^(place - 1074), magnitude < 2^53. What is not finite is a 1 in the
/// word that counts such terms.
typedef struct {
    u64 magnitude;
    int place, negative;
} sum_bits;

QCD_FN sum_bits make_sum_bits(double x)
{
    const u64 b = bits_of_double(x), fraction = b & 0xfffffffffffffUL;
    const int exponent = (int)(b >> 52) & 2047;
    const int finite = exponent != 2047;
    sum_bits s;
    s.magnitude = !finite ? 1 : exponent ? fraction | 0x10000000000000UL : fraction;
    s.place = !finite ? 32 * QCD_SUM_NONFINITE : exponent ? exponent - 1 : 0;
    s.negative = finite && (b >> 63);
    return s;
}

/// A double as three signed words from word `first` on.
typedef struct {
    int first;
    i64 w0, w1, w2;
} sum_term;

QCD_FN sum_term make_sum_term(double x)
{
    const sum_bits s = make_sum_bits(x);
    const int shift = s.place & 31;
    const u64 low = (s.magnitude & 0xffffffffUL) << shift;
    const u64 high = ((s.magnitude >> 32) << shift) + (low >> 32);
    const i64 sign = s.negative ? -1 : 1;
    sum_term t;
    t.first = s.place >> 5;
    t.w0 = sign * (i64)(low & 0xffffffffUL);
    t.w1 = sign * (i64)(high & 0xffffffffUL);
    t.w2 = sign * (i64)(high >> 32);
    return t;
}

/// The words of an accumulator that are not 0, but for that of terms that are not finite.
typedef struct {
    int lowest, highest; // highest < 0: there are none
} used_words;

/// The value accumulated in these words, which are overwritten, rounded to nearest even. NaN if any
/// term was not finite.
QCD_FN double round_used_words(QCD_SHARED i64* words, used_words used)
{
    if (words[QCD_SUM_NONFINITE] != 0) return double_of_bits(0x7ff8000000000000UL);
    if (used.highest < 0) return 0.0;
    // Words near those matter: two below, for the shifts, and two above, for the carry.
    const int first = used.lowest > 2 ? used.lowest - 2 : 0;
    int top = used.highest + 2 < QCD_SUM_NONFINITE ? used.highest + 2 : QCD_SUM_NONFINITE - 1;
    i64 carry = 0;
    for (int i = first; i <= top; ++i) {
        const i64 w = words[i] + carry;
        words[i] = w & 0xffffffffL;
        carry = w >> 32;
    }
    const int negative = carry < 0;
    if (negative) { // two's complement over all words
        carry = 1;
        for (int i = first; i <= top; ++i) {
            const i64 w = (words[i] ^ 0xffffffffL) + carry;
            words[i] = w & 0xffffffffL;
            carry = w >> 32;
        }
    }
    while (top > first && words[top] == 0) --top;
    // The leading 64 bits from word top down, the rest in the last bit: one rounding, in the
    // conversion.
    u64 head = (u64)words[top];
    int place = 32 * top;
    int next = top - 1;
    if (next >= 0) {
        head = (head << 32) | (u64)words[next--];
        place -= 32;
    }
    if (next >= 0 && head != 0) {
        int free_bits = 0; // at most 31: words[top] != 0
        for (int bits = 16; bits > 0; bits /= 2)
            if (!(head >> (64 - bits - free_bits))) free_bits += bits;
        if (free_bits > 0) {
            head = (head << free_bits) | ((u64)words[next] >> (32 - free_bits));
            place -= free_bits;
            if (((u64)words[next] << free_bits) & 0xffffffffUL) head |= 1;
        } else if (words[next] != 0) {
            head |= 1;
        }
        for (--next; next >= first; --next)
            if (words[next] != 0) head |= 1;
    }
    // head * 2^(place - 1074), the power in two factors that are both normal numbers
    const int power = place - 1074;
    const int first_power = power / 2;
    const double a = double_of_bits((u64)(first_power + 1023) << 52);
    const double b = double_of_bits((u64)(power - first_power + 1023) << 52);
    const double value = (double)head * a * b;
    return negative ? -value : value;
}

#if !defined(__OPENCL_VERSION__)
/// The rounded value of an accumulator.
QCD_FN double round_exact_sum(const i64* accumulator)
{
    i64 words[QCD_SUM_WORDS];
    used_words used = {QCD_SUM_NONFINITE, -1};
    for (int i = 0; i < QCD_SUM_WORDS; ++i) {
        words[i] = accumulator[i];
        if (words[i] == 0 || i >= QCD_SUM_NONFINITE) continue;
        if (used.highest < 0) used.lowest = i;
        used.highest = i;
    }
    return round_used_words(words, used);
}
#endif

QCD_PLAIN_END
