#pragma once
// A warp that goes from block to block, in CUDA and OpenCL (contract: dot.hpp).

#include "codelets/dot/site.h"
#include "codelets/launch/lane_sums.h"

QCD_BEGIN

/// Adds up every `step`-th block from `block` on, at most QCD_BIN_TERMS of them. All threads of a
/// thread block call it.
QCD_WARP_FN void dot_of_warp(dot_args a, dot_buffers f, int block, int step, int thread,
                             QCD_SHARED shared_lane_sums* shared, QCD_GLOBAL i64* accumulators)
{
    lanes w;
    w.lane = thread % QCD_LANES;
    site_sums s = no_sums();
    if (block < a.blocks) s = dot_site(a, f, block, w);
    lane_sums sums = start_lane_sums(shared, &s, dot_which, thread);
    for (;;) {
        add_to_lane_sums(&sums, accumulators, &s, dot_which, thread);
        block += step;
        if (block >= a.blocks) break;
        s = dot_site(a, f, block, w);
    }
    finish_lane_sums(shared, &sums, accumulators, dot_which, thread);
}

QCD_END
