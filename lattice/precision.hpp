#pragma once

#include <cstddef>

namespace qcd
{

/// Precision of stored fields and of arithmetic. f32_in_f64 computes in double on single fields:
/// for the true residual of a single-precision solution.
enum class Precision { f64, f32, f32_in_f64 };

/// 2^-53 or 2^-24: by how much rounding to a stored real changes a number of size 1, at most.
constexpr double rounding_unit(Precision p) { return p == Precision::f64 ? 0x1p-53 : 0x1p-24; }
/// Bytes of one stored real.
constexpr std::size_t real_bytes(Precision p) { return p == Precision::f64 ? 8 : 4; }
/// Bytes of one real of arithmetic, which is what faces hold.
constexpr std::size_t math_bytes(Precision p) { return p == Precision::f32 ? 4 : 8; }

} // namespace qcd
