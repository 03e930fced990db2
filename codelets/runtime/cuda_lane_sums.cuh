#pragma once
// Sums over the sites of lanes that go from block to block, exact (device/sum_bins.h): each lane
// keeps its own, and a thread block adds them up once, at its end.

#include "codelets/device/sum_bins.h"
#include "codelets/runtime/cuda_sums.cuh"

QCD_BEGIN

enum { lane_sum_warps = threads_per_block / QCD_LANES };

/// What the threads of a block leave for each other.
struct lane_sums_shared {
    i64 words[QCD_MAX_SUMS][QCD_SUM_WORDS];
    i64 units[QCD_MAX_SUMS][QCD_BINS][threads_per_block];
    int largest[QCD_MAX_SUMS][lane_sum_warps];
};

static_assert(lane_sum_warps * QCD_BIN_TERMS <= 8192); // units of a word: below 2^51

/// |x| < 2^52 in all lanes
QCD_WARP_FN i64 wide_sum_of_lanes(i64 x)
{
    const i64 low = sum_of_lanes(int(x & 0x3ffffff)), high = sum_of_lanes(int(x >> 26));
    return (high << 26) + low;
}

/// What the bins do not hold, piece by piece.
QCD_WARP_FN void add_rest(i64* words, double rest, int lane)
{
    while (any_lane(rest != 0)) {
        const warp_pieces p = cut_terms(&rest, 1, words);
        const i64 units[QCD_PIECES] = {p.units[0], p.units[1], p.units[2]};
        if (lane < QCD_PIECE_WORDS) add_pieces(words, units, p.first, lane);
    }
}

/// The sums that `which` asks for. Made, and finished, by all threads of a block.
template <int which>
class LaneSums
{
public:
    /// The bins are for terms like these.
    __device__ LaneSums(lane_sums_shared& shared, const site_sums& s)
        : shared_(shared), lane_(threadIdx.x % QCD_LANES), warp_(threadIdx.x / QCD_LANES)
    {
        for (int i = threadIdx.x; i < sums_words; i += threads_per_block)
            shared_.words[i / QCD_SUM_WORDS][i % QCD_SUM_WORDS] = 0;
        for_each_sum([&](int k) {
            const int largest = largest_of_lanes(size_of_term(s.v[k]));
            if (lane_ == 0) shared_.largest[k][warp_] = largest;
        });
        await_warps();
        for_each_sum([&](int k) {
            int largest = 0;
#pragma unroll
            for (const int of_warp : shared_.largest[k]) largest = max(largest, of_warp);
            bins_[k] = empty_bins(first_bin(largest));
        });
    }

    /// By all lanes of a warp, at most QCD_BIN_TERMS times.
    __device__ void add(const site_sums& s)
    {
        double rest[QCD_MAX_SUMS];
        int left = 0;
        for_each_sum([&](int k) {
            rest[k] = add_to_bins(&bins_[k], s.v[k]);
            left |= rest[k] != 0;
        });
        if (!any_lane(left)) return;
        for_each_sum([&](int k) { add_rest(shared_.words[k], rest[k], lane_); });
    }

    /// Adds all to the accumulators, by one atomic addition a word.
    __device__ void finish(i64* sums)
    {
        for_each_sum([&](int k) {
#pragma unroll
            for (int i = 0; i < QCD_BINS; ++i)
                shared_.units[k][i][threadIdx.x] = units_in_bin(bins_[k], i);
        });
        await_warps();
        for_each_sum([&](int k) {
            if (k % lane_sum_warps == warp_) finish_sum(k, sums + k * QCD_SUM_WORDS);
        });
    }

private:
    template <class Body>
    __device__ static void for_each_sum(const Body& body)
    {
#pragma unroll
        for (int k = 0; k < QCD_MAX_SUMS; ++k)
            if (which >> k & 1) body(k);
    }

    __device__ void finish_sum(int k, i64* accumulator)
    {
        i64* words = shared_.words[k];
#pragma unroll
        for (int i = 0; i < QCD_BINS; ++i) {
            i64 units = 0;
            for (int w = 0; w < lane_sum_warps; ++w)
                units += shared_.units[k][i][w * QCD_LANES + lane_];
            units = wide_sum_of_lanes(units);
            i64* word = words + bins_[k].first + i;
            if (lane_ == 0) {
                word[0] += units & 0xffffffff;
                word[1] += units >> 32;
            }
        }
        __syncwarp();
        for (int i = lane_; i < QCD_SUM_WORDS; i += QCD_LANES)
            if (words[i] != 0) add_to_word(accumulator + i, words[i]);
    }

    lane_sums_shared& shared_;
    sum_bins bins_[QCD_MAX_SUMS];
    int lane_, warp_;
};

QCD_END
