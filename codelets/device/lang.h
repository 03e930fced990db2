#pragma once
// The kernel dialect: C99 that g++, clang, nvcc and OpenCL C compile alike. The words are
//   QCD_FN QCD_GLOBAL               function, address space of fields
//   QCD_TERM                        a large function that a site calls several times: as QCD_FN,
//                                   but with QCD_COMPACT out of line on the host: less to compile
//   QCD_BEGIN QCD_END               the namespace of one precision and storage of links (and, on
//                                   the host, one instruction set)
//   QCD_PRECISION                   what it is compiled for: a name of lattice/precision.hpp;
//                                   headers that need none stand in namespace qcd
//   QCD_REAL_BITS QCD_MATH_BITS     of stored fields, and of the arithmetic. In 16 bits fields are
//                                   fixed point (fixed.h)
//   QCD_LINK_ROWS                   reals stored per link: 18 (default), 12 or 8 (link.h)
// Types: real (stored; in 16 bits a word of two reals), plain (stored, never in 16 bits: then a
// float), math (arithmetic), and vreal of lanes.h, which is what site code computes with. Bits are
// the same on every backend: every product-sum is an explicit fma, contraction is off,
// + - * fma are correctly rounded everywhere, sums over sites are exact (exact_sum.h).

// Bits of stored reals and of arithmetic, by precision; namespaces by the reals of a link.
#define QCD_REAL_BITS_OF_f64 64
#define QCD_MATH_BITS_OF_f64 64
#define QCD_REAL_BITS_OF_f32 32
#define QCD_MATH_BITS_OF_f32 32
#define QCD_REAL_BITS_OF_f32_in_f64 32
#define QCD_MATH_BITS_OF_f32_in_f64 64
#define QCD_REAL_BITS_OF_f16 16
#define QCD_MATH_BITS_OF_f16 32
#define QCD_REAL_BITS_OF_f16_in_f64 16
#define QCD_MATH_BITS_OF_f16_in_f64 64
#define QCD_NAMESPACE_OF_18(precision) precision
#define QCD_NAMESPACE_OF_12(precision) precision##_links12
#define QCD_NAMESPACE_OF_8(precision) precision##_links8
#define QCD_JOIN_TOKENS(a, b) a##b
#define QCD_JOIN(a, b) QCD_JOIN_TOKENS(a, b)
#define QCD_VARIANT_NAMESPACE(precision, links) QCD_JOIN(QCD_NAMESPACE_OF_, links)(precision)

#ifdef QCD_PRECISION
#define QCD_REAL_BITS QCD_JOIN(QCD_REAL_BITS_OF_, QCD_PRECISION)
#define QCD_MATH_BITS QCD_JOIN(QCD_MATH_BITS_OF_, QCD_PRECISION)
#define QCD_WORD_BITS (QCD_REAL_BITS == 16 ? 32 : QCD_REAL_BITS) // of `real` and `plain`
#ifndef QCD_LINK_ROWS
#define QCD_LINK_ROWS 18
#endif
#endif

#if defined(__OPENCL_VERSION__)

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL FP_CONTRACT OFF
#define QCD_FN static inline
#define QCD_TERM QCD_FN
#define QCD_GLOBAL __global
#define QCD_BEGIN
#define QCD_END

#elif defined(__CUDACC__)

#define QCD_FN static __host__ __device__ __forceinline__
#define QCD_TERM QCD_FN
#define QCD_GLOBAL
#define QCD_BEGIN                                                                                  \
    namespace qcd                                                                                  \
    {                                                                                              \
    namespace QCD_VARIANT_NAMESPACE(QCD_PRECISION, QCD_LINK_ROWS)                                  \
    {                                                                                              \
        namespace gpu                                                                              \
        {
#define QCD_END                                                                                    \
    }                                                                                              \
    }                                                                                              \
    }

#else

// The host compiles each kernel once per instruction set; the namespaces keep the copies apart.
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define QCD_ISA avx512
#elif defined(__AVX2__) && defined(__FMA__)
#define QCD_ISA avx2
#else
#define QCD_ISA generic
#endif
#define QCD_FN static inline __attribute__((always_inline))
#ifdef QCD_COMPACT
#define QCD_TERM static __attribute__((noinline))
#else
#define QCD_TERM QCD_FN
#endif
#define QCD_GLOBAL
#define QCD_BEGIN                                                                                  \
    namespace qcd                                                                                  \
    {                                                                                              \
    namespace QCD_VARIANT_NAMESPACE(QCD_PRECISION, QCD_LINK_ROWS)                                  \
    {                                                                                              \
        namespace QCD_ISA                                                                          \
        {
#define QCD_END                                                                                    \
    }                                                                                              \
    }                                                                                              \
    }

#endif

#if defined(__OPENCL_VERSION__)
typedef long i64;
typedef ulong u64;
#else
namespace qcd
{
typedef long long i64;
typedef unsigned long long u64;
} // namespace qcd
#endif

#ifdef QCD_PRECISION

QCD_BEGIN

#if QCD_REAL_BITS == 64
typedef double real;
typedef double plain;
#elif QCD_REAL_BITS == 16
typedef unsigned real;
typedef float plain;
#else
typedef float real;
typedef float plain;
#endif

#if QCD_MATH_BITS == 64
typedef double math;
#else
typedef float math;
#endif

QCD_END

#endif
