#pragma once
// Fields in 16 bits: a word of 32 bits holds a complex number, both parts as fixed point q + 2^15,
// |q| < 2^15; the real one in its lower half.
//   spinors  x = q unit, unit a power of two of the site's own, in a row of floats behind its 12 of
//            words: the largest for which the largest magnitude has |q| >= 2^14, but at least
//            2^-126. q = x/unit rounded to the nearest, half-way to the even.
//            A site with a magnitude of 2^119 or more, or with what is no number, is stored as one
//            that is no number altogether.
//   links    x = q (1 + 2^-15) 2^-15 rounded to a float: 1 is exact, and no link of U(3) is
//            excluded. Made on the host (lattice/fixed_point.hpp).
// No division, no root, and each step rounds to one right number: the bits are the same everywhere.
//
// A q becomes a number of arithmetic without a conversion, for which GPUs have fewer units than for
// fma: as the last bits of 2^m, m the bits of a mantissa. What that is too large by, an fma that
// multiplies by the unit takes away; both are exact. The other way an fma adds 3 2^(m-1) + 2^15.
//
// Included where QCD_REAL_BITS is 16 alone.

#include "codelets/device/cplx.h"

QCD_BEGIN

#if QCD_MATH_BITS == 32
#define QCD_MANTISSA_BITS 23
#define QCD_EXPONENT_BIAS 127
#define QCD_FIRST_OF_WORDS 0x1p23 // a word's half is the last bits of this
#else
#define QCD_MANTISSA_BITS 52
#define QCD_EXPONENT_BIAS 1023
#define QCD_FIRST_OF_WORDS 0x1p52
#endif
#define QCD_UNITS_LEAST 1          // biased exponent of a float, as
#define QCD_UNITS_MOST (127 + 104) // above, 2^23 + 2^15 of them are not finite
#define QCD_UNIT_OF_NAN 0x7fc00000

// vbits: the bits of a vreal, in its lanes.
#if defined(__OPENCL_VERSION__)
#if QCD_MATH_BITS == 32
typedef int vbits;
QCD_FN vbits bits_of(vreal x) { return as_int(x); }
QCD_FN vreal real_of_bits(vbits b) { return as_float(b); }
#else
typedef i64 vbits;
QCD_FN vbits bits_of(vreal x) { return as_long(x); }
QCD_FN vreal real_of_bits(vbits b) { return as_double(b); }
#endif
#elif defined(__CUDACC__)
#if QCD_MATH_BITS == 32
typedef int vbits;
#else
typedef i64 vbits;
#endif
QCD_FN vbits bits_of(vreal x)
{
    vbits b;
    memcpy(&b, &x, sizeof b);
    return b;
}
QCD_FN vreal real_of_bits(vbits b)
{
    vreal x;
    memcpy(&x, &b, sizeof x);
    return x;
}
#else
typedef pick_vector vbits;
QCD_FN vbits bits_of(vreal x) { return (vbits)x; }
QCD_FN vreal real_of_bits(vbits b) { return (vreal)b; }
#endif
QCD_FN vbits larger_bits(vbits a, vbits b) { return a > b ? a : b; }

#if defined(__OPENCL_VERSION__) || defined(__CUDACC__)

typedef unsigned vwords;
QCD_FN vwords load_words(QCD_GLOBAL const real* p) { return *p; }
QCD_FN vwords load_words_once(QCD_GLOBAL const real* p)
{
#if defined(__CUDA_ARCH__)
    return __ldcs(p);
#elif defined(__NV_CL_C_VERSION)
    unsigned x;
    __asm("ld.global.cs.u32 %0, [%1];" : "=r"(x) : "l"(p));
    return x;
#else
    return *p;
#endif
}
QCD_FN void store_words(QCD_GLOBAL real* p, vwords w) { *p = w; }
QCD_FN void stream_words(QCD_GLOBAL real* p, vwords w) { *p = w; }
QCD_FN vreal load_unit(QCD_GLOBAL const real* p)
{
#if defined(__OPENCL_VERSION__)
    return (math)as_float(*p);
#else
    float unit;
    memcpy(&unit, p, sizeof unit);
    return (math)unit;
#endif
}
QCD_FN void store_unit(QCD_GLOBAL real* p, vbits unit) { *p = (unsigned)unit; }
QCD_FN void stream_unit(QCD_GLOBAL real* p, vbits unit) { *p = (unsigned)unit; }

#if defined(__CUDA_ARCH__) && QCD_MATH_BITS == 32 // an instruction each
QCD_FN vreal number_of_low(vwords w) { return __int_as_float(__byte_perm(w, 0x4b000000, 0x7610)); }
QCD_FN vreal number_of_high(vwords w) { return __int_as_float(__byte_perm(w, 0x4b000000, 0x7632)); }
QCD_FN vwords words_of(vbits low, vbits high) { return __byte_perm(low, high, 0x5410); }
#else
QCD_FN vreal number_of_low(vwords w)
{
    return real_of_bits(bits_of(vset(QCD_FIRST_OF_WORDS)) | (vbits)(w & 0xffff));
}
QCD_FN vreal number_of_high(vwords w)
{
    return real_of_bits(bits_of(vset(QCD_FIRST_OF_WORDS)) | (vbits)(w >> 16));
}
QCD_FN vwords words_of(vbits low, vbits high)
{
    return ((unsigned)low & 0xffff) | (unsigned)high << 16;
}
#endif

#else

typedef vbits vwords; // one in each lane
typedef unsigned words_memory __attribute__((vector_size(vector_width * 4), aligned(4), may_alias));
typedef unsigned words_register __attribute__((vector_size(vector_width * 4)));

QCD_FN vwords load_words(const real* p)
{
    return __builtin_convertvector(*(const words_memory*)p, vbits);
}
QCD_FN vwords load_words_once(const real* p) { return load_words(p); }
QCD_FN void store_words(real* p, vwords w)
{
    *(words_memory*)p = __builtin_convertvector(w, words_register);
}
QCD_FN void stream_words(real* p, vwords w)
{
#if defined(__AVX512F__) && QCD_MATH_BITS == 32
    _mm512_stream_si512((__m512i*)p, (__m512i)w);
#elif defined(__AVX2__) && QCD_MATH_BITS == 32
    _mm256_stream_si256((__m256i*)p, (__m256i)w);
#else
    store_words(p, w);
#endif
}
QCD_FN vreal load_unit(const real* p) { return vload((const plain*)p); }
QCD_FN void store_unit(real* p, vbits unit) { store_words(p, unit); }
QCD_FN void stream_unit(real* p, vbits unit) { stream_words(p, unit); }
QCD_FN vreal number_of_low(vwords w)
{
    return real_of_bits(bits_of(vset(QCD_FIRST_OF_WORDS)) | (w & 0xffff));
}
QCD_FN vreal number_of_high(vwords w)
{
    return real_of_bits(bits_of(vset(QCD_FIRST_OF_WORDS)) | (w >> 16 & 0xffff));
}
QCD_FN vwords words_of(vbits low, vbits high) { return (low & 0xffff) | (high & 0xffff) << 16; }

#endif

/// How words become numbers: of a q of 1, and of one of 0.
typedef struct {
    vreal unit, zero;
} fixed_point;

QCD_FN fixed_point fixed_point_of(vreal unit)
{
    fixed_point f;
    f.unit = unit;
    f.zero = vset(-(QCD_FIRST_OF_WORDS + 0x1p15)) * unit;
    return f;
}
QCD_FN fixed_point fixed_point_of_links() { return fixed_point_of(vset((1 + 0x1p-15) * 0x1p-15)); }
QCD_FN cplx number_of_words(vwords w, fixed_point f)
{
    return cmake(vfma(number_of_low(w), f.unit, f.zero), vfma(number_of_high(w), f.unit, f.zero));
}

/// near: as in link.h.
QCD_FN cplx cload_link(QCD_GLOBAL const real* p, int near)
{
    return number_of_words(near ? load_words(p) : load_words_once(p), fixed_point_of_links());
}

QCD_FN vbits magnitude(vreal x)
{
#if QCD_MATH_BITS == 32
    return bits_of(x) & 0x7fffffff;
#else
    return bits_of(x) & 0x7fffffffffffffffL;
#endif
}
QCD_FN vbits larger_of_cplx(vbits largest, cplx z)
{
    return larger_bits(larger_bits(largest, magnitude(z.re)), magnitude(z.im));
}

/// What a site is stored with.
typedef struct {
    vreal inverse; // of its unit
    vbits stored;  // the unit, as the bits of a float
} fixed_unit;

/// largest: the largest magnitude of the site, as bits. These grow with the number, above all for
/// what is none.
QCD_FN fixed_unit unit_for(vbits largest)
{
    const vbits none = largest - largest;
    // Biased exponent of the largest; the next one where it would be rounded to 2^15 units.
    const vbits exponent = ((largest >> (QCD_MANTISSA_BITS - 15)) + 1) >> 15;
    const vbits unit =
        larger_bits(exponent - (14 + QCD_EXPONENT_BIAS - 127), none + QCD_UNITS_LEAST);
    fixed_unit u; // unit: as for a float
    u.inverse = real_of_bits(((QCD_EXPONENT_BIAS + 127) - unit) << QCD_MANTISSA_BITS);
    u.stored = unit > none + QCD_UNITS_MOST ? none + QCD_UNIT_OF_NAN : unit << 23;
    return u;
}
QCD_FN vwords words_of_number(cplx z, fixed_unit u)
{
    const vreal middle = vset(1.5 * QCD_FIRST_OF_WORDS + 0x1p15);
    return words_of(bits_of(vfma(z.re, u.inverse, middle)), bits_of(vfma(z.im, u.inverse, middle)));
}

QCD_END
