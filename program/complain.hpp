#pragma once

#include <string>

namespace qcd
{

/// "qcd_starpu: " and the problem, as one line on stderr.
void complain(const std::string& problem);

/// "note: ..." in the same way; nothing where it is empty or the run is quiet.
void note(const std::string& what, bool quiet);

} // namespace qcd
