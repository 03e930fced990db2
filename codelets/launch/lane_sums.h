#pragma once
// Sums over the sites of lanes that go from block to block, exact (device/sum_bins.h): each lane
// keeps its own, and a thread block, or work group, adds them up once, at its end.
//
// For CUDA and OpenCL, with what warp_sums.h wants; thread blocks have QCD_LANE_SUM_WARPS warps.

#include "codelets/device/sum_bins.h"
#include "codelets/launch/warp_sums.h"

#define QCD_LANE_SUM_WARPS 4
#define QCD_BIN_WORDS (QCD_BINS + 1) // of an accumulator, to which bins add

QCD_BEGIN

/// What the warps of a thread block leave for each other.
typedef struct {
    i64 units[QCD_MAX_SUMS][QCD_BINS][QCD_LANE_SUM_WARPS];
    int largest[QCD_MAX_SUMS][QCD_LANE_SUM_WARPS];
} shared_lane_sums;

/// The bins of a lane. All lanes of a thread block have the same bins for a sum.
typedef struct {
    sum_bins of[QCD_MAX_SUMS];
} lane_sums;

/// The sum of |x| < 2^52 over a warp's lanes.
QCD_WARP_FN i64 wide_sum_of_lanes(i64 x)
{
    const i64 low = sum_of_lanes((int)(x & 0x3ffffff)), high = sum_of_lanes((int)(x >> 26));
    return high * (1 << 26) + low;
}

/// Empty bins for terms like these. All threads call it, as they call the rest.
QCD_WARP_FN lane_sums start_lane_sums(QCD_SHARED shared_lane_sums* shared, const site_sums* s,
                                      int which, int thread)
{
#pragma unroll
    for (int k = 0; k < QCD_MAX_SUMS; ++k) {
        if (!(which >> k & 1)) continue;
        const int largest = largest_of_lanes(size_of_term(s->v[k]));
        if (thread % QCD_LANES == 0) shared->largest[k][thread / QCD_LANES] = largest;
    }
    await_warps();
    lane_sums sums;
#pragma unroll
    for (int k = 0; k < QCD_MAX_SUMS; ++k) {
        if (!(which >> k & 1)) continue;
        int largest = 0;
#pragma unroll
        for (int w = 0; w < QCD_LANE_SUM_WARPS; ++w) {
            const int of_warp = shared->largest[k][w];
            largest = of_warp > largest ? of_warp : largest;
        }
        sums.of[k] = empty_bins(first_bin(largest));
    }
    return sums;
}

/// What the bins do not hold goes to the accumulators, piece by piece.
QCD_WARP_FN void add_rest(QCD_GLOBAL i64* accumulator, double rest, int lane)
{
    while (any_lane(rest != 0)) {
        const warp_pieces p = cut_terms(&rest, accumulator);
        const i64 units[QCD_PIECES] = {p.units[0], p.units[1], p.units[2]};
        if (lane < QCD_PIECE_WORDS) add_pieces(accumulator, units, p.first, lane);
    }
}

/// May be called at most QCD_BIN_TERMS times.
QCD_WARP_FN void add_to_lane_sums(lane_sums* sums, QCD_GLOBAL i64* accumulators, const site_sums* s,
                                  int which, int thread)
{
    double rest[QCD_MAX_SUMS];
    int left = 0;
#pragma unroll
    for (int k = 0; k < QCD_MAX_SUMS; ++k) {
        if (!(which >> k & 1)) continue;
        rest[k] = add_to_bins(&sums->of[k], s->v[k]);
        left |= rest[k] != 0;
    }
    if (!any_lane(left)) return;
#pragma unroll
    for (int k = 0; k < QCD_MAX_SUMS; ++k)
        if (which >> k & 1) add_rest(accumulators + k * QCD_SUM_WORDS, rest[k], thread % QCD_LANES);
}

/// What the bins of a sum, over all warps, add to a word from their first on.
QCD_WARP_FN i64 word_of_bins(QCD_SHARED i64 units[QCD_BINS][QCD_LANE_SUM_WARPS], int word)
{
    i64 sum = 0;
#pragma unroll
    for (int w = 0; w < QCD_LANE_SUM_WARPS; ++w) {
        if (word < QCD_BINS) sum += units[word][w] & 0xffffffff;
        if (word > 0) sum += units[word - 1][w] >> 32;
    }
    return sum;
}

/// Adds all to the accumulators, by one atomic addition a word.
QCD_WARP_FN void finish_lane_sums(QCD_SHARED shared_lane_sums* shared, const lane_sums* sums,
                                  QCD_GLOBAL i64* accumulators, int which, int thread)
{
    const int k_of_thread = thread / QCD_BIN_WORDS, word = thread % QCD_BIN_WORDS;
    int first = 0;
#pragma unroll
    for (int k = 0; k < QCD_MAX_SUMS; ++k) {
        if (!(which >> k & 1)) continue;
        const sum_bins b = sums->of[k];
        const i64 low = wide_sum_of_lanes(units_in_bin(b.low, b.first)),
                  middle = wide_sum_of_lanes(units_in_bin(b.middle, b.first + 1)),
                  high = wide_sum_of_lanes(units_in_bin(b.high, b.first + 2));
        if (thread % QCD_LANES == 0) {
            shared->units[k][0][thread / QCD_LANES] = low;
            shared->units[k][1][thread / QCD_LANES] = middle;
            shared->units[k][2][thread / QCD_LANES] = high;
        }
        if (k == k_of_thread) first = b.first;
    }
    await_warps();
    if (k_of_thread >= QCD_MAX_SUMS || !(which >> k_of_thread & 1)) return;
    const i64 sum = word_of_bins(shared->units[k_of_thread], word);
    if (sum != 0) add_to_word(accumulators + k_of_thread * QCD_SUM_WORDS + first + word, sum);
}

QCD_END
