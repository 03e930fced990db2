#pragma once

#include "drivers/plan/run_plan.hpp"

#include <optional>
#include <string>

namespace qcd
{

/// With all that was chosen as if it had been typed. device_share: of --split.
RunSpec as_chosen(RunSpec, const RunPlan&, std::optional<double> device_share = {});

/// What may be typed for a run that is executed so: the same plan, tasks and digest. plan: null
/// for a plain engine, which has so many threads. device_share: of --split. words: those of
/// another command than solve, with what it has in place of --source.
std::string equivalent_command(const RunSpec&, const RunPlan* plan,
                               std::optional<double> device_share = {}, int threads = 0,
                               const std::string& words = "");

} // namespace qcd
