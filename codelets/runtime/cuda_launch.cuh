#pragma once
// Launches of the CUDA kernels: one thread per site, one warp per block of 32 lanes.

#include "codelets/device/site_sums.h"
#include "codelets/device/spinor.h"

#include <cuda_runtime.h>

QCD_BEGIN

enum { threads_per_block = 128, max_slots = 16 };

/// The buffers of a task, by slot; null where there is none.
struct KernelBuffers {
    void* p[max_slots];
};

template <class T>
__device__ inline T* buffer(const KernelBuffers& b, int slot)
{
    return static_cast<T*>(b.p[slot]);
}

struct LanePosition {
    int block;
    lanes w;
};

__device__ inline LanePosition lane_position()
{
    const int thread = blockIdx.x * threads_per_block + threadIdx.x;
    return {thread / QCD_LANES, {thread % QCD_LANES}};
}

/// Adds the sums of a block's threads to the accumulators (integers: any order gives the same
/// words).
__device__ inline void add_site_sums(i64* sums, const site_sums& s, int which)
{
    if (sums == nullptr || which == 0) return;
    __shared__ u64 words[QCD_MAX_SUMS * QCD_SUM_WORDS];
    for (int i = threadIdx.x; i < QCD_MAX_SUMS * QCD_SUM_WORDS; i += threads_per_block)
        words[i] = 0;
    __syncthreads();
    for (int k = 0; k < QCD_MAX_SUMS; ++k) {
        const int bit = k < 2 ? 1 : k == 2 ? 2 : 4;
        if (!(which & bit)) continue;
        const sum_term t = make_sum_term(s.v[k]);
        u64* w = words + k * QCD_SUM_WORDS + t.first;
        if (t.w0) atomicAdd(w, (u64)t.w0);
        if (t.w1) atomicAdd(w + 1, (u64)t.w1);
        if (t.w2) atomicAdd(w + 2, (u64)t.w2);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < QCD_MAX_SUMS * QCD_SUM_WORDS; i += threads_per_block)
        if (words[i]) atomicAdd(reinterpret_cast<u64*>(sums) + i, words[i]);
}

inline void clear_sums(void* sums, cudaStream_t stream)
{
    if (sums) cudaMemsetAsync(sums, 0, sizeof(i64) * QCD_MAX_SUMS * QCD_SUM_WORDS, stream);
}

/// Enqueues kernel(args, buffers) with a thread for every lane of `blocks` blocks.
template <class Args>
void launch(void (*kernel)(Args, KernelBuffers), int blocks, const Args& args, void* const* p,
            int slots, cudaStream_t stream)
{
    if (blocks <= 0) return;
    KernelBuffers b = {};
    for (int i = 0; i < slots; ++i) b.p[i] = p[i];
    const int grid = (blocks * QCD_LANES + threads_per_block - 1) / threads_per_block;
    kernel<<<grid, threads_per_block, 0, stream>>>(args, b);
}

QCD_END
