#pragma once
// The terms of a lane that come one after the other, kept as three doubles without rounding.
//
// Bin i counts units of word first + i of an accumulator (exact_sum.h): it starts at 3 2^51 of
// them, so that bin + x is x rounded to units, of which its low bits count what came so far. What
// is left of x goes to the bin below. A term of less than 2^38 units of the highest bin that ends
// at a unit of the lowest leaves nothing; others do not fit, or leave a rest, and are the caller's
// to add.

#include "codelets/device/sum_pieces.h"

#define QCD_BINS 3
#define QCD_BIN_TERMS 2048 // at most: up to 2^49 units, for which a bin has room

QCD_PLAIN_BEGIN

// No array: NVIDIA's OpenCL would keep it in memory.
typedef struct {
    double low, middle, high;
    int first; // word of the lowest
} sum_bins;

QCD_FN double empty_bin(int word) { return piece_cutter(32 * word); }

/// The first word of bins for a term of this size and others, up to 2^4 times larger and 2^14 times
/// smaller.
QCD_FN int first_bin(int largest)
{
    const int exponent = (largest < QCD_TOO_LARGE ? largest : QCD_TOO_LARGE) >> 20;
    const int highest = (exponent + 18 + 31) >> 5;
    const int first = (highest < 63 ? highest : 63) - (QCD_BINS - 1); // above, a bin is no double
    return first > 0 ? first : 0;
}

QCD_FN sum_bins empty_bins(int first)
{
    sum_bins b;
    b.low = empty_bin(first);
    b.middle = empty_bin(first + 1);
    b.high = empty_bin(first + 2);
    b.first = first;
    return b;
}

/// What is left of x.
QCD_FN double add_to_bin(double* bin, double x)
{
    const double sum = *bin + x, rest = x - (sum - *bin);
    *bin = sum;
    return rest;
}

/// What is left of x, or all of it if it does not fit.
QCD_FN double add_to_bins(sum_bins* b, double x)
{
    const int fits = size_of_term(x) < (32 * (b->first + QCD_BINS - 1) - 13) << 20;
    const double rest =
        add_to_bin(&b->low, add_to_bin(&b->middle, add_to_bin(&b->high, fits ? x : 0)));
    return fits ? rest : x;
}

/// The units in a bin, of this word.
QCD_FN i64 units_in_bin(double bin, int word)
{
    return (i64)(bits_of_double(bin) - bits_of_double(empty_bin(word)));
}

QCD_PLAIN_END
