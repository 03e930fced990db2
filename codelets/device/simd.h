#pragma once
// The arithmetic of lanes.h on the host: a vreal is one SIMD register. Three instruction sets, one
// meaning; without FMA hardware fma() is the C library's (slow, same bits).

#include "codelets/device/lang.h"

#include <immintrin.h>

QCD_BEGIN

#if defined(__AVX512F__)
#define QCD_VECTOR_BYTES 64
#elif defined(__AVX2__)
#define QCD_VECTOR_BYTES 32
#else
#define QCD_VECTOR_BYTES 16
#endif

enum { vector_width = QCD_VECTOR_BYTES * 8 / QCD_MATH_BITS }; // lanes in a vreal

typedef math vreal __attribute__((vector_size(QCD_VECTOR_BYTES)));
typedef math vreal_memory
    __attribute__((vector_size(QCD_VECTOR_BYTES), aligned(QCD_MATH_BITS / 8), may_alias));
typedef plain stored_memory __attribute__((vector_size(vector_width * QCD_WORD_BITS / 8),
                                           aligned(QCD_WORD_BITS / 8), may_alias));
typedef double double_vector __attribute__((vector_size(QCD_VECTOR_BYTES)));
#if QCD_MATH_BITS == 64
typedef double_vector vdouble;
#else
// Two registers, not one twice as wide: g++ keeps that in memory.
typedef struct {
    double_vector low, high; // the lower and the upper half of the lanes
} vdouble;
#endif

/// x in every lane: x - 0 is x, of either sign, and one instruction. (A loop over the lanes g++
/// makes into one for each.)
QCD_FN vreal vset(double x) { return (math)x - vreal{}; }

#if QCD_WORD_BITS == QCD_MATH_BITS
QCD_FN vreal vload(const plain* p) { return *(const vreal_memory*)p; }
QCD_FN void vstore(plain* p, vreal v) { *(vreal_memory*)p = v; }
#else
QCD_FN vreal vload(const plain* p)
{
    return __builtin_convertvector(*(const stored_memory*)p, vreal);
}
QCD_FN void vstore(plain* p, vreal v)
{
    *(stored_memory*)p = __builtin_convertvector(v, stored_memory);
}
#endif
QCD_FN vreal vload_once(const plain* p) { return vload(p); }
QCD_FN vreal vload_face(const math* p) { return *(const vreal_memory*)p; }
QCD_FN void vstore_face(math* p, vreal v) { *(vreal_memory*)p = v; }

#if defined(__AVX512F__) && QCD_MATH_BITS == 64
QCD_FN vreal vfma(vreal a, vreal b, vreal c) { return _mm512_fmadd_pd(a, b, c); }
QCD_FN vreal vfnma(vreal a, vreal b, vreal c) { return _mm512_fnmadd_pd(a, b, c); }
#elif defined(__AVX512F__)
QCD_FN vreal vfma(vreal a, vreal b, vreal c) { return _mm512_fmadd_ps(a, b, c); }
QCD_FN vreal vfnma(vreal a, vreal b, vreal c) { return _mm512_fnmadd_ps(a, b, c); }
#elif defined(__AVX2__) && QCD_MATH_BITS == 64
QCD_FN vreal vfma(vreal a, vreal b, vreal c) { return _mm256_fmadd_pd(a, b, c); }
QCD_FN vreal vfnma(vreal a, vreal b, vreal c) { return _mm256_fnmadd_pd(a, b, c); }
#elif defined(__AVX2__)
QCD_FN vreal vfma(vreal a, vreal b, vreal c) { return _mm256_fmadd_ps(a, b, c); }
QCD_FN vreal vfnma(vreal a, vreal b, vreal c) { return _mm256_fnmadd_ps(a, b, c); }
#else
/// Out of line: shorter to compile. Without a loop: or sanitizers watch the operands in memory.
static __attribute__((noinline)) vreal vfma(vreal a, vreal b, vreal c)
{
#if QCD_MATH_BITS == 64
    return vreal{__builtin_fma(a[0], b[0], c[0]), __builtin_fma(a[1], b[1], c[1])};
#else
    return vreal{__builtin_fmaf(a[0], b[0], c[0]), __builtin_fmaf(a[1], b[1], c[1]),
                 __builtin_fmaf(a[2], b[2], c[2]), __builtin_fmaf(a[3], b[3], c[3])};
#endif
}
QCD_FN vreal vfnma(vreal a, vreal b, vreal c) { return vfma(-a, b, c); }
#endif

QCD_FN vreal vinverse(vreal x) { return vset(1) / x; }

// Non-temporal stores need aligned rows; fields are (lattice/huge_pages.hpp).
#if defined(__AVX512F__) && QCD_WORD_BITS == 64
QCD_FN void vstream(plain* p, vreal v) { _mm512_stream_pd(p, v); }
#elif defined(__AVX512F__) && QCD_MATH_BITS == 32
QCD_FN void vstream(plain* p, vreal v) { _mm512_stream_ps(p, v); }
#elif defined(__AVX2__) && QCD_WORD_BITS == 64
QCD_FN void vstream(plain* p, vreal v) { _mm256_stream_pd(p, v); }
#elif defined(__AVX2__) && QCD_MATH_BITS == 32
QCD_FN void vstream(plain* p, vreal v) { _mm256_stream_ps(p, v); }
#else
QCD_FN void vstream(plain* p, vreal v) { vstore(p, v); }
#endif

#if QCD_MATH_BITS == 64
QCD_FN vdouble vdset(double x) { return vset(x); }
QCD_FN vdouble vdot(vdouble sum, vreal a, vreal b) { return vfma(a, b, sum); }
QCD_FN vdouble vndot(vdouble sum, vreal a, vreal b) { return vfnma(a, b, sum); }
#else
// The product of two floats is exact in double, so multiply and add round once, as fma does.
// (g++ 12 splits __builtin_convertvector in four and warns of the unmasked intrinsics.)
#if defined(__AVX512DQ__)
QCD_FN double_vector low_half(vreal a)
{
    return _mm512_maskz_cvtps_pd(0xff, __builtin_shufflevector(a, a, 0, 1, 2, 3, 4, 5, 6, 7));
}
QCD_FN double_vector high_half(vreal a)
{
    return _mm512_maskz_cvtps_pd(0xff, __builtin_shufflevector(a, a, 8, 9, 10, 11, 12, 13, 14, 15));
}
QCD_FN double_vector dfma(double_vector a, double_vector b, double_vector c)
{
    return _mm512_fmadd_pd(a, b, c);
}
#elif defined(__AVX2__)
QCD_FN double_vector low_half(vreal a) { return _mm256_cvtps_pd(_mm256_castps256_ps128(a)); }
QCD_FN double_vector high_half(vreal a) { return _mm256_cvtps_pd(_mm256_extractf128_ps(a, 1)); }
QCD_FN double_vector dfma(double_vector a, double_vector b, double_vector c)
{
    return _mm256_fmadd_pd(a, b, c);
}
#else
QCD_FN double_vector low_half(vreal a) { return _mm_cvtps_pd(a); }
QCD_FN double_vector high_half(vreal a) { return _mm_cvtps_pd(_mm_movehl_ps(a, a)); }
QCD_FN double_vector dfma(double_vector a, double_vector b, double_vector c) { return a * b + c; }
#endif
QCD_FN vdouble vdset(double x)
{
    const double_vector v = x - double_vector{};
    return vdouble{v, v};
}
QCD_FN vdouble vdot(vdouble sum, vreal a, vreal b)
{
    sum.low = dfma(low_half(a), low_half(b), sum.low);
    sum.high = dfma(high_half(a), high_half(b), sum.high);
    return sum;
}
QCD_FN vdouble vndot(vdouble sum, vreal a, vreal b) { return vdot(sum, -a, b); }
#endif

QCD_END
