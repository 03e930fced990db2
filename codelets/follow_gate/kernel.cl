#include "codelets/follow_gate/site.h"
#include "codelets/launch/opencl_launch.h"

QCD_SLOT_KERNEL(follow_gate)
{
    if (get_global_id(0) == 0) follow_gate_site(inner, outer, own_rhs());
}
