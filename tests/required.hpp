#pragma once
// Kinds of workers that must be there: the environment variable QCD_REQUIRE, cpu, cuda and opencl
// joined by commas; and simulator, for the program that simulates.

#include "base/text.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace qcd::test
{

/// Throws where QCD_REQUIRE says anything else: what is misspelt would require nothing.
inline bool required(std::string_view kind)
{
    const char* list = std::getenv("QCD_REQUIRE");
    if (!list || !*list) return false;
    const auto kinds = split(list, ',');
    for (const std::string_view k : kinds)
        if (k != "cpu" && k != "cuda" && k != "opencl" && k != "simulator")
            throw std::invalid_argument("QCD_REQUIRE: " + qcd::quoted(k) +
                                        " is not cpu, cuda, opencl or simulator");
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

} // namespace qcd::test
