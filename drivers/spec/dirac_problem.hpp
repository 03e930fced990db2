#pragma once

#include "drivers/spec/commands.hpp"
#include "lattice/gauge_source.hpp"
#include "solver/dirac_solve.hpp"
#include "solver/ladder_cr.hpp"

namespace qcd
{

DiracParameters dirac_of(const ProblemSpec&);
/// The problem of options whose links are chosen.
DiracProblem problem_of(const RunSpec&);
/// The problem of options with a version of the ladder.
LadderProblem ladder_problem_of(const RunSpec&);

/// The fewest reals that a link can be stored in with the bits of 18: 12 where rows 2 follow from
/// the others as kernels compute them, which rounding to single precision ends.
LinkStorage default_links(const GaugeSource&, Precision);

} // namespace qcd
