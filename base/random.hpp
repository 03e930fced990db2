#pragma once
// Counter-based random numbers: every number is a function of (counter, seed) alone, never of
// tiling, threads or the order of calls. Only +, -, *, /, sqrt and integers are used, so the bits
// are the same on every machine (libm's log and cos are not).

#include <array>
#include <cstdint>

namespace qcd
{

/// z = (n+1) 0x9E3779B97F4A7C15, mixed; 64-bit wrap-around.
std::uint64_t splitmix64(std::uint64_t n);

/// u(n, seed) = (splitmix64(n + seed 2^32) >> 11) 2^-53 - 0.5, uniform in [-0.5, 0.5).
double uniform(std::uint64_t n, std::uint64_t seed);

/// Keeps the numbers of links and of sources apart when both have the same seed.
enum class Stream : std::uint64_t { links = 1, spinors = 2 };

/// Two independent N(0,1) numbers, a function of the arguments alone; 0 <= counter < 2^58.
std::array<double, 2> normal_pair(std::uint64_t counter, std::uint64_t seed, Stream stream);

} // namespace qcd
