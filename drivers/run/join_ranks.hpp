#pragma once

#include "drivers/spec/commands.hpp"

namespace qcd
{

class Ranks;

/// Makes this process one of several ranks before its command runs. Checks that all were asked
/// the same, which is something that ranks can share; each takes its share of the cores, and only
/// the first one prints and writes files. Throws Error. False: this rank has nothing to do.
bool join_ranks(Command&, Ranks&);

/// Several processes that are no ranks of one run (launched_apart()) each run all of the command,
/// which a note says. Throws Error where it writes files, which all of them would write.
void warn_of_many(Command&, const std::string& apart);

} // namespace qcd
