#include "codelets/coefficients/site.h"
#include "codelets/runtime/cuda_launch.cuh"

QCD_BEGIN

/// One warp rounds one sum, which is a walk over its words; then one thread does the scalars, in
/// shared memory, because every step waits for the one before.
enum { coefficients_warps = 2 * QCD_MAX_SUMS };

__global__ void __launch_bounds__(coefficients_warps* QCD_LANES)
    coefficients_kernel(coefficients_args a, KernelBuffers p)
{
    start_kernel();
    __shared__ i64 words[coefficients_warps][QCD_SUM_WORDS];
    __shared__ lattice_sums values[2];
    __shared__ double before[QCD_COEFFICIENTS], now[QCD_COEFFICIENTS];
    const int warp = threadIdx.x / QCD_LANES, lane = threadIdx.x % QCD_LANES;
    const int set = warp / QCD_MAX_SUMS, i = warp % QCD_MAX_SUMS;
    const i64* sums = buffer<const i64>(p, set ? coefficients_sums_b : coefficients_sums_a);
    double* out = buffer<double>(p, coefficients_out);
    const double* previous = buffer<const double>(p, coefficients_previous);
    if (threadIdx.x < QCD_COEFFICIENTS) {
        before[threadIdx.x] = previous ? previous[threadIdx.x] : 0.0;
        now[threadIdx.x] = previous || a.stage == QCD_STAGE_START ? 0.0 : out[threadIdx.x];
    }
    for (int w = lane; sums && w < QCD_SUM_WORDS; w += QCD_LANES)
        words[warp][w] = sums[i * QCD_SUM_WORDS + w];
    __syncwarp();
    if (lane == 0) values[set].v[i] = sums ? round_exact_sum(words[warp]) : 0.0;
    __syncthreads();
    if (threadIdx.x == 0)
        coefficients_site(a, now, previous ? before : nullptr, values[0], values[1],
                          p.p[coefficients_sums_b] != nullptr);
    __syncthreads();
    if (threadIdx.x < QCD_COEFFICIENTS) out[threadIdx.x] = now[threadIdx.x];
}

void coefficients_cuda(const void* args, void* const* p, cudaStream_t stream)
{
    enqueue(coefficients_kernel, 1, coefficients_warps * QCD_LANES, stream,
            *static_cast<const coefficients_args*>(args), kernel_buffers(p, coefficients_slots));
}

QCD_END
