#pragma once
// Loops of the CPU kernels over blocks and lanes. Compiled once per precision and instruction set.

#include "codelets/device/site_sums.h"
#include "codelets/device/spinor.h"

QCD_BEGIN

/// Buffer of a slot; null when the task has none there.
template <class T> static inline T* buffer(void* const* p, int slot) { return static_cast<T*>(p[slot]); }

/// For each register-wide group of a block's lanes.
template <class Body> static inline __attribute__((always_inline)) void for_each_group(Body body)
{
    for (int first = 0; first < QCD_LANES; first += vector_width)
        body(lanes{first, nullptr, nullptr, nullptr, nullptr});
}

/// For each block of a tile in memory order, with its place.
template <class Body>
static inline __attribute__((always_inline)) void for_each_place(const tile_shape& g, Body body)
{
    int block = 0;
    for (int t = 0; t < g.m[3]; ++t)
        for (int z = 0; z < g.m[2]; ++z)
            for (int y = 0; y < g.m[1]; ++y)
                for (int x = 0; x < g.m[0]; ++x) body(block++, block_place{{x, y, z, t}});
}

/// The lane rotations of a tile, worked out once per task.
class CrossingLanes
{
public:
    __attribute__((noinline)) explicit CrossingLanes(const tile_shape& g)
    {
        for (int group = 0; group < groups; ++group)
            for (int mu = 0; mu < 4; ++mu) {
                picks_[group][2 * mu] = make_lane_pick(g, group * vector_width, mu, +1);
                picks_[group][2 * mu + 1] = make_lane_pick(g, group * vector_width, mu, -1);
            }
    }
    lanes group(int first) const
    {
        return {first, picks_[first / vector_width], scratch_, face_scratch_, half_scratch_};
    }

private:
    enum { groups = QCD_LANES / vector_width };
    lane_pick picks_[groups][directions];
    alignas(64) mutable real scratch_[crossing_scratch_rows * QCD_ROW];
    alignas(64) mutable math face_scratch_[QCD_HALF_ROWS * QCD_ROW];
    alignas(64) mutable math half_scratch_[QCD_HALF_ROWS * QCD_ROW];
};

/// The exact sums of one task, kept beside it until it ends.
class TileSums
{
public:
    /// out: QCD_MAX_SUMS accumulators or null; kept: add to what is there.
    TileSums(i64* out, bool kept) : out_(out), kept_(kept)
    {
        if (out_) __builtin_memset(words_, 0, sizeof words_);
    }
    TileSums(const TileSums&) = delete;
    TileSums& operator=(const TileSums&) = delete;
    ~TileSums()
    {
        if (!out_) return;
        for (int i = 0; i < QCD_MAX_SUMS * QCD_SUM_WORDS; ++i)
            out_[i] = (kept_ ? out_[i] : 0) + (&words_[0][0])[i];
    }
    /// Which: bits 1 -> accumulators 0 1, 2 -> 2, 4 -> 3 4 (as QCD_SUM_* of hopping/args.h).
    __attribute__((always_inline)) void add(const site_sums& s, int which)
    {
        if (which & 1) add(0, s.v[0]), add(1, s.v[1]);
        if (which & 2) add(2, s.v[2]);
        if (which & 4) add(3, s.v[3]), add(4, s.v[4]);
    }

private:
    __attribute__((always_inline)) void add(int sum, const vdouble& v)
    {
        for (int j = 0; j < vector_width; ++j) {
            const sum_term t = make_sum_term(v[j]);
            words_[sum][t.first] += t.w0;
            words_[sum][t.first + 1] += t.w1;
            words_[sum][t.first + 2] += t.w2;
        }
    }
    i64* out_;
    bool kept_;
    i64 words_[QCD_MAX_SUMS][QCD_SUM_WORDS];
};

/// Makes streamed stores visible before StarPU hands the tile on.
static inline void end_of_streaming() { _mm_sfence(); }

QCD_END
