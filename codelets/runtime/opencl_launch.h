#pragma once
// What the OpenCL kernels share: one work item per site, groups of QCD_GROUP items.

#include "codelets/device/site_sums.h"
#include "codelets/device/spinor.h"

typedef struct {
    int block;
    lanes w;
} lane_position;

QCD_FN lane_position lane_position_of(size_t item)
{
    lane_position at;
    at.block = (int)(item / QCD_LANES);
    at.w.lane = (int)(item % QCD_LANES);
    return at;
}

QCD_FN void add_words(__local i64* words, double x)
{
    const sum_term t = make_sum_term(x);
    if (t.w0) atom_add(words + t.first, t.w0);
    if (t.w1) atom_add(words + t.first + 1, t.w1);
    if (t.w2) atom_add(words + t.first + 2, t.w2);
}

/// Adds the sums of a group's items to the accumulators (integers: any order gives the same words).
QCD_FN void add_site_sums(__global i64* sums, site_sums s, int which, __local i64* words)
{
    if (sums == 0 || which == 0) return;
    const int me = (int)get_local_id(0), all = (int)get_local_size(0);
    for (int i = me; i < QCD_MAX_SUMS * QCD_SUM_WORDS; i += all) words[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < QCD_MAX_SUMS; ++k)
        if (which >> k & 1) add_words(words + k * QCD_SUM_WORDS, s.v[k]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = me; i < QCD_MAX_SUMS * QCD_SUM_WORDS; i += all)
        if (words[i] != 0) atom_add(sums + i, words[i]);
}
