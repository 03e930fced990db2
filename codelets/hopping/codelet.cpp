#include "codelets/hopping/bricks.h"
#include "codelets/hopping/hopping.hpp"

QCD_DECLARE_LINK_KERNELS(hopping)

namespace qcd
{

namespace
{

using Args = hopping_args;

/// For the true residual of a single solution one kernel does all: less to compile.
const char* opencl_name(Precision p, const void* args, void* const* slots)
{
    const Args& a = *static_cast<const Args*>(args);
    if (hopping_reads_faces(a.shape) || p == Precision::f32_in_f64) return "hopping_faces";
    if (a.sums && slots[hopping_sums]) return "hopping_sums";
    return slots[hopping_v] || a.add_u ? "hopping" : "hopping_bare";
}

} // namespace

const Codelet& hopping_codelet(Precision precision, LinkStorage links)
{
    static const ByLinkStorage<CodeletFamily> families([](LinkStorage storage) {
        return new CodeletFamily(
            {.name = "hopping",
             .args_size = sizeof(Args),
             .slots = hopping_slots,
             .sums_slot = hopping_sums,
             .blocks =
                 [](const void* a) {
                     const tile_shape& g = static_cast<const Args*>(a)->shape;
                     return QCD_BRICK_BLOCKS * bricks_of(g, QCD_BRICK, QCD_BRICK, 1, 1, g.m[2]).all;
                 },
             .links = storage,
             .opencl_kernel = opencl_name},
            QCD_LINK_KERNELS(hopping, storage));
    });
    return families[links][precision];
}

} // namespace qcd
