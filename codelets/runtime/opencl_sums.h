#pragma once
// Sums over the sites of a group, exact (device/exact_sum.h): in local memory, as 128-bit integers,
// then by atomic additions to the accumulators. (Lanes that add into one word of local memory, or
// into global memory, one by one take ten times as long.)

#include "codelets/device/site_sums.h"
#include "codelets/runtime/opencl_launch.h"

#define QCD_SUM_PARTS 8    // items that add up the terms of one sum
#define QCD_WINDOW_WORDS 4 // a term that starts in the first two of them is below 2^116

/// An integer of 128 bits.
typedef struct {
    u64 low;
    i64 high;
} wide;

QCD_FN wide wide_add(wide a, wide b)
{
    wide sum;
    sum.low = a.low + b.low;
    sum.high = a.high + b.high + (sum.low < b.low);
    return sum;
}
QCD_FN wide wide_neg(wide a)
{
    wide n;
    n.low = ~a.low + 1;
    n.high = ~a.high + (n.low == 0);
    return n;
}
QCD_FN wide in_window(sum_bits s, int base)
{
    const int shift = s.place - 32 * base; // 0 to 63
    wide v;
    v.low = s.magnitude << shift;
    v.high = (i64)((s.magnitude >> 1) >> (63 - shift));
    return s.negative ? wide_neg(v) : v;
}
QCD_FN i64 wide_word(wide v, int word)
{
    const wide magnitude = v.high < 0 ? wide_neg(v) : v;
    const u64 pair = word < 2 ? magnitude.low : (u64)magnitude.high;
    const i64 w = (i64)(word % 2 ? pair >> 32 : pair & 0xffffffffUL);
    return v.high < 0 ? -w : w;
}

/// What the items of a group leave for each other.
typedef struct {
    uchar first[QCD_MAX_SUMS][QCD_GROUP]; // word in which a term starts, + 1; 0: no term
    int base[QCD_MAX_SUMS];               // the window's first word
    int left[QCD_MAX_SUMS];               // are there terms below the window?
    u64 low[QCD_MAX_SUMS][QCD_GROUP];
    i64 high[QCD_MAX_SUMS][QCD_GROUP];
} group_sums;

/// The window of the largest terms of sum k.
QCD_FN void choose_window(__local group_sums* g, int k)
{
    uchar16 most = 0, least = 255;
    for (int i = 0; i < QCD_GROUP / 16; ++i) {
        const uchar16 first = vload16(i, g->first[k]);
        most = max(most, first);
        least = min(least, first - (uchar16)1); // 255: no term
    }
    const uchar8 most8 = max(most.lo, most.hi), least8 = min(least.lo, least.hi);
    const uchar4 most4 = max(most8.lo, most8.hi), least4 = min(least8.lo, least8.hi);
    const uchar2 most2 = max(most4.lo, most4.hi), least2 = min(least4.lo, least4.hi);
    g->base[k] = max((int)max(most2.x, most2.y) - 2, 0);
    g->left[k] = (int)min(least2.x, least2.y) < g->base[k];
}

QCD_FN wide partial_sum(__local group_sums* g, int k, int from, int step, int end)
{
    wide sum = {0, 0};
    for (int i = from; i < end; i += step) {
        const wide v = {g->low[k][i], g->high[k][i]};
        sum = wide_add(sum, v);
    }
    return sum;
}

/// Adds the sums of a group's items to the accumulators (integers: any order gives the same words).
/// By all items of the group, with the same `which`.
QCD_FN void add_site_sums(__global i64* sums, site_sums s, int which, __local group_sums* g)
{
    if (sums == 0 || which == 0) return;
    const int me = (int)get_local_id(0);
    int below[QCD_MAX_SUMS], again = 1;
    for (int k = 0; k < QCD_MAX_SUMS; ++k) below[k] = QCD_SUM_WORDS;
    while (again) { // once, but for terms that are far smaller than others
        for (int k = 0; k < QCD_MAX_SUMS; ++k) {
            const sum_bits t = make_sum_bits(s.v[k]);
            const int there = (which >> k & 1) && t.magnitude && t.place / 32 < below[k];
            g->first[k][me] = (uchar)(there ? t.place / 32 + 1 : 0);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (me < QCD_MAX_SUMS) choose_window(g, me);
        barrier(CLK_LOCAL_MEM_FENCE);
        again = 0;
        for (int k = 0; k < QCD_MAX_SUMS; ++k) {
            if (!(which >> k & 1)) continue;
            const sum_bits t = make_sum_bits(s.v[k]);
            wide v = {0, 0};
            if (t.magnitude && t.place / 32 < below[k] && t.place / 32 >= g->base[k])
                v = in_window(t, g->base[k]);
            g->low[k][me] = v.low;
            g->high[k][me] = v.high;
            below[k] = g->base[k];
            again |= g->left[k];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        const int k = me / QCD_SUM_PARTS, part = me % QCD_SUM_PARTS;
        if (k < QCD_MAX_SUMS && (which >> k & 1)) {
            const wide sum = partial_sum(g, k, part, QCD_SUM_PARTS, QCD_GROUP);
            g->low[k][part] = sum.low; // only this item reads that place
            g->high[k][part] = sum.high;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        const int l = me / QCD_WINDOW_WORDS, word = me % QCD_WINDOW_WORDS;
        if (l < QCD_MAX_SUMS && (which >> l & 1)) {
            const i64 w = wide_word(partial_sum(g, l, 0, 1, QCD_SUM_PARTS), word);
            if (w != 0) atom_add(sums + l * QCD_SUM_WORDS + g->base[l] + word, w);
        }
    }
}

/// Starts the accumulators of a task; by one group.
QCD_KERNEL clear_sums_kernel(QCD_GLOBAL i64* sums)
{
    for (int i = (int)get_local_id(0); i < QCD_MAX_SUMS * QCD_SUM_WORDS; i += QCD_GROUP)
        sums[i] = 0;
}
