#include "codelets/multigrid/coarse_hop/site.h"
#include "codelets/multigrid/level_kernels.hpp"

QCD_BEGIN

/// Three components of the 32 lanes of a block by a warp a direction, which leave their terms for
/// the first one to add up. Right-hand sides that read the same matrices follow each other.
enum { coarse_rows = 3, coarse_threads = QCD_COARSE_DIRECTIONS * QCD_LANES };

__global__ void __launch_bounds__(coarse_threads)
    coarse_hop_kernel(coarse_hop_args a, CloseBuffers p)
{
    start_kernel();
    const int rhs = blockIdx.x, block = blockIdx.y, row = blockIdx.z * coarse_rows;
    const auto f = coarse_hop_of_rhs(buffers_of<coarse_hop_buffers>(p), rhs);
    if (coarse_hop_closed(f)) return;
    const int d = threadIdx.x / QCD_LANES;
    const lanes w{int(threadIdx.x % QCD_LANES)};
    cplx sum[coarse_rows];
#pragma unroll
    for (int i = 0; i < coarse_rows; ++i) sum[i] = cmake(0, 0);
    const neighbour_lanes in = neighbours_of(a, f, rhs, block, d, w);
    if (any_neighbour(in)) {
        const real* column = coarse_columns(a, f, block, d, w) + 2 * row * QCD_ROW;
        for (int component = 0; component < 2 * QCD_CHIRAL_COMPONENTS; ++component)
#pragma unroll 4
            for (int part = 0; part < a.level.lanes; ++part, column += QCD_LEVEL_BLOCK) {
                const cplx e = component_there(in, component, part);
#pragma unroll
                for (int i = 0; i < coarse_rows; ++i)
                    sum[i] = cfma(e, cload(column + 2 * i * QCD_ROW), sum[i]);
            }
    }
    __shared__ cplx terms[QCD_COARSE_DIRECTIONS][coarse_rows][QCD_LANES];
#pragma unroll
    for (int i = 0; i < coarse_rows; ++i) terms[d][i][w.lane] = sum[i];
    __syncthreads();
    if (d >= coarse_rows) return;
    cplx all = cmake(0, 0);
    for (int e = 0; e < QCD_COARSE_DIRECTIONS; ++e) all = cadd(all, terms[e][d][w.lane]);
    const int at = spinor_place(rhs * a.level.blocks + block, w) + 2 * (row + d) * QCD_ROW;
    if (f.u != 0) all = cfma(csplat(scalar_make(-1, 0)), all, cload(f.u + at));
    cstore(f.out + at, all);
}

void coarse_hop_cuda(const void* args, void* const* p, const CudaCall& call)
{
    const auto& a = *static_cast<const coarse_hop_args*>(args);
    const CloseBuffers buffers{kernel_buffers<coarse_hop_slots>(p), call.layers};
    enqueue(coarse_hop_kernel, dim3(call.layers, a.blocks, 2 * QCD_CHIRAL_COMPONENTS / coarse_rows),
            coarse_threads, call.stream, a, buffers);
}

QCD_END
