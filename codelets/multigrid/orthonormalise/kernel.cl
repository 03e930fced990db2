#include "codelets/multigrid/level_groups.h"
#include "codelets/multigrid/orthonormalise/lanes.h"

#define QCD_PRODUCTS_OF_GROUP(up, down, x, y)                                                      \
    {                                                                                              \
        const chiral_sums s = chiral_products(x, y, w);                                            \
        up.re = sum_by_halves(&tree, s.up.re);                                                     \
        up.im = sum_by_halves(&tree, s.up.im);                                                     \
        down.re = sum_by_halves(&tree, s.down.re);                                                 \
        down.im = sum_by_halves(&tree, s.down.im);                                                 \
    }
#define QCD_OWN_LANE(statement) statement

QCD_BLOCK_KERNEL(orthonormalise)
{
    __local lane_tree tree;
    const lane_position at = own_position();
    const lanes w = at.w;
    if (own_rhs() > 0) return;
    QCD_ORTHONORMALISE(a, basis, at.block, QCD_PRODUCTS_OF_GROUP, QCD_OWN_LANE)
}
