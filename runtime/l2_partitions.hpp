#pragma once
// The two partitions of the L2 cache of NVIDIA's large GPUs (since the A100). A piece of memory
// belongs to one of them; a multiprocessor is next to one of them and reaches the other's memory
// through a fabric between them, whose rate bounds a hop (docs/lab/ideas-gpu.md). Which is which
// is not documented: it is measured by the latency of atomic operations, once for a device.

#ifdef __CUDACC__
#include <cuda_runtime.h>
#else
struct CUstream_st;
#endif

namespace qcd
{

/// What the thread blocks of one kernel draw numbers from (draw).
struct PartitionTickets {
    int multiprocessors[2] = {};          ///< next to each partition; second 0: none are known
    unsigned long long of_second[4] = {}; ///< bit m: multiprocessor m is next to the second one
    unsigned long long* counters[2] = {}; ///< in the memory of each
    unsigned long long first = 0;         ///< what this kernel's numbers begin at
};

/// For the next kernel of this stream on the current device, whose kernels follow each other.
/// Measures at first use on a device (some milliseconds). Thread-safe.
PartitionTickets partition_tickets(CUstream_st* stream);

/// Are the partitions of the current device known?
bool has_l2_partitions();

#ifdef __CUDACC__

/// The part of the work that a thread block has, and its number there.
struct PartitionTicket {
    int part, number;
};

/// A number below n0 of part 0, or below n1 of part 1: of the part of its multiprocessor's
/// partition or, when all of those are given out, of the other. By one thread of each of n0 + n1
/// thread blocks, after the kernel before has ended. Counters only grow, so that a kernel that
/// failed leaves nothing behind: the first to come raises them to what this kernel begins at.
__device__ inline PartitionTicket draw(const PartitionTickets& t, int n0, int n1)
{
    unsigned multiprocessor;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
    int part = int(t.of_second[multiprocessor / 64 % 4] >> multiprocessor % 64 & 1);
    for (int attempt = 0; attempt < 2; ++attempt, part ^= 1) {
        atomicMax(t.counters[part], t.first);
        const unsigned long long number = atomicAdd(t.counters[part], 1ull) - t.first;
        if (number < (unsigned long long)(part ? n1 : n0)) return {part, int(number)};
    }
    __trap(); // there are as many numbers as thread blocks
}

#endif

} // namespace qcd
