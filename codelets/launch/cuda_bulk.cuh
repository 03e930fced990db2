#pragma once
// Copies from memory to shared memory that threads do not wait for, and the barriers that count
// their bytes: instructions of GPUs of compute capability 9.0 and later. Kernels with them are
// compiled for older ones, too, where nobody may launch them.

#include <cuda_runtime.h>

namespace qcd
{

__device__ inline unsigned shared_address(const void* p)
{
    return unsigned(__cvta_generic_to_shared(p));
}

/// A barrier in shared memory. Its phases end in turn, each once `arrivals` have come and all bytes
/// that were announced.
struct CopyBarrier {
    unsigned long long word;
};

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900

__device__ inline void start_barrier(CopyBarrier* b, int arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(b)), "r"(arrivals));
}
/// The thread that started barriers calls it before other threads of its block use them.
__device__ inline void publish_barriers()
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
/// Waits until the phase with this parity has ended.
__device__ inline void await_copies(const CopyBarrier* b, int parity)
{
    asm volatile("{\n"
                 ".reg .pred done;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@!done bra again;\n"
                 "}" ::"r"(shared_address(b)),
                 "r"(parity)
                 : "memory");
}
/// In every thread that has read memory which copy_run is to overwrite, before the warp or the barrier
/// by which the copying thread learns of it: its copies are not in the order of loads and stores.
__device__ inline void end_reads_before_copies()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
/// Announces bytes and arrives.
__device__ inline void announce_bytes(CopyBarrier* b, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(b)),
                 "r"(bytes)
                 : "memory");
}
__device__ inline void arrive(CopyBarrier* b)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(b)) : "memory");
}
/// Asks for a run of bytes, a multiple of 16, into the second cache.
__device__ inline void ask_into_cache(const void* from, int bytes)
{
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from), "r"(bytes) : "memory");
}
/// Copies a run of bytes, a multiple of 16, that have been announced.
__device__ inline void copy_run(void* to, const void* from, int bytes, CopyBarrier* b)
{
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, "
        "[%3];" ::"r"(shared_address(to)),
        "l"(from), "r"(bytes), "r"(shared_address(b))
        : "memory");
}
/// Copies 16 bytes.
__device__ inline void copy_16_bytes(void* to, const void* from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from)
                 : "memory");
}
/// Arrives once the copies of 16 bytes are there that this thread has asked for.
__device__ inline void arrive_after_copies(CopyBarrier* b)
{
    asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(shared_address(b))
                 : "memory");
}

#else

__device__ inline void start_barrier(CopyBarrier*, int) {}
__device__ inline void publish_barriers() {}
__device__ inline void await_copies(const CopyBarrier*, int) {}
__device__ inline void end_reads_before_copies() {}
__device__ inline void announce_bytes(CopyBarrier*, int) {}
__device__ inline void arrive(CopyBarrier*) {}
__device__ inline void ask_into_cache(const void*, int) {}
__device__ inline void copy_run(void*, const void*, int, CopyBarrier*) {}
__device__ inline void copy_16_bytes(void*, const void*) {}
__device__ inline void arrive_after_copies(CopyBarrier*) {}

#endif

} // namespace qcd
