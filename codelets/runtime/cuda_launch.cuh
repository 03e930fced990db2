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

/// Shared memory that collects a block's sums. start_sums() comes first, add_site_sums() last.
using SharedSums = u64[QCD_MAX_SUMS * QCD_SUM_WORDS];

__device__ inline void start_sums(SharedSums& words)
{
    for (int i = threadIdx.x; i < QCD_MAX_SUMS * QCD_SUM_WORDS; i += blockDim.x) words[i] = 0;
    __syncthreads();
}

/// Adds the terms of a warp to an accumulator. Terms that start in the highest word in use or the
/// one below are added as 128-bit integers within the warp (32 terms of 116 bits and a sign), which
/// leaves one atomic addition a word; the rare smaller ones go there by themselves.
__device__ inline void add_warp_terms(u64* accumulator, double x)
{
    constexpr unsigned all = 0xffffffff;
    const int lane = threadIdx.x % QCD_LANES;
    sum_term t = make_sum_term(x);
    const bool zero = (t.w0 | t.w1 | t.w2) == 0;
    const int highest = __reduce_max_sync(all, zero ? 0 : t.first);
    const int base = highest > 0 ? highest - 1 : 0;
    __int128 sum = 0;
    if (!zero && t.first >= base) {
        sum = (static_cast<__int128>(t.w2) << 64) + (static_cast<__int128>(t.w1) << 32) + t.w0;
        sum <<= 32 * (t.first - base);
    } else if (!zero) {
        atomicAdd(accumulator + t.first, (u64)t.w0);
        atomicAdd(accumulator + t.first + 1, (u64)t.w1);
        atomicAdd(accumulator + t.first + 2, (u64)t.w2);
    }
    for (int step = QCD_LANES / 2; step > 0; step /= 2) {
        const u64 low = __shfl_xor_sync(all, static_cast<u64>(sum), step);
        const i64 high = __shfl_xor_sync(all, static_cast<i64>(sum >> 64), step);
        sum += (static_cast<__int128>(high) << 64) + low;
    }
    if (lane >= 4) return;
    const unsigned __int128 magnitude = sum < 0 ? -sum : sum;
    const i64 word = static_cast<unsigned>(magnitude >> (32 * lane));
    if (word) atomicAdd(accumulator + base + lane, (u64)(sum < 0 ? -word : word));
}

/// Adds the sums of a block's threads to the accumulators (integers: any order gives the same
/// words).
__device__ inline void add_site_sums(SharedSums& words, i64* sums, const site_sums& s, int which)
{
#pragma unroll
    for (int k = 0; k < QCD_MAX_SUMS; ++k)
        if (which >> k & 1) add_warp_terms(words + k * QCD_SUM_WORDS, s.v[k]);
    __syncthreads();
    for (int i = threadIdx.x; i < QCD_MAX_SUMS * QCD_SUM_WORDS; i += blockDim.x)
        if (words[i]) atomicAdd(reinterpret_cast<u64*>(sums) + i, words[i]);
}

inline void clear_sums(void* sums, cudaStream_t stream)
{
    if (sums) cudaMemsetAsync(sums, 0, sizeof(i64) * QCD_MAX_SUMS * QCD_SUM_WORDS, stream);
}

inline KernelBuffers kernel_buffers(void* const* p, int slots)
{
    KernelBuffers b = {};
    for (int i = 0; i < slots; ++i) b.p[i] = p[i];
    return b;
}

/// Enqueues kernel(args, buffers) with a thread for every lane of `blocks` blocks.
template <class Args>
void launch(void (*kernel)(Args, KernelBuffers), int blocks, const Args& args, void* const* p,
            int slots, cudaStream_t stream)
{
    if (blocks <= 0) return;
    const int grid = (blocks * QCD_LANES + threads_per_block - 1) / threads_per_block;
    kernel<<<grid, threads_per_block, 0, stream>>>(args, kernel_buffers(p, slots));
}

QCD_END
