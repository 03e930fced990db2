#include "codelets/multigrid/level_kernels.hpp"
#include "codelets/multigrid/restrict/lanes.h"

QCD_BEGIN

/// A warp for each aggregate and basis vector; right-hand sides that read the same follow each other.
__global__ void __launch_bounds__(threads_per_block)
    restrict_kernel(restrict_args a, CloseBuffers p)
{
    start_kernel();
    const int rhs = blockIdx.x % p.layers,
              unit = blockIdx.x / p.layers * warps_per_block + threadIdx.x / QCD_LANES;
    const auto f = restrict_of_rhs(buffers_of<restrict_buffers>(p), rhs);
    if (restrict_closed(f) || unit >= a.blocks) return;
    const chiral_sums s = restrict_lanes(a, f, unit, rhs, {int(threadIdx.x % QCD_LANES)});
    const math up_re = sum_by_halves(s.up.re), up_im = sum_by_halves(s.up.im),
               down_re = sum_by_halves(s.down.re), down_im = sum_by_halves(s.down.im);
    if (threadIdx.x % QCD_LANES == 0)
        put_restricted(a, f.out, unit, rhs, up_re, up_im, down_re, down_im);
}

void restrict_cuda(const void* args, void* const* p, const CudaCall& call)
{
    if (call.facts) return; // its groups are those of OpenCL alone
    launch_close_layers<restrict_slots>(restrict_kernel,
                                        static_cast<const restrict_args*>(args)->blocks,
                                        *static_cast<const restrict_args*>(args), p, call);
}

QCD_END
