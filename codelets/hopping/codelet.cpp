#include "codelets/hopping/bricks.h"
#include "codelets/hopping/hopping.hpp"
#include "runtime/registration.hpp"

namespace qcd
{

namespace
{

using Args = hopping_args;

/// For the true residual of a single solution one kernel does all: less to compile.
const char* opencl_name(Precision p, const void* args, void* const* slots)
{
    const Args& a = *static_cast<const Args*>(args);
    if (hopping_reads_faces(a.shape) || p == Precision::f32_in_f64)
        return "hopping_sums_with_faces";
    if (a.sums && slots[hopping_sums]) return "hopping_sums";
    return slots[hopping_v] || a.add_u ? "hopping_add" : "hopping";
}

int hopping_blocks(const void* args)
{
    const tile_shape& g = static_cast<const Args*>(args)->shape;
    return QCD_BRICK_BLOCKS * bricks_of(g, QCD_BRICK, QCD_BRICK, 1, 1, g.m[2]).all;
}

} // namespace

} // namespace qcd

QCD_LINK_OPERATION(hopping, .sums_slot = hopping_sums, .gate_slot = hopping_gate,
                   .blocks = hopping_blocks, .opencl_kernel = opencl_name)
