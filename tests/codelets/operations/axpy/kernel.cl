#include "codelets/launch/opencl_launch.h"
#include "tests/codelets/operations/axpy/site.h"

QCD_KERNEL axpy_kernel(axpy_args a, QCD_GLOBAL const real* x, QCD_GLOBAL real* y)
{
    axpy_buffers f = {x, y};
    const lane_position at = position_among(a.blocks);
    if (at.block < a.blocks) axpy_site(a, f, at.block, at.w);
}
