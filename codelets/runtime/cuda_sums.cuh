#pragma once
// Sums over the sites of a thread block, exact (device/exact_sum.h): first within each warp, as
// 128-bit integers, then over the warps, then by atomic additions to the accumulators.

#include "codelets/device/site_sums.h"
#include "codelets/runtime/cuda_launch.cuh"

QCD_BEGIN

/// Terms that start in words `base` and base + 1 are below 2^116 in units of word `base`: 2^11 of
/// them fit 128 bits with a sign.
struct WindowSum {
    u64 low;
    i64 high;
    int base;
};
enum { window_words = 4 };

/// What the warps of a thread block, at most 16, leave for each other.
using SharedSums = WindowSum[QCD_MAX_SUMS][16];

__device__ inline __int128 in_window(const sum_bits& s, int base)
{
    const __int128 v = static_cast<__int128>(s.magnitude) << (s.place - 32 * base);
    return s.negative ? -v : v;
}

/// The sum of the 32 lanes' values, each below 2^122: five additions of 26 bits by the hardware.
__device__ inline __int128 add_lanes(__int128 v)
{
    constexpr unsigned all = 0xffffffff, limb = (1u << 26) - 1;
    __int128 sum = static_cast<__int128>(__reduce_add_sync(all, static_cast<int>(v >> 104))) << 104;
#pragma unroll
    for (int shift = 0; shift < 104; shift += 26)
        sum +=
            static_cast<__int128>(__reduce_add_sync(all, static_cast<unsigned>(v >> shift) & limb))
            << shift;
    return sum;
}

/// Adds one word of a window to an accumulator.
__device__ inline void add_word(i64* accumulator, __int128 sum, int base, int word)
{
    const unsigned __int128 magnitude = sum < 0 ? -sum : sum;
    const i64 w = static_cast<unsigned>(magnitude >> (32 * word));
    if (w) atomicAdd(reinterpret_cast<u64*>(accumulator) + base + word, (u64)(sum < 0 ? -w : w));
}

/// The sum of a warp's terms, `count` a lane. The few that are too small for the window of the
/// largest go to the accumulator at once, a window at a time.
template <int count>
__device__ inline WindowSum warp_sum(const sum_bits (&terms)[count], i64* accumulator)
{
    constexpr unsigned all = 0xffffffff;
    constexpr int end = QCD_SUM_WORDS;
    WindowSum result;
    for (int below = end;;) { // the terms that start in words under `below` are left
        int first = 0;
#pragma unroll
        for (const sum_bits& t : terms)
            if (t.magnitude && t.place / 32 < below) first = max(first, t.place / 32);
        const int base = max(__reduce_max_sync(all, first) - 1, 0);
        __int128 v = 0;
        bool left = false;
#pragma unroll
        for (const sum_bits& t : terms) {
            if (!t.magnitude || t.place / 32 >= below) continue;
            if (t.place / 32 >= base)
                v += in_window(t, base);
            else
                left = true;
        }
        const __int128 sum = add_lanes(v);
        if (below == end)
            result = {static_cast<u64>(sum), static_cast<i64>(sum >> 64), base};
        else if (threadIdx.x % QCD_LANES < window_words)
            add_word(accumulator, sum, base, threadIdx.x % QCD_LANES);
        if (!__any_sync(all, left)) return result;
        below = base;
    }
}

/// Adds the sums of a thread block, of `count` sites a thread, to the accumulators (integers: any
/// order gives the same words). Once in a kernel, by all threads.
template <int count>
__device__ inline void add_site_sums(SharedSums& shared, i64* sums, const site_sums (&s)[count],
                                     int which)
{
#pragma unroll
    for (int k = 0; k < QCD_MAX_SUMS; ++k) {
        if (!(which >> k & 1)) continue;
        sum_bits terms[count];
#pragma unroll
        for (int i = 0; i < count; ++i) terms[i] = make_sum_bits(s[i].v[k]);
        const WindowSum sum = warp_sum(terms, sums + k * QCD_SUM_WORDS);
        if (threadIdx.x % QCD_LANES == 0) shared[k][threadIdx.x / QCD_LANES] = sum;
    }
    __syncthreads();
    const int k = threadIdx.x / window_words, word = threadIdx.x % window_words;
    if (k >= QCD_MAX_SUMS || !(which >> k & 1)) return;
    i64* accumulator = sums + k * QCD_SUM_WORDS;
    int base = shared[k][0].base;
    __int128 sum = 0;
    for (int i = 0; i < blockDim.x / QCD_LANES; ++i) { // one atomic addition, if windows are alike
        const WindowSum& warp = shared[k][i];
        if (warp.base != base) add_word(accumulator, sum, base, word);
        if (warp.base != base) sum = 0;
        base = warp.base;
        sum += (static_cast<__int128>(warp.high) << 64) + warp.low;
    }
    add_word(accumulator, sum, base, word);
}

__device__ inline void add_site_sums(SharedSums& shared, i64* sums, const site_sums& s, int which)
{
    const site_sums one[1] = {s};
    add_site_sums(shared, sums, one, which);
}

enum { sums_words = QCD_MAX_SUMS * QCD_SUM_WORDS };

static __global__ void clear_sums_kernel(i64* sums)
{
    start_kernel();
    if (threadIdx.x < sums_words) sums[threadIdx.x] = 0;
}

/// A kernel, because nothing overlaps with cudaMemsetAsync (2 us longer, H200).
inline void clear_sums(void* sums, cudaStream_t stream)
{
    if (!sums) return;
    constexpr int threads = (sums_words + QCD_LANES - 1) / QCD_LANES * QCD_LANES;
    enqueue(clear_sums_kernel, 1, threads, stream, static_cast<i64*>(sums));
}

QCD_END
