#include "program/complain.hpp"

#include "base/text.hpp"

#include <cstdio>

namespace qcd
{

void complain(const std::string& problem)
{
    std::fprintf(stderr, "qcd_starpu: %s\n", one_line(problem).c_str());
}

void note(const std::string& what, bool quiet)
{
    if (!quiet && !what.empty()) complain("note: " + what);
}

} // namespace qcd
