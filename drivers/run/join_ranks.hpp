#pragma once

#include "drivers/spec/commands.hpp"

namespace qcd
{

class Ranks;

/// Before a command runs as one of several ranks: all have been asked the same, which is something
/// that ranks can share; each takes its share of the cores, and only the first one prints and
/// writes files. Throws Error. False: this rank has nothing to do.
bool join_ranks(Command&, Ranks&);

/// Of several processes that are no ranks of one run (launched_apart()) each would write the same
/// files: throws Error where the command writes some.
void require_no_files_of_many(Command&, const std::string& apart);

} // namespace qcd
