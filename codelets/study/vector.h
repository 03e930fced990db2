#pragma once
// Vectors of the study, as operations that go through all of them see them, in the report's two
// forms: a thread takes a spinor ("a thread a vector"), or one complex number of it ("a thread an
// element").

#include "codelets/study/shape.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    int elements; // complex numbers: 12 a site
    int a_spinor; // 1: of a thread; 0: one complex number
} study_vector;

/// Sums, scalars: in double in either precision.
typedef struct {
    double re, im;
} study_sum;

/// Threads, or cores' items, that have work.
QCD_FN int study_items(study_vector v)
{
    return v.a_spinor ? v.elements / QCD_STUDY_ELEMENTS : v.elements;
}

#ifdef __cplusplus
}
#endif
