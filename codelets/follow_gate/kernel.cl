#include "codelets/follow_gate/site.h"
#include "codelets/launch/opencl_launch.h"

QCD_KERNEL follow_gate_kernel(follow_gate_args a, QCD_GLOBAL solve_scalars* inner,
                              QCD_GLOBAL const solve_scalars* outer)
{
    if (get_global_id(0) == 0) follow_gate_site(inner, outer, own_rhs());
}
