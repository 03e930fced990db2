#pragma once
// Launches of the ladder's CUDA kernels.

#include "codelets/device/threads.h"
#include "codelets/ladder/groups.hpp"
#include "codelets/launch/cuda_launch.cuh"
#include "runtime/kernel_facts.hpp"

QCD_BEGIN

/// What the current device tells of a kernel.
template <class Kernel>
KernelFacts ladder_facts(Kernel* kernel, int threads, std::size_t local_bytes)
{
    cudaFuncAttributes own = {};
    int device = 0, groups = 0, most_threads = 1;
    cudaGetDevice(&device);
    cudaFuncGetAttributes(&own, kernel);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&groups, kernel, threads, local_bytes);
    cudaDeviceGetAttribute(&most_threads, cudaDevAttrMaxThreadsPerMultiProcessor, device);
    return {own.numRegs, own.localSizeBytes, own.sharedSizeBytes + local_bytes, groups,
            double(groups) * threads / most_threads};
}

/// Enqueues kernel(args, buffers). The 12 threads of a group of one site are made 16, of which 4
/// are idle.
template <int slots, class Args>
void ladder_launch(void (*kernel)(Args, KernelBuffers), const WorkGroups& groups, const Args& args,
                   void* const* p, const CudaCall& call)
{
    constexpr std::size_t allowed_to_all = 48 * 1024; // bytes of local memory
    if (groups.count <= 0) return;
    const int threads = (groups.items + 15) / 16 * 16;
    if (groups.local_bytes > allowed_to_all)
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             int(groups.local_bytes));
    if (call.facts)
        *call.facts = ladder_facts(kernel, threads, groups.local_bytes);
    else
        kernel<<<groups.count, threads, groups.local_bytes, call.stream>>>(
            args, kernel_buffers<slots>(p));
}

QCD_END

// NAME_cuda, which enqueues NAME_kernel in these groups.
#define QCD_LADDER_LAUNCH(name, groups)                                                            \
    void name##_cuda(const void* args, void* const* p, const CudaCall& call)                       \
    {                                                                                              \
        ladder_launch<name##_slots>(name##_kernel, groups, *static_cast<const name##_args*>(args), \
                                    p, call);                                                      \
    }
