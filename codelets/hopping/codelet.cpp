#include "codelets/hopping/bricks.h"
#include "codelets/hopping/hopping.hpp"
#include "codelets/registration.hpp"

namespace qcd
{

using Args = hopping_args;

/// One kernel has all cases of the true residual of a solution in single: less is compiled.
const char* hopping_opencl_kernel(int precision, const void* args, void* const* slots)
{
    const Args& a = *static_cast<const Args*>(args);
    const bool clover = slots[hopping_clover] || slots[hopping_inverse];
    if (hopping_reads_faces(a.shape) || Precision(precision) == Precision::f32_in_f64)
        return clover ? "hopping_clover_sums_with_faces" : "hopping_sums_with_faces";
    if (clover) return a.sums && slots[hopping_sums] ? "hopping_clover_sums" : "hopping_clover_add";
    if (a.sums && slots[hopping_sums]) return "hopping_sums";
    return slots[hopping_v] || a.add_u ? "hopping_add" : "hopping";
}

int hopping_blocks(const void* args)
{
    const Args& a = *static_cast<const Args*>(args);
    if (a.part == QCD_HOP_BORDER) return blocks_of_part(a.shape, a.part, a.late);
    const block_box box = inside_of(a.shape, a.part == QCD_HOP_INSIDE ? a.late : 0);
    return QCD_BRICK_BLOCKS * bricks_of(box, QCD_BRICK, QCD_BRICK, 1, 1, box.count[2]).all;
}

double hopping_share(const void* args, int slot)
{
    const Args& a = *static_cast<const Args*>(args);
    const bool of_faces = slot >= hopping_faces && slot <= hopping_last_faces;
    return of_faces ? 1 : double(blocks_of_part(a.shape, a.part, a.late)) / a.shape.blocks;
}

double hopping_flops(const void* args, unsigned present)
{
    const Args& a = *static_cast<const Args*>(args);
    const unsigned matrices =
        (present >> hopping_clover & 1) + (present >> hopping_inverse & 1); // of the clover term
    return (1320.0 + 504.0 * matrices) * blocks_of_part(a.shape, a.part, a.late) *
           lanes_in_use(a.shape);
}

} // namespace qcd

QCD_OPERATION(half_links, hopping, .blocks = hopping_blocks, .flops = hopping_flops,
              .idle = behind_closed_gate_of<hopping_gate>, .opencl_kernel = hopping_opencl_kernel,
              .layers_are_close = true)
