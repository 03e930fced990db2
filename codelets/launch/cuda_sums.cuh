#pragma once
// Sums over the sites of a thread block, exact (warp_sums.h).

#include "codelets/device/site_sums.h"
#include "codelets/launch/cuda_launch.cuh"

#define QCD_WARP_FN __device__ __forceinline__
#define QCD_SUM_WARPS 16

QCD_BEGIN

enum : unsigned { all_lanes = 0xffffffff };

QCD_WARP_FN int largest_of_lanes(int x) { return __reduce_max_sync(all_lanes, x); }
QCD_WARP_FN int sum_of_lanes(int x) { return __reduce_add_sync(all_lanes, x); }
QCD_WARP_FN int any_lane(int x) { return __any_sync(all_lanes, x); }
QCD_WARP_FN void add_to_word(i64* word, i64 x) { atomicAdd(reinterpret_cast<u64*>(word), u64(x)); }
QCD_WARP_FN void await_warps() { __syncthreads(); }

QCD_END

#include "codelets/launch/warp_sums.h"

QCD_BEGIN

/// Adds the sums of a thread block, or of a row of threads whose first warp this is, to the
/// accumulators, which are there unless `which` is 0. Once in a kernel, by all threads.
__device__ inline void add_site_sums(warp_sums& shared, i64* sums, const site_sums& s, int which,
                                     int first_warp = 0)
{
    add_sums_of_warps(&shared, sums, s, which, threadIdx.x, first_warp, blockDim.x / QCD_LANES);
}

static __global__ void clear_sums_kernel(i64* sums)
{
    start_kernel();
    if (threadIdx.x < QCD_TASK_SUM_WORDS) sums_of(sums, own_rhs())[threadIdx.x] = 0;
}

/// A kernel, because nothing overlaps with cudaMemsetAsync (2 us longer, H200).
inline void clear_sums(void* sums, const CudaCall& call)
{
    if (!sums || call.is_zero) return;
    constexpr int threads = (QCD_TASK_SUM_WORDS + QCD_LANES - 1) / QCD_LANES * QCD_LANES;
    enqueue(clear_sums_kernel, dim3(1, call.layers), threads, call.stream, static_cast<i64*>(sums));
}

QCD_END
