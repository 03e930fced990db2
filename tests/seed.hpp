#pragma once
// Seeds of the tests' random numbers.

#include <cstdlib>
#include <iostream>
#include <random>

namespace qcd::test
{

/// This one, or what the environment variable QCD_TEST_SEED says; printed, for who wants the same
/// numbers again.
inline unsigned seed(unsigned usual)
{
    const char* given = std::getenv("QCD_TEST_SEED");
    const unsigned chosen = given ? unsigned(std::strtoul(given, nullptr, 10)) : usual;
    std::clog << "random numbers of QCD_TEST_SEED=" << chosen << '\n';
    return chosen;
}

/// Another one each time.
inline unsigned any_seed() { return seed(std::random_device{}()); }

} // namespace qcd::test
