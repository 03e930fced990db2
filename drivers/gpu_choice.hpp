#pragma once
// Which of a machine's GPUs a solve takes where nobody says. No StarPU.

#include "drivers/options.hpp"

#include <functional>
#include <string>

namespace qcd
{

/// How many of `available` GPUs solve a lattice fastest: a slab of it must save more time than the
/// exchange of faces and sums costs.
int gpus_that_pay(const Extents& lattice, cli::Precision, int available);

/// The workers to start: as asked for; where nothing is said of devices, cores, tiles or memory, as
/// many GPUs as pay. `announce` is told when they are not all.
cli::MachineOptions workers_for(const cli::SolveOptions&, const Extents& lattice,
                                int available_gpus,
                                const std::function<void(const std::string&)>& announce);

} // namespace qcd
