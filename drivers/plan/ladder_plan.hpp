#pragma once
// How a version of the ladder executes: by plan graph, pinned or replay, on slabs in t (docs/ladder.md).

#include "drivers/plan/run_plan.hpp"

namespace qcd
{

/// As make_plan(). RunPlan::tiling() is for today's kernels, and slabs may be thinner than its
/// tiles.
RunPlan make_ladder_plan(const RunSpec&, const Extents& lattice, const Workers&,
                         const SplitLayout* layout);

} // namespace qcd
