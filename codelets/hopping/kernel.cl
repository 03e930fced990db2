#include "codelets/hopping/bricks.h"
#include "codelets/hopping/site.h"
#include "codelets/launch/opencl_sums.h"

#if QCD_GROUP != QCD_BRICK_BLOCKS * QCD_LANES
#error "a work group is a brick"
#endif

// Work groups of four warps that a multiprocessor has registers for, much as CUDA's kernels have
// them (hop_warps_per_multiprocessor() in hop_kinds.hpp).
#define QCD_HOP_GROUPS(with_sums, with_faces, with_clover)                                         \
    (QCD_MATH_BITS == 32 ? (QCD_LINK_ROWS == 8 && !(with_sums) ? 5 : 4)                            \
     : (with_faces)      ? (QCD_LINK_ROWS == 8 || (with_clover) ? 2 : 3)                           \
                         : (QCD_LINK_ROWS == 8 ? 3 : 2))

// The kinds of hops that have a kernel of their own. One, and one with a clover term, does all that
// read faces: programs are compiled on the user's machine. `a` is changed to say to the compiler
// what cannot be.
#define QCD_HOPPING_KERNEL(name, bare, with_sums, with_faces, with_clover)                         \
    QCD_KERNEL name(hopping_args a QCD_SLOT_PARAMETERS(hopping))                                   \
    {                                                                                              \
        QCD_HOPPING_LOCAL_##with_sums;                                                             \
        QCD_GROUPS_FIT(QCD_HOP_GROUPS(with_sums, with_faces, with_clover));                        \
        const int rhs = own_close_rhs();                                                           \
        if (gate_closed(gate_of(gate, rhs))) return;                                               \
        if (bare) v = 0;                                                                           \
        if (bare) a.add_u = 0;                                                                     \
        if (!with_sums) a.sums = 0;                                                                \
        a.reach = QCD_REACH_NEAR;                                                                  \
        if (!with_clover) clover = 0;                                                              \
        if (!with_clover) inverse = 0;                                                             \
        const hopping_buffers first = {QCD_SLOT_VALUES(hopping)};                                  \
        const hopping_buffers f = hopping_buffers_of_rhs(a.shape, first, rhs);                     \
        const site_sums s = hopping_item(a, f, with_faces);                                        \
        QCD_HOPPING_ADD_##with_sums;                                                               \
    }
#define QCD_HOPPING_LOCAL_0
#define QCD_HOPPING_LOCAL_1 __local group_sums group
#define QCD_HOPPING_ADD_0 (void)s
#define QCD_HOPPING_ADD_1 add_site_sums(sums_of(sums, rhs), s, a.sums, &group)

QCD_FN site_sums hopping_item(hopping_args a, hopping_buffers f, int with_faces)
{
    const int item = (int)get_local_id(0);
    block_place place;
    if (with_faces && a.part == QCD_HOP_BORDER) {
        const int number = own_group_of_rhs() * QCD_BRICK_BLOCKS + item / QCD_LANES;
        if (number >= blocks_of_part(a.shape, a.part, a.late)) return no_sums();
        place = place_on_border(a.shape, a.late, number);
    } else {
        const block_box box =
            inside_of(a.shape, with_faces && a.part == QCD_HOP_INSIDE ? a.late : 0);
        hopping_bricks n = bricks_of(box, QCD_BRICK, QCD_BRICK, 1, 1, box.count[2]);
        n.downwards = goes_downwards();
        place = place_in_brick(n, own_group_of_rhs(), item / QCD_LANES);
        if (!is_block(n, place)) return no_sums();
        place = place_in_box(box, place);
    }
    for (int mu = 0; !with_faces && mu < 4; ++mu) a.shape.cut[mu] = 0;
    lanes w;
    w.lane = item % QCD_LANES;
    return hopping_site(a, f, place, block_number(a.shape, place), lane_steps(a, place, w.lane), 0,
                        w);
}

#if QCD_WORD_BITS == QCD_MATH_BITS
QCD_HOPPING_KERNEL(hopping_kernel, 1, 0, 0, 0)
QCD_HOPPING_KERNEL(hopping_add_kernel, 0, 0, 0, 0)
QCD_HOPPING_KERNEL(hopping_sums_kernel, 0, 1, 0, 0)
QCD_HOPPING_KERNEL(hopping_clover_add_kernel, 0, 0, 0, 1)
QCD_HOPPING_KERNEL(hopping_clover_sums_kernel, 0, 1, 0, 1)
#endif
QCD_HOPPING_KERNEL(hopping_sums_with_faces_kernel, 0, 1, 1, 0)
QCD_HOPPING_KERNEL(hopping_clover_sums_with_faces_kernel, 0, 1, 1, 1)
