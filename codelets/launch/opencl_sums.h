#pragma once
// Sums over the sites of a group, exact (device/exact_sum.h): by warps, where the device adds over
// their lanes (warp_sums.h), else one item a sum.

#include "codelets/device/site_sums.h"
#include "codelets/launch/opencl_launch.h"

#ifdef QCD_WARPS_ADD // NVIDIA's from compute capability 8.0 on (opencl_build.cpp)

#define QCD_WARP_FN QCD_FN
#define QCD_SUM_WARPS (QCD_GROUP / QCD_LANES)

QCD_FN int largest_of_lanes(int x)
{
    int largest;
    __asm volatile("redux.sync.max.s32 %0, %1, 0xffffffff;" : "=r"(largest) : "r"(x));
    return largest;
}
QCD_FN int sum_of_lanes(int x)
{
    int sum;
    __asm volatile("redux.sync.add.s32 %0, %1, 0xffffffff;" : "=r"(sum) : "r"(x));
    return sum;
}
QCD_FN int any_lane(int x)
{
    int any;
    __asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; vote.sync.any.pred q, p, 0xffffffff; "
                   "selp.s32 %0, 1, 0, q; }"
                   : "=r"(any)
                   : "r"(x));
    return any;
}
QCD_FN void add_to_word(__global i64* word, i64 x) { atom_add(word, x); }
QCD_FN void await_warps() { barrier(CLK_LOCAL_MEM_FENCE); }

#include "codelets/launch/warp_sums.h"

typedef warp_sums group_sums;

QCD_FN void add_site_sums(__global i64* sums, site_sums s, int which, __local group_sums* g)
{
    if (sums == 0 || which == 0) return;
    add_sums_of_warps(g, sums, s, which, (int)get_local_id(0), 0, QCD_SUM_WARPS);
}

#else

/// What the items of a group leave for each other.
typedef struct {
    double term[QCD_MAX_SUMS][QCD_GROUP];
    i64 words[QCD_TASK_SUM_WORDS];
} group_sums;

/// Adds the sums of a group's items to the accumulators (integers: any order gives the same words).
/// All items of the group call it, with the same `which`.
QCD_FN void add_site_sums(__global i64* sums, site_sums s, int which, __local group_sums* g)
{
    if (sums == 0 || which == 0) return;
    const int me = (int)get_local_id(0);
    for (int k = 0; k < QCD_MAX_SUMS; ++k) g->term[k][me] = s.v[k];
    for (int i = me; i < QCD_TASK_SUM_WORDS; i += QCD_GROUP) g->words[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    // No branch around the loop: PoCL takes one of a fixed length for what all items do.
    const int k = me < QCD_MAX_SUMS && (which >> me & 1) ? me : -1;
    for (int i = k < 0 ? QCD_GROUP : 0; i < QCD_GROUP; ++i) {
        const sum_term t = make_sum_term(g->term[k][i]);
        __local i64* word = g->words + k * QCD_SUM_WORDS + t.first;
        word[0] += t.w0;
        word[1] += t.w1;
        word[2] += t.w2;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = me; i < QCD_TASK_SUM_WORDS; i += QCD_GROUP)
        if (g->words[i] != 0) atom_add(sums + i, g->words[i]);
}

#endif

/// Starts the accumulators of a task; by one group.
QCD_KERNEL zero_kernel(QCD_GLOBAL i64* sums)
{
    for (int i = (int)get_local_id(0); i < QCD_TASK_SUM_WORDS; i += QCD_GROUP)
        sums_of(sums, own_rhs())[i] = 0;
}
