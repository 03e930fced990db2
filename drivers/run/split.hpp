#pragma once
// --split: a lattice shared by devices and cores, by their measured rates or as asked for.

#include "drivers/plan/run_plan.hpp"
#include "drivers/run/run_report.hpp"

#include <optional>

namespace qcd
{

class Session;

/// What became of --split. No layout: one kind of worker has all.
struct SplitChoice {
    SplitReport report;
    std::optional<SplitLayout> layout;
};

/// Chooses who computes what. `auto` measures iterations of the solve's method on a lattice of at
/// most some 10^5 sites, within a budget: devices alone, cores alone, and, where that promises a
/// gain, both. Where one kind of worker gets everything, StarPU is started again without the
/// others. A terminal sees what is being measured. Throws DeviceError when a share is asked for and
/// one kind is missing.
SplitChoice choose_split(const RunSpec&, const Extents& lattice, std::optional<Session>&);

} // namespace qcd
