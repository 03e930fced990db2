#pragma once
// Numbers in 16 bits, as codelets/device/fixed.h says what they are, on the host.

#include <array>
#include <cstdint>

namespace qcd::fixed_point
{

/// The words of a spinor: 12 components, and the bits of the float that is their unit.
using Spinor = std::array<std::uint32_t, 13>;
Spinor of_spinor(const double reals[24]);
void to_reals(const Spinor&, double reals[24]);

/// An element of a link. Its parts are rounded, and must not exceed most_of_link.
std::uint32_t of_link(double re, double im);
std::array<double, 2> link_of(std::uint32_t);
/// No q is above it. Rounding may leave a link of U(3) a little more than 1.
inline constexpr double most_of_link = 1 + 0x1p-18;

} // namespace qcd::fixed_point
