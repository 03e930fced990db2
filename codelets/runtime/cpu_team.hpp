#pragma once
// Cores that execute a CPU task together.

#include <cstddef>

namespace qcd
{

struct Codelet;

/// A share of a task: an even part of its blocks, in memory order.
struct CpuShare {
    int index = 0, count = 1;
    bool downwards = false; ///< from its last blocks to its first ones
    /// The first block of this share, or the next one's, of `blocks` in all.
    int first(int blocks) const { return int(long(blocks) * index / count); }
    int end(int blocks) const { return int(long(blocks) * (index + 1) / count); }
};

/// args: the operation's *_args; buffers: one pointer per slot, null for an absent one. With more
/// than one share the sums are added to, atomically, so that they must have been started.
using CpuKernel = void (*)(const void* args, void* const* buffers, CpuShare);

/// How many cores each CPU worker has from the next start of StarPU on: its own and those after
/// it. Worker i's own is core i * cores of those that StarPU sees.
void set_cores_per_cpu_worker(int);
int cores_per_cpu_worker();

/// Bytes of the L3 caches that the cores of all CPU workers have, each cache once; 0 if not known.
/// While StarPU runs. (sysconf() counts all of a processor whose cores share several.)
std::size_t level3_of_cpu_workers();
/// Of these bytes those that the workers' cores together can count on: at most 96 MiB a core, which
/// suits what was measured (docs/notes/ideas-cores.md), because others share a large cache: a
/// virtual machine of two cores is shown that of all. On AMD's processors 32 MiB a core, what
/// mostly one L3 of theirs holds: a virtual machine may be shown the sum of all. 32 MiB in all
/// where they are not known.
std::size_t cache_of_cpu_workers();

/// Sets the sums that an operation starts to 0, if it starts some.
void start_shared_sums(const Codelet&, void* const* slots);

/// Executes an operation on all cores of the calling worker. Each has shares of its own, the same
/// ones for all operations of a tile, and takes others' when it has none left: a core that is busy
/// with something else delays nobody.
void execute_on_cores(const Codelet&, const void* args, void* const* slots);

} // namespace qcd
