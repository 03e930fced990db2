#pragma once
// Random numbers, the same in each run of a test program.

#include "tests/seed.hpp"

#include <random>

namespace qcd::test
{

inline std::mt19937 draws(seed(34));
inline double uniform(double low, double high)
{
    return std::uniform_real_distribution(low, high)(draws);
}
inline int whole(int low, int high) { return std::uniform_int_distribution(low, high)(draws); }

} // namespace qcd::test
