#include "codelets/multigrid/level_kernels.hpp"
#include "codelets/multigrid/orthonormalise/lanes.h"

QCD_BEGIN

/// A warp for each aggregate.
__global__ void __launch_bounds__(QCD_LANES)
    orthonormalise_kernel(orthonormalise_args a, real* basis)
{
    start_kernel();
    const lanes w{int(threadIdx.x)};
    const auto products = [&](scalar& up, scalar& down, aggregate_vector x, aggregate_vector y) {
        const chiral_sums s = chiral_products(x, y, w);
        up = scalar_make(sum_by_halves(s.up.re), sum_by_halves(s.up.im));
        down = scalar_make(sum_by_halves(s.down.re), sum_by_halves(s.down.im));
    };
#define QCD_OWN_LANE(statement) statement
    QCD_ORTHONORMALISE(a, basis, int(blockIdx.x), products, QCD_OWN_LANE)
#undef QCD_OWN_LANE
}

void orthonormalise_cuda(const void* args, void* const* p, const CudaCall& call)
{
    if (call.facts) return; // its groups are those of OpenCL alone
    const auto& a = *static_cast<const orthonormalise_args*>(args);
    enqueue(orthonormalise_kernel, dim3(a.blocks), QCD_LANES, call.stream, a,
            static_cast<real*>(p[orthonormalise_basis]));
}

QCD_END
