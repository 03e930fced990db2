#pragma once
// Unsigned numbers of 32 bits, one per lane, beside vreal (lanes.h), and what is asked of vreal
// besides arithmetic: comparisons, choices, bits. Only where arithmetic is in double: on the host a
// number then stands in the 64 bits of its lane, whose upper half is 0.
//   vuint   one number per lane          vmask   one answer per lane: on the host 0 or -1
//   vword   64 bits per lane, the bits of a vreal

#include "codelets/device/exact_sum.h"
#include "codelets/device/lanes.h"

#if QCD_MATH_BITS == 64

QCD_BEGIN

#if defined(__OPENCL_VERSION__) || defined(__CUDACC__)

typedef unsigned vuint;
typedef u64 vword;
typedef int vmask;

QCD_FN vuint vuint_set(unsigned n) { return n; }
QCD_FN vuint vuint_add(vuint a, vuint b) { return a + b; }
/// The lower and the upper 32 bits of a b.
QCD_FN vuint vuint_low_product(vuint a, vuint b) { return a * b; }
QCD_FN vuint vuint_high_product(vuint a, vuint b) { return (vuint)((u64)a * b >> 32); }
/// high 2^32 + low
QCD_FN vword vword_of(vuint high, vuint low) { return (u64)high << 32 | low; }
QCD_FN vword vword_set(u64 bits) { return bits; }
QCD_FN vword vword_of_real(vreal x) { return bits_of_double(x); }
QCD_FN vreal vreal_of_word(vword w) { return double_of_bits(w); }

QCD_FN vmask vmask_all() { return 1; }
QCD_FN vmask vmask_and(vmask a, vmask b) { return a & b; }
QCD_FN vmask vmask_not(vmask a) { return !a; }
QCD_FN vmask vmask_choose(vmask which, vmask a, vmask b) { return which ? a : b; }
QCD_FN int vmask_any(vmask a) { return a; }
QCD_FN vmask vless(vreal a, vreal b) { return a < b; }
QCD_FN vmask vnot_above(vreal a, vreal b) { return a <= b; }
QCD_FN vmask vequal(vreal a, vreal b) { return a == b; }
QCD_FN vreal vchoose(vmask which, vreal a, vreal b) { return which ? a : b; }
/// 1 where the answer is yes.
QCD_FN vuint vuint_of_mask(vmask a) { return (vuint)a; }
QCD_FN vreal vsqrt(vreal x) { return sqrt(x); }

#else

typedef unsigned long long vuint __attribute__((vector_size(QCD_VECTOR_BYTES)));
typedef vuint vword;
typedef pick_vector vmask;

QCD_FN vuint vuint_set(unsigned n) { return (unsigned long long)n + vuint{}; }
QCD_FN vuint vuint_add(vuint a, vuint b) { return (a + b) & vuint_set(0xffffffffu); }
QCD_FN vuint vuint_product(vuint a, vuint b) // 64 bits
{
#if defined(__AVX512F__)
    return (vuint)_mm512_maskz_mul_epu32(0xff, (__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
    return (vuint)_mm256_mul_epu32((__m256i)a, (__m256i)b);
#else
    return (vuint)_mm_mul_epu32((__m128i)a, (__m128i)b);
#endif
}
QCD_FN vuint vuint_low_product(vuint a, vuint b)
{
    return vuint_product(a, b) & vuint_set(0xffffffffu);
}
QCD_FN vuint vuint_high_product(vuint a, vuint b) { return vuint_product(a, b) >> 32; }
QCD_FN vword vword_of(vuint high, vuint low) { return high << 32 | low; }
QCD_FN vword vword_set(u64 bits) { return bits + vword{}; }
QCD_FN vword vword_of_real(vreal x) { return (vword)x; }
QCD_FN vreal vreal_of_word(vword w) { return (vreal)w; }

QCD_FN vmask vmask_all() { return ~vmask{}; }
QCD_FN vmask vmask_and(vmask a, vmask b) { return a & b; }
QCD_FN vmask vmask_not(vmask a) { return ~a; }
QCD_FN vmask vmask_choose(vmask which, vmask a, vmask b) { return (which & a) | (~which & b); }
QCD_FN int vmask_any(vmask a)
{
    long long any = 0;
    for (int j = 0; j < vector_width; ++j) any |= a[j];
    return any != 0;
}
QCD_FN vmask vless(vreal a, vreal b) { return (vmask)(a < b); }
QCD_FN vmask vnot_above(vreal a, vreal b) { return (vmask)(a <= b); }
QCD_FN vmask vequal(vreal a, vreal b) { return (vmask)(a == b); }
QCD_FN vreal vchoose(vmask which, vreal a, vreal b) { return vselect(which, a, b); }
QCD_FN vuint vuint_of_mask(vmask a) { return (vuint)a & vuint_set(1); }
QCD_FN vreal vsqrt(vreal x)
{
#if defined(__AVX512F__)
    return _mm512_maskz_sqrt_pd(0xff, x); // g++ 12 warns of the unmasked one
#elif defined(__AVX2__)
    return _mm256_sqrt_pd(x);
#else
    return _mm_sqrt_pd(x);
#endif
}

#endif

QCD_END

#endif
