#pragma once
// Cores that execute a CPU task together.

#include "runtime/team.hpp"
#include "runtime/work.hpp"

#include <cstddef>

namespace qcd
{

struct Codelet;

/// args: the operation's *_args; buffers: one pointer per slot, null for an absent one. With more
/// than one share what they add to is added to atomically, and must have been made 0.
using CpuKernel = void (*)(const void* args, void* const* buffers, CpuShare);

/// Bytes of the L3 caches that the cores of all CPU workers have, so many each, each cache once; 0
/// if not known. While StarPU runs. (sysconf() counts all of a processor whose cores share
/// several.)
std::size_t level3_of_cpu_workers(int cores_per_worker);
/// Bytes of cache that the workers' cores together can count on (machine_model.hpp); 32 MiB where
/// caches are not known.
std::size_t cache_of_cpu_workers(int cores_per_worker);

/// Slot::added_to
void zero_what_is_added_to(const Codelet&, void* const* slots, int layers = 1);

/// Executes an operation on manner.cores cores of the calling worker: its own and those after it.
/// Each has shares of its own, the same
/// ones for all operations of a tile, and takes others' when it has none left: a core that is busy
/// with something else delays nobody.
void execute_on_cores(const Codelet&, const void* args, void* const* slots, const Manner&);

} // namespace qcd
