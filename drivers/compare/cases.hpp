#pragma once
// The cases of a comparison: from lists, from a file, or chosen.

#include "drivers/spec/commands.hpp"
#include "experiment/design.hpp"

namespace qcd
{

struct Variant {
    experiment::Case shown; ///< its name says what varies
    RunSpec options;
};

/// The cases that are asked for, with StarPU's names for `--sched all`; else a few schedulers on
/// two tilings. Two cases that are alike are cases of their own: they show how much
/// two runs of one case differ. Throws Error for a scheduler that StarPU does not know.
std::vector<Variant> variants_of(const CompareSpec&, const Extents& lattice, int cores, int gpus);

/// The lists that are chosen where nothing is asked for. equal: tiles must be equally thick.
std::vector<CaseFactor> default_factors(const Extents& lattice, int cores, int gpus, bool equal);

/// How the factors would be typed: "--sched lws,eager --tiles auto".
std::string as_typed(const std::vector<CaseFactor>&);

} // namespace qcd
