#pragma once

#include "drivers/plan/run_plan.hpp"

#include <optional>
#include <string>

namespace qcd
{

/// What could be typed to have the same run: all that decides what is computed and how, and nothing
/// of the output. device_share: of --split. plan null: of the engines without StarPU, which have
/// `threads`.
std::string equivalent_command(const cli::SolveOptions&, const RunPlan* plan,
                               std::optional<double> device_share, int threads);

} // namespace qcd
