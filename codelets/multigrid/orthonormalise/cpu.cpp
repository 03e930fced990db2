#include "codelets/multigrid/level_kernels.hpp"
#include "codelets/multigrid/orthonormalise/lanes.h"

QCD_BEGIN

static void chiral_products_of_all(scalar& up, scalar& down, aggregate_vector a, aggregate_vector b)
{
    LaneTree up_re, up_im, down_re, down_im;
    for_each_group([&](lanes w) {
        const chiral_sums s = chiral_products(a, b, w);
        up_re.set(w, s.up.re);
        up_im.set(w, s.up.im);
        down_re.set(w, s.down.re);
        down_im.set(w, s.down.im);
    });
    up = scalar_make(up_re.sum(), up_im.sum());
    down = scalar_make(down_re.sum(), down_im.sum());
}

#define QCD_FOR_ALL_LANES(statement) for_each_group([&](lanes w) { statement; })

void orthonormalise_cpu(const void* args, void* const* p, CpuShare share)
{
    const auto& a = *static_cast<const orthonormalise_args*>(args);
    for (int aggregate = share.first(a.blocks); aggregate < share.end(a.blocks); ++aggregate)
        QCD_ORTHONORMALISE(a, buffer<real>(p, orthonormalise_basis), aggregate,
                           chiral_products_of_all, QCD_FOR_ALL_LANES)
}

#undef QCD_FOR_ALL_LANES

QCD_END
