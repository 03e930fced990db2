#pragma once
// How a version of the study executes: by plan graph or pinned, on slabs in t (docs/ladder.md).

#include "drivers/plan/run_plan.hpp"

namespace qcd
{

/// Throws Error, one line, where options ask for what a version does not have. Without a version
/// nothing is wrong.
void check_stencil(const cli::SolveOptions&);

/// As make_plan(). RunPlan::tiling() is for today's kernels, and slabs may be thinner than its
/// tiles.
RunPlan make_study_plan(const cli::SolveOptions&, const Extents& lattice, const Workers&,
                        const SplitLayout* layout);

} // namespace qcd
