#pragma once
// Philox 4x32-10 (Salmon, Moraes, Dror and Shaw 2011): four random words as a function of a counter
// of four words and a key of two. Who computes them, and in which order, does not matter.

#include "codelets/device/uints.h"

#if QCD_MATH_BITS == 64

QCD_BEGIN

typedef struct {
    vuint w0, w1, w2, w3;
} random_words;

QCD_FN random_words philox_round(random_words c, unsigned key0, unsigned key1)
{
    const vuint m0 = vuint_set(0xd2511f53u), m1 = vuint_set(0xcd9e8d57u);
    random_words next;
    next.w0 = vuint_high_product(m1, c.w2) ^ c.w1 ^ vuint_set(key0);
    next.w1 = vuint_low_product(m1, c.w2);
    next.w2 = vuint_high_product(m0, c.w0) ^ c.w3 ^ vuint_set(key1);
    next.w3 = vuint_low_product(m0, c.w0);
    return next;
}

QCD_FN random_words philox(random_words counter, unsigned key0, unsigned key1)
{
    for (int round = 0; round < 10; ++round) {
        counter = philox_round(counter, key0, key1);
        key0 += 0x9e3779b9u;
        key1 += 0xbb67ae85u;
    }
    return counter;
}

/// (n + 1/2) 2^-52, n the upper 52 of 64 bits: in (0, 1), every value as probable, and neither end.
QCD_FN vreal unit_real(vuint high, vuint low)
{
    const vword in_1_to_2 = (vword_of(high, low) >> 12) | vword_set(0x3ff0000000000000UL);
    return (vreal_of_word(in_1_to_2) - vset(1)) + vset(0x1p-53);
}

QCD_END

#endif
