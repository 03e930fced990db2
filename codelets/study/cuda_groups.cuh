#pragma once
// Launches of the study's CUDA kernels.

#include "codelets/launch/cuda_launch.cuh"
#include "codelets/study/groups.hpp"
#include "codelets/study/threads.h"

QCD_BEGIN

/// Enqueues kernel(args, buffers). The 12 threads of a group of one site are made 16, of which 4 are
/// idle.
template <int slots, class Args>
void study_launch(void (*kernel)(Args, KernelBuffers), const WorkGroups& groups, const Args& args,
                  void* const* p, const CudaCall& call)
{
    constexpr std::size_t allowed_to_all = 48 * 1024; // bytes of local memory
    if (groups.count <= 0) return;
    if (groups.local_bytes > allowed_to_all)
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             int(groups.local_bytes));
    const int threads = (groups.items + 15) / 16 * 16;
    kernel<<<groups.count, threads, groups.local_bytes, call.stream>>>(args,
                                                                       kernel_buffers<slots>(p));
}

QCD_END
