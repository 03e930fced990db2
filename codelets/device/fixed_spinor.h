#pragma once
// Spinors in 16 bits (fixed.h). Included by spinor.h, where they are.

#include "codelets/device/fixed.h"

QCD_BEGIN

QCD_FN colour load_fixed_colour(QCD_GLOBAL const real* p, fixed_point f)
{
    return colour_make(number_of_words(load_words(p), f),
                       number_of_words(load_words(p + QCD_ROW), f),
                       number_of_words(load_words(p + 2 * QCD_ROW), f));
}
QCD_FN spinor load_spinor(QCD_GLOBAL const real* p)
{
    const fixed_point f = fixed_point_of(load_unit(p + 12 * QCD_ROW));
    return spinor_make(load_fixed_colour(p, f), load_fixed_colour(p + 3 * QCD_ROW, f),
                       load_fixed_colour(p + 6 * QCD_ROW, f),
                       load_fixed_colour(p + 9 * QCD_ROW, f));
}

QCD_FN vbits larger_of_colour(vbits largest, colour c)
{
    return larger_of_cplx(larger_of_cplx(larger_of_cplx(largest, c.c0), c.c1), c.c2);
}
QCD_FN fixed_unit unit_for_spinor(spinor s)
{
    vbits largest = larger_of_colour(magnitude(s.s0.c0.re), s.s0);
    largest = larger_of_colour(largest, s.s1);
    largest = larger_of_colour(largest, s.s2);
    return unit_for(larger_of_colour(largest, s.s3));
}
QCD_FN void store_fixed_colour(QCD_GLOBAL real* p, colour c, fixed_unit u)
{
    store_words(p, words_of_number(c.c0, u));
    store_words(p + QCD_ROW, words_of_number(c.c1, u));
    store_words(p + 2 * QCD_ROW, words_of_number(c.c2, u));
}
QCD_FN void store_spinor(QCD_GLOBAL real* p, spinor s)
{
    const fixed_unit u = unit_for_spinor(s);
    store_fixed_colour(p, s.s0, u);
    store_fixed_colour(p + 3 * QCD_ROW, s.s1, u);
    store_fixed_colour(p + 6 * QCD_ROW, s.s2, u);
    store_fixed_colour(p + 9 * QCD_ROW, s.s3, u);
    store_unit(p + 12 * QCD_ROW, u.stored);
}
QCD_FN void stream_fixed_colour(QCD_GLOBAL real* p, colour c, fixed_unit u)
{
    stream_words(p, words_of_number(c.c0, u));
    stream_words(p + QCD_ROW, words_of_number(c.c1, u));
    stream_words(p + 2 * QCD_ROW, words_of_number(c.c2, u));
}
/// Stores like store_spinor, past the caches where the host can: the result is not read soon.
QCD_FN void stream_spinor(QCD_GLOBAL real* p, spinor s)
{
    const fixed_unit u = unit_for_spinor(s);
    stream_fixed_colour(p, s.s0, u);
    stream_fixed_colour(p + 3 * QCD_ROW, s.s1, u);
    stream_fixed_colour(p + 6 * QCD_ROW, s.s2, u);
    stream_fixed_colour(p + 9 * QCD_ROW, s.s3, u);
    stream_unit(p + 12 * QCD_ROW, u.stored);
}

QCD_END
