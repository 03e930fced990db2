#pragma once

#include <cstddef>

namespace qcd
{

/// Precision of stored fields and of arithmetic. f32_in_f64 computes in double on single fields:
/// for the true residual of a single-precision solution. f16 computes in single on fields in fixed
/// point (codelets/device/fixed.h); f16_in_f64 carries between these and fields in double.
enum class Precision { f64, f32, f32_in_f64, f16, f16_in_f64 };
inline constexpr int precisions = 5;

/// Are the stored reals 16 bits of fixed point?
constexpr bool is_fixed_point(Precision p)
{
    return p == Precision::f16 || p == Precision::f16_in_f64;
}
/// The most by which rounding to a stored real changes a number of size 1: 2^-53, 2^-24, or
/// 2^-15, where 1 is the largest number of the site.
constexpr double rounding_unit(Precision p)
{
    return p == Precision::f64 ? 0x1p-53 : is_fixed_point(p) ? 0x1p-15 : 0x1p-24;
}
/// Bytes of one stored real.
constexpr std::size_t real_bytes(Precision p)
{
    return p == Precision::f64 ? 8 : is_fixed_point(p) ? 2 : 4;
}
/// Bytes of what rows consist of: a real, or two of fixed point.
constexpr std::size_t word_bytes(Precision p) { return p == Precision::f64 ? 8 : 4; }
/// Bytes of one real of arithmetic, which is what faces hold.
constexpr std::size_t math_bytes(Precision p)
{
    return p == Precision::f32 || p == Precision::f16 ? 4 : 8;
}
/// Bytes of a spinor: 24 reals and, in fixed point, their unit.
constexpr std::size_t spinor_bytes(Precision p)
{
    return 24 * real_bytes(p) + (is_fixed_point(p) ? 4 : 0);
}
/// The precision of what is never in fixed point: clover matrices, and x.
constexpr Precision plain_precision(Precision p)
{
    return p == Precision::f16          ? Precision::f32
           : p == Precision::f16_in_f64 ? Precision::f32_in_f64
                                        : p;
}

} // namespace qcd
