#pragma once

#include "drivers/cli/options.hpp"

namespace qcd
{

class Ranks;

/// Before a command runs as one of several ranks: all have been asked the same, which is something
/// that ranks can share; each takes its share of the cores, and only the first one prints and
/// writes files. Throws Error. False: this rank has nothing to do.
bool join_ranks(cli::Command&, Ranks&);

/// What a solve asks for can be had on several ranks, as far as its options say. Throws Error.
void require_shareable(const cli::SolveOptions&);

} // namespace qcd
