#pragma once
// Launches of the CUDA kernels: one thread per site, one warp per block of 32 lanes.

#include "codelets/device/spinor.h"
#include "codelets/launch/update_groups.h"
#include "runtime/cuda_call.hpp"

#include <cuda_runtime.h>

#include <algorithm>

QCD_BEGIN

enum { threads_per_block = 128, most_kernel_slots = 20 };

/// The buffers of a task, by slot; null where there is none.
struct KernelBuffers {
    void* p[most_kernel_slots];
    bool downwards = false; ///< sites are computed from the tile's end
};

template <class T>
__device__ inline T* buffer(const KernelBuffers& b, int slot)
{
    return static_cast<T*>(b.p[slot]);
}

/// A struct of pointers in the order of the slots, of which it has the first.
template <class Buffers>
__device__ inline Buffers buffers_of(const KernelBuffers& p)
{
    Buffers b;
    static_assert(sizeof b <= sizeof p);
    memcpy(&b, p.p, sizeof b);
    return b;
}

/// First in every kernel: the thread blocks of the next one may take their places from now on.
__device__ inline void let_next_start()
{
#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}
/// Every thread calls it before it reads or writes memory: the kernel before may still be running.
__device__ inline void wait_for_previous()
{
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}
__device__ inline void start_kernel()
{
    let_next_start();
    wait_for_previous();
}

/// The right-hand side of a thread block: Manner::layers of the host.
__device__ inline int own_rhs() { return blockIdx.y; }

struct LanePosition {
    int block;
    lanes w;
};

__device__ inline LanePosition lane_position()
{
    const int thread = blockIdx.x * threads_per_block + threadIdx.x;
    return {thread / QCD_LANES, {thread % QCD_LANES}};
}
/// Among `blocks`, in the direction that the buffers come with; of threads beyond them, beyond
/// them.
__device__ inline LanePosition lane_position(const KernelBuffers& b, int blocks)
{
    LanePosition at = lane_position();
    if (b.downwards && at.block < blocks) at.block = blocks - 1 - at.block;
    return at;
}

template <int slots>
KernelBuffers kernel_buffers(void* const* p)
{
    static_assert(slots <= most_kernel_slots);
    KernelBuffers b = {};
    for (int i = 0; i < slots; ++i) b.p[i] = p[i];
    return b;
}

/// Can a kernel's blocks take their places while the kernel before it ends? Devices and compiled
/// code must be able to: code for older ones does not wait.
inline bool launches_overlap()
{
    static const bool all_can = [] {
        int devices = 0, least = std::min({__CUDA_ARCH_LIST__}) / 100;
        cudaGetDeviceCount(&devices);
        for (int d = 0; d < devices; ++d) {
            int major = 0;
            cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, d);
            least = std::min(least, major);
        }
        return least >= 9;
    }();
    return all_can;
}

/// Enqueues a kernel that waits for the one before it (start_kernel), with so many bytes of shared
/// memory that it does not declare itself. Errors are found by cudaGetLastError().
template <class... Parameters, class... Arguments>
void enqueue_sharing(int shared_bytes, void (*kernel)(Parameters...), dim3 grid, dim3 threads,
                     cudaStream_t stream, const Arguments&... arguments)
{
    cudaLaunchAttribute overlap;
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = threads;
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream;
    config.attrs = &overlap;
    config.numAttrs = launches_overlap();
    cudaLaunchKernelEx(&config, kernel, arguments...);
}
template <class... Parameters, class... Arguments>
void enqueue(void (*kernel)(Parameters...), dim3 grid, dim3 threads, cudaStream_t stream,
             const Arguments&... arguments)
{
    enqueue_sharing(0, kernel, grid, threads, stream, arguments...);
}

/// Enqueues kernel(args, buffers) with a thread for every lane of `blocks` blocks, or for every
/// `blocks_a_warp` of them, of each right-hand side.
template <int slots, class Args>
void launch(void (*kernel)(Args, KernelBuffers), int blocks, const Args& args, void* const* p,
            const CudaCall& call, int blocks_a_warp = 1)
{
    if (blocks <= 0) return;
    const int warps = (blocks + blocks_a_warp - 1) / blocks_a_warp;
    const int grid = (warps * QCD_LANES + threads_per_block - 1) / threads_per_block;
    KernelBuffers buffers = kernel_buffers<slots>(p);
    buffers.downwards = call.downwards;
    enqueue(kernel, dim3(grid, call.layers), threads_per_block, call.stream, args, buffers);
}

QCD_END
