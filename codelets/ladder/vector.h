#pragma once
// Vectors of the ladder, as operations that go through all of them see them, in the report's two
// forms: a thread takes a spinor ("a thread a vector"), or one complex number of it ("a thread an
// element").

#include "codelets/ladder/shape.h"

QCD_PLAIN_BEGIN

typedef struct {
    int elements; // complex numbers: 12 a site
    int a_spinor; // 1: of a thread; 0: one complex number
} ladder_vector;

/// Sums, scalars: in double in either precision.
typedef struct {
    double re, im;
} ladder_sum;

/// Threads, or cores' items, that have work.
QCD_FN int ladder_items(ladder_vector v)
{
    return v.a_spinor ? v.elements / QCD_LADDER_ELEMENTS : v.elements;
}

QCD_PLAIN_END
