#pragma once
// Loops of the CPU kernels over blocks and lanes. Compiled once per precision and instruction set.

#include "codelets/device/args.h"
#include "codelets/device/site_sums.h"
#include "codelets/device/spinor.h"
#include "runtime/cpu_team.hpp"

#include <memory>

QCD_BEGIN

/// Buffer of a slot; null when the task has none there.
template <class T>
static inline T* buffer(void* const* p, int slot)
{
    return static_cast<T*>(p[slot]);
}

/// A struct of pointers in the order of the slots, of which it has the first.
template <class Buffers>
static inline Buffers buffers_of(void* const* p)
{
    Buffers b;
    __builtin_memcpy(&b, p, sizeof b);
    return b;
}

/// Calls body(first lane) for each register-wide group of a block's lanes. `body` is in the code
/// once: a compiler that could count the turns would make a copy for each, and a hop would then
/// exceed the cache of decoded instructions.
template <class Body>
static inline __attribute__((always_inline)) void for_each_first_lane(Body body)
{
    for (int first = 0; first < QCD_LANES; first += vector_width) {
        body(first);
        asm("" : "+r"(first));
    }
}

/// Calls body(lanes) for each register-wide group of a block's lanes.
template <class Body>
static inline __attribute__((always_inline)) void for_each_group(Body body)
{
    for_each_first_lane([&](int first) __attribute__((always_inline)) {
        body(lanes{first, nullptr, nullptr, nullptr});
    });
}

/// Makes streamed stores visible before StarPU hands the tile on.
static inline void end_of_streaming() { _mm_sfence(); }

/// How many blocks are computed upwards in a run, where a share of n blocks is gone through
/// downwards: few enough to meet what the caches have, enough for prefetchers, which follow memory
/// upwards.
static inline int blocks_of_run(int n) { return n < 32 ? 4 : n < 512 ? n / 8 : 64; }

/// Calls body(first block, end) for each run of the share.
template <class Body>
static inline __attribute__((always_inline)) void for_each_run(int blocks, CpuShare share,
                                                               Body body)
{
    const int first = share.first(blocks), all = share.end(blocks) - first;
    const int run = share.downwards ? blocks_of_run(all) : all;
    for (int end = first + all; end > first; end -= run)
        body(end - run > first ? end - run : first, end);
    end_of_streaming();
}

/// Calls body(block, lanes) for each register-wide group of lanes in each block of the share.
template <class Body>
static inline __attribute__((always_inline)) void for_each_block(int blocks, CpuShare share,
                                                                 Body body)
{
    for_each_run(
        blocks, share, [&](int block, int end) __attribute__((always_inline)) {
            for (; block < end; ++block)
                for_each_group([&](lanes w) __attribute__((always_inline)) { body(block, w); });
        });
}

/// Calls body(block, its place) for each block of the share of a tile.
template <class Body>
static inline __attribute__((always_inline)) void for_each_place(const tile_shape& g,
                                                                 CpuShare share, Body body)
{
    for_each_run(
        g.blocks, share, [&](int block, int end) __attribute__((always_inline)) {
            for (block_place at = place_of_block(g, block); block < end; ++block) {
                body(block, at);
                for (int mu = 0; mu < 4 && ++at.i[mu] == g.m[mu]; ++mu) at.i[mu] = 0;
            }
        });
}

/// The lane rotations of a tile.
class CrossingLanes
{
public:
    /// Valid until this thread asks for those of another shape.
    static __attribute__((noinline)) const CrossingLanes& of(const tile_shape& g) noexcept
    {
        // A pointer, as every thread of the process has room in its stack for what is thread_local.
        static thread_local std::unique_ptr<CrossingLanes> latest;
        if (!latest) latest.reset(new CrossingLanes);
        if (__builtin_memcmp(&latest->shape_, &g, sizeof g) != 0) latest->work_out(g);
        return *latest;
    }
    lanes group(int first) const
    {
        const int group = first / vector_width;
        return {first, picks_[group], other_rows_ + group, half_scratch_};
    }

private:
    __attribute__((noinline)) void work_out(const tile_shape& g)
    {
        shape_ = g;
        for (int group = 0; group < groups; ++group) {
            other_rows_[group] = lanes_with_other_rows(g, group * vector_width);
            for (int mu = 0; mu < 4; ++mu) {
                picks_[group][2 * mu] = make_lane_pick(g, group * vector_width, mu, +1);
                picks_[group][2 * mu + 1] = make_lane_pick(g, group * vector_width, mu, -1);
            }
        }
    }

    enum { groups = QCD_LANES / vector_width };
    tile_shape shape_ = {};
    lane_pick picks_[groups][directions];
    pick_vector other_rows_[groups];
    alignas(64) mutable math half_scratch_[QCD_HALF_ROWS * QCD_ROW];
};

/// One exact sum of one task. A term is mostly added to a window of two 64-bit integers per lane,
/// in units of 2^(e-30) and 2^(e-74), e the exponent of the term that did not fit before; that one
/// goes to the words by itself. Integers throughout: the total does not depend on which way a term
/// went.
class TileSum
{
public:
    void clear() { __builtin_memset(this, 0, sizeof *this); }
    __attribute__((always_inline)) void add(const vdouble& v)
    {
#if QCD_MATH_BITS == 64
        add_register(v);
#else
        add_register(v.low);
        add_register(v.high);
#endif
    }
    /// The words, all windows emptied.
    const i64* words()
    {
#if defined(__AVX512DQ__)
        empty_window();
#endif
        return words_;
    }

private:
#if !defined(__AVX512DQ__)
    void add_register(const double_vector& v)
    {
        for (const double* x = (const double*)&v; x < (const double*)(&v + 1); ++x) add_word(*x);
    }
#endif
    void add_word(double x)
    {
        const sum_term t = make_sum_term(x);
        words_[t.first] += t.w0;
        words_[t.first + 1] += t.w1;
        words_[t.first + 2] += t.w2;
    }
#if defined(__AVX512DQ__)
    static double power(int e) { return double_of_bits(u64(e + 1023) << 52); }

    __attribute__((always_inline)) void add_register(__m512d v)
    {
        const __m512d scaled = _mm512_mul_pd(v, _mm512_set1_pd(to_high_));
        const __m512i high = _mm512_cvttpd_epi64(scaled);
        const __m512d rest =
            _mm512_fnmadd_pd(_mm512_cvtepi64_pd(high), _mm512_set1_pd(from_high_), v);
        const __m512d scaled_rest = _mm512_mul_pd(rest, _mm512_set1_pd(to_low_));
        const __m512i low = _mm512_cvttpd_epi64(scaled_rest);
        const __mmask8 fits =
            _mm512_cmp_pd_mask(_mm512_abs_pd(scaled), _mm512_set1_pd(0x1p51), _CMP_LT_OQ) &
            _mm512_cmp_pd_mask( // not with scaled_rest, which may have lost a tiny term
                _mm512_fnmadd_pd(_mm512_cvtepi64_pd(low), _mm512_set1_pd(from_low_), rest),
                _mm512_setzero_pd(), _CMP_EQ_OQ);
        if (__builtin_expect(fits != 0xff || room_ == 0, 0)) {
            add_slowly(v);
            return;
        }
        high_ = _mm512_add_epi64(high_, high);
        low_ = _mm512_add_epi64(low_, low);
        --room_;
    }
    __attribute__((noinline)) void add_slowly(__m512d v)
    {
        empty_window();
        alignas(64) double x[8];
        _mm512_store_pd(x, v);
        double largest = 0;
        for (const double term : x)
            if (__builtin_fabs(term) > largest) largest = __builtin_fabs(term);
        const int exponent = int(bits_of_double(largest) >> 52) - 1023;
        if (exponent > -800 && exponent < 900) { // the next terms will be like this one
            to_high_ = power(30 - exponent);
            from_high_ = power(exponent - 30);
            to_low_ = power(74 - exponent);
            from_low_ = power(exponent - 74);
            exponent_ = exponent;
            room_ = 1024; // 2^51 * 2^10 and 2^44 * 2^10 stay below 2^63
        }
        for (const double term : x) add_word(term);
    }
    void empty_window()
    {
        alignas(64) i64 high[8], low[8];
        _mm512_store_si512(high, high_);
        _mm512_store_si512(low, low_);
        high_ = low_ = _mm512_setzero_si512();
        for (int j = 0; j < 8; ++j) {
            add_scaled(high[j], exponent_ - 30);
            add_scaled(low[j], exponent_ - 74);
        }
        room_ = 0;
    }
    void add_scaled(i64 n, int e)
    {
        add_word(double(n >> 32) * power(e + 32));
        add_word(double(n & 0xffffffff) * power(e));
    }
    __m512i high_, low_;
    double to_high_, from_high_, to_low_, from_low_;
    int exponent_, room_;
#endif
    i64 words_[QCD_SUM_WORDS];
};

/// The exact sums of a share of a task, kept beside it until it ends.
class TileSums
{
public:
    /// out: QCD_MAX_SUMS accumulators or null. adds: to what is there, even if the task has no other
    /// share.
    TileSums(i64* out, CpuShare share, bool adds = false)
        : out_(out), adds_(adds || share.count > 1)
    {
        if (out_)
            for (TileSum& s : sums_) s.clear();
    }
    TileSums(const TileSums&) = delete;
    TileSums& operator=(const TileSums&) = delete;
    ~TileSums()
    {
        for (int k = 0; out_ && k < QCD_MAX_SUMS; ++k) {
            const i64* words = sums_[k].words();
            for (int i = 0; i < QCD_SUM_WORDS; ++i, ++out_)
                if (!adds_)
                    *out_ = words[i];
                else if (words[i] != 0)
                    __atomic_fetch_add(out_, words[i], __ATOMIC_RELAXED);
        }
    }
    /// which: bits QCD_SUM_* (device/args.h).
    __attribute__((always_inline)) void add(const site_sums& s, int which)
    {
#pragma GCC unroll 8
        for (int k = 0; k < QCD_MAX_SUMS; ++k)
            if (which >> k & 1) sums_[k].add(s.v[k]);
    }

private:
    i64* out_;
    bool adds_;
    TileSum sums_[QCD_MAX_SUMS];
};

QCD_END
