#pragma once
// Doubles cut into integers at places that all lanes of a warp share, which the hardware then adds
// up: how GPUs make exact sums (exact_sum.h).
//
// x + c with c = 3 2^(51 + p) is x rounded to units of 2^p, and the low bits of the result count
// them. What is left of x, x - ((x + c) - c), is exact, and at most half a unit. Pieces follow each
// other at a distance of 25 bits, so each is at most 2^24 units: 64 of them add up in 32 bits. Of a
// term that is less than 2^14 times smaller than the largest nothing is left after three.

#include "codelets/device/exact_sum.h"

#define QCD_PIECES 3
#define QCD_PIECE_BITS 25
#define QCD_PIECE_WORDS 4          // of an accumulator, to which the pieces of many terms add
#define QCD_TOO_LARGE (2000 << 20) // from here on, at 2^977, terms are not cut

QCD_PLAIN_BEGIN

/// Grows with |x|; what is not finite is the largest.
QCD_FN int size_of_term(double x) { return (int)(bits_of_double(x) >> 32 & 0x7fffffffUL); }

/// The place of the first piece (its unit is 2^(place - 1074)) of terms up to this size: by steps
/// of 8, so that most warps have the same.
QCD_FN int first_place(int largest)
{
    const int exponent = (largest < QCD_TOO_LARGE ? largest : QCD_TOO_LARGE) >> 20;
    return (exponent + QCD_PIECE_BITS + 3 + 7) & ~7;
}
/// At place 0 nothing is left of any term.
QCD_FN int piece_place(int first, int i)
{
    const int place = first - i * QCD_PIECE_BITS;
    return place > 0 ? place : 0;
}

/// c, for a piece at this place.
QCD_FN double piece_cutter(int place)
{
    return double_of_bits((u64)((place + 1) << 20 | 0x80000) << 32);
}

typedef struct {
    int units;
    double rest;
} cut_term;

QCD_FN cut_term cut_off(double x, double cutter)
{
    const double rounded = x + cutter;
    cut_term t;
    t.units = (int)(bits_of_double(rounded) & 0xffffffffUL);
    t.rest = x - (rounded - cutter);
    return t;
}

/// What so many units at a place, less than 2^58, add to a word of an accumulator.
QCD_FN i64 word_of_units(i64 units, int place, int word)
{
    const int shift = place & 31, above = word - (place >> 5);
    return above == 0   ? (i64)((u64)units << shift & 0xffffffffUL)
           : above == 1 ? units >> (32 - shift)
                        : 0;
}

QCD_PLAIN_END
