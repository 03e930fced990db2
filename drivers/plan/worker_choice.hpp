#pragma once
// Which of a machine's GPUs, or how its cores, a run takes where nobody says. No StarPU.

#include "drivers/spec/commands.hpp"
#include "runtime/session_options.hpp"
#include "runtime/worker_counts.hpp"

#include <functional>
#include <string>

namespace qcd
{

class Ranks;

/// How many of `available` GPUs solve a lattice fastest: a slab of it must save more time than the
/// exchange of faces and sums costs.
int gpus_that_pay(const Extents& lattice, Precision, int available);

/// The session to start: as asked for; where nothing is said of devices, cores, tiles or memory, as
/// many GPUs as pay, and without GPUs the workers of the plan: one of all cores for a batch, else
/// one a core. `announce` is told when not all GPUs are taken.
SessionOptions workers_for(const RunSpec&, const Extents& lattice, int available_gpus, int cores,
                           Ranks&, const std::function<void(const std::string&)>& announce);

/// As asked for, and nothing chosen.
SessionOptions session_options(const ExecutionSpec&, bool verbose, Ranks&);

/// CPU workers of one of several ranks that has so many cores: one stays for the thread that speaks
/// with other ranks, and for the one that submits.
int workers_of_rank(int cores);
/// In a line, where a rank of so many cores, on a host of so many, has less; else empty.
std::string too_few_cores(const WorkerCounts&, int cores, int cores_of_host, const Ranks&);
/// A line where GPUs of this host are those of several ranks; else empty. All ranks call it.
std::string gpus_of_ranks(const WorkerCounts&, Ranks&);

} // namespace qcd
