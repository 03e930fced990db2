#include "codelets/multigrid/coarse_hop/site.h"
#include "codelets/multigrid/level_kernels.hpp"

QCD_BEGIN

/// A thread block has one spin of the 32 lanes of a block, with a warp for each direction; one warp
/// then adds their terms. Right-hand sides that read the same matrices follow each other.
enum { coarse_threads = QCD_COARSE_DIRECTIONS * QCD_LANES, coarse_spins = 4 };

__global__ void __launch_bounds__(coarse_threads)
    coarse_hop_kernel(coarse_hop_args a, CloseBuffers p)
{
    start_kernel();
    const int rhs = blockIdx.x, block = blockIdx.y, spin = blockIdx.z;
    const auto f = coarse_hop_of_rhs(buffers_of<coarse_hop_buffers>(p), rhs);
    if (coarse_hop_closed(f)) return;
    const int d = threadIdx.x / QCD_LANES;
    const lanes w{int(threadIdx.x % QCD_LANES)};
    colour term = colour_zero();
    const neighbour_lanes in = neighbours_of(a, f, rhs, block, d, w);
    if (any_neighbour(in)) add_coarse_columns(a, f, &in, block, d, spin, 1, w, &term);
    __shared__ colour terms[QCD_COARSE_DIRECTIONS][QCD_LANES];
    terms[d][w.lane] = term;
    __syncthreads();
    if (d > 0) return;
    colour sum = colour_zero();
    for (int e = 0; e < QCD_COARSE_DIRECTIONS; ++e) sum = colour_add(sum, terms[e][w.lane]);
    const int at = spinor_place(rhs * a.level.blocks + block, w) + 6 * spin * QCD_ROW;
    store_colour(f.out + at, coarse_rest(f, at, sum));
}

void coarse_hop_cuda(const void* args, void* const* p, const CudaCall& call)
{
    const auto& a = *static_cast<const coarse_hop_args*>(args);
    const CloseBuffers buffers{kernel_buffers<coarse_hop_slots>(p), call.layers};
    enqueue(coarse_hop_kernel, dim3(call.layers, a.blocks, coarse_spins), coarse_threads,
            call.stream, a, buffers);
}

QCD_END
