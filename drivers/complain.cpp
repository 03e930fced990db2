#include "drivers/commands.hpp"
#include "lattice/text.hpp"

#include <cstdio>

namespace qcd
{

void complain(const std::string& problem)
{
    std::fprintf(stderr, "qcd_starpu: %s\n", one_line(problem).c_str());
}

void note(const std::string& what, const OutputSpec& o)
{
    if (!o.quiet() && !what.empty()) complain("note: " + what);
}

void stop_if_asked(const char* line)
{
    if (stop_requested) throw Interrupted(line);
}

} // namespace qcd
