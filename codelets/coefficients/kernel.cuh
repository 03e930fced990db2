#pragma once

#include "codelets/coefficients/site.h"
#include "codelets/launch/cuda_launch.cuh"

QCD_BEGIN

/// One warp rounds one sum, which is a walk over its words; then one thread does the scalars, in
/// shared memory, because every step waits for the one before.
enum { coefficients_warps = 2 * QCD_MAX_SUMS };

/// Calls f(set, word of the set) for the words of this thread: those of its warp's sum.
template <class F>
__device__ inline void for_own_words(const KernelBuffers& p, F f)
{
    const int warp = threadIdx.x / QCD_LANES, set = warp / QCD_MAX_SUMS;
    if (!p.p[coefficients_sums_a + set]) return;
    for (int w = threadIdx.x % QCD_LANES; w < QCD_SUM_WORDS; w += QCD_LANES)
        f(set, warp % QCD_MAX_SUMS * QCD_SUM_WORDS + w);
}

/// A word of the sums in a slot, cleared where it is if `clear` has the slot.
__device__ inline i64 take_word(const KernelBuffers& p, int slot, int word, unsigned clear)
{
    i64* at = buffer<i64>(p, slot) + word;
    const i64 value = *at;
    if (clear >> slot & 1) *at = 0;
    return value;
}

/// By a warp.
__device__ inline used_words words_in_use(const i64* words)
{
    used_words used = {QCD_SUM_NONFINITE, -1};
    for (int first = 0; first < QCD_SUM_NONFINITE; first += QCD_LANES) {
        const int word = first + threadIdx.x % QCD_LANES;
        const unsigned in_use =
            __ballot_sync(0xffffffff, word < QCD_SUM_NONFINITE && words[word] != 0);
        if (in_use == 0) continue;
        if (used.highest < 0) used.lowest = first + __ffs(in_use) - 1;
        used.highest = first + QCD_LANES - 1 - __clz(in_use);
    }
    return used;
}

/// value(set, word): of the sums, asked for once each.
template <class Value>
__device__ inline void coefficients_block(const coefficients_args& a, const KernelBuffers& p,
                                          Value value)
{
    __shared__ i64 words[coefficients_warps][QCD_SUM_WORDS];
    __shared__ lattice_sums values[2];
    __shared__ double before[QCD_COEFFICIENTS], now[QCD_COEFFICIENTS];
    const int warp = threadIdx.x / QCD_LANES, lane = threadIdx.x % QCD_LANES;
    const int set = warp / QCD_MAX_SUMS, i = warp % QCD_MAX_SUMS;
    double* out = buffer<double>(p, coefficients_out);
    const double* previous = buffer<const double>(p, coefficients_previous);
    if (threadIdx.x < QCD_COEFFICIENTS) {
        before[threadIdx.x] = previous ? previous[threadIdx.x] : 0.0;
        now[threadIdx.x] = previous || a.stage == QCD_STAGE_START ? 0.0 : out[threadIdx.x];
    }
    for_own_words(
        p, [&](int of, int word) { words[warp][word - i * QCD_SUM_WORDS] = value(of, word); });
    __syncwarp();
    const bool given = p.p[coefficients_sums_a + set] != nullptr;
    const used_words used = given ? words_in_use(words[warp]) : used_words{0, -1};
    if (lane == 0) values[set].v[i] = given ? round_used_words(words[warp], used) : 0.0;
    __syncthreads();
    if (threadIdx.x == 0)
        coefficients_site(a, now, previous ? before : nullptr, values[0], values[1],
                          p.p[coefficients_sums_b] != nullptr);
    __syncthreads();
    if (threadIdx.x < QCD_COEFFICIENTS) out[threadIdx.x] = now[threadIdx.x];
}

__global__ void __launch_bounds__(coefficients_warps* QCD_LANES)
    coefficients_kernel(coefficients_args a, KernelBuffers p, unsigned clear)
{
    start_kernel();
    coefficients_block(a, p, [&](int set, int word) {
        return take_word(p, coefficients_sums_a + set, word, clear);
    });
}

void coefficients_cuda(const void* args, void* const* p, const CudaCall& call)
{
    enqueue(coefficients_kernel, 1, coefficients_warps * QCD_LANES, call.stream,
            *static_cast<const coefficients_args*>(args), kernel_buffers<coefficients_slots>(p),
            call.zero);
}

QCD_END
