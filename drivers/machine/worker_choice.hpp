#pragma once
// Which of a machine's GPUs, or how its cores, a solve takes where nobody says. No StarPU.

#include "drivers/cli/options.hpp"

#include <functional>
#include <string>

namespace qcd
{

/// How many of `available` GPUs solve a lattice fastest: a slab of it must save more time than the
/// exchange of faces and sums costs.
int gpus_that_pay(const Extents& lattice, Precision, int available);

/// Do tasks of one core each take so short that one worker of all cores is faster?
bool cores_share_tasks(const Extents& lattice, int cores);

/// The workers to start: as asked for; where nothing is said of devices, cores, tiles or memory, as
/// many GPUs as pay, and without GPUs one worker of all cores where that is faster. `announce` is
/// told when not all GPUs are taken.
cli::MachineOptions workers_for(const cli::SolveOptions&, const Extents& lattice,
                                int available_gpus, int cores,
                                const std::function<void(const std::string&)>& announce);

} // namespace qcd
