#pragma once
// Sums over the sites of a thread block, or work group, exact (device/exact_sum.h): each warp cuts
// its terms into pieces and lets the hardware add them up, then the warps' sums are joined, then
// they go to the accumulators by atomic additions, which are few: all blocks' go to the same words.
//
// For CUDA and OpenCL (cuda_sums.cuh, opencl_sums.h), which define before
//   QCD_WARP_FN QCD_SUM_WARPS              function; most warps of a thread block
//   int largest_of_lanes(int), sum_of_lanes(int), any_lane(int)   over a warp, by all its lanes
//   void add_to_word(QCD_GLOBAL i64* word, i64)                   atomically
//   void await_warps()                                            a thread block's barrier

#include "codelets/device/site_sums.h"
#include "codelets/device/sum_pieces.h"

QCD_BEGIN

/// The sum of a warp's pieces.
typedef struct __attribute__((aligned(16))) {
    int units[QCD_PIECES];
    int first; // place of the first
} warp_pieces;

typedef struct {
    warp_pieces of[QCD_MAX_SUMS][QCD_SUM_WARPS];
} warp_sums;

/// A term as it is.
QCD_WARP_FN void add_term(QCD_GLOBAL i64* accumulator, double x)
{
    const sum_term t = make_sum_term(x);
    add_to_word(accumulator + t.first, t.w0);
    add_to_word(accumulator + t.first + 1, t.w1);
    add_to_word(accumulator + t.first + 2, t.w2);
}

/// Adds up the leading pieces of the lanes' terms and leaves the rest of them. Terms that are too
/// large to be cut go to the accumulator at once.
QCD_WARP_FN warp_pieces cut_terms(double* term, QCD_GLOBAL i64* accumulator)
{
    const int largest = largest_of_lanes(size_of_term(*term));
    if (largest >= QCD_TOO_LARGE && size_of_term(*term) >= QCD_TOO_LARGE) {
        add_term(accumulator, *term);
        *term = 0;
    }
    warp_pieces p;
    p.first = first_place(largest);
#pragma unroll
    for (int piece = 0; piece < QCD_PIECES; ++piece) {
        const cut_term cut = cut_off(*term, piece_cutter(piece_place(p.first, piece)));
        p.units[piece] = sum_of_lanes(cut.units);
        *term = cut.rest;
    }
    return p;
}

/// Adds the pieces of some warps to one of the QCD_PIECE_WORDS words that they reach.
QCD_WARP_FN void add_pieces(QCD_GLOBAL i64* accumulator, const i64* units, int first, int word)
{
    word += piece_place(first, QCD_PIECES - 1) >> 5;
    i64 sum = 0;
#pragma unroll
    for (int i = 0; i < QCD_PIECES; ++i)
        sum += word_of_units(units[i], piece_place(first, i), word);
    if (sum != 0) add_to_word(accumulator + word, sum);
}

/// The sum of a warp's terms; what three pieces do not hold goes to the accumulator at once.
QCD_WARP_FN void add_terms_of_warp(QCD_SHARED warp_pieces* sum, QCD_GLOBAL i64* accumulator,
                                   double term, int lane)
{
    for (int round = 0;; ++round) { // one, but for terms that are far smaller than others
        const warp_pieces p = cut_terms(&term, accumulator);
        if (round == 0) {
            if (lane == 0) *sum = p;
        } else if (lane < QCD_PIECE_WORDS) {
            const i64 units[QCD_PIECES] = {p.units[0], p.units[1], p.units[2]};
            add_pieces(accumulator, units, p.first, lane);
        }
        if (!any_lane(term != 0)) return;
    }
}

/// Adds the sums of a thread block's warps to an accumulator: one atomic addition a word, where
/// their places are alike.
QCD_WARP_FN void join_warps(const QCD_SHARED warp_pieces* sums, int warps,
                            QCD_GLOBAL i64* accumulator, int word)
{
    i64 units[QCD_PIECES] = {0, 0, 0};
    int first = sums[0].first;
    for (int w = 0; w < warps; ++w) {
        const warp_pieces p = sums[w];
        if (p.first != first) {
            add_pieces(accumulator, units, first, word);
            units[0] = units[1] = units[2] = 0;
            first = p.first;
        }
        for (int i = 0; i < QCD_PIECES; ++i) units[i] += p.units[i];
    }
    add_pieces(accumulator, units, first, word);
}

/// Adds the sums of a thread block, or of so many of its warps, to the accumulators (integers: any
/// order gives the same words). Once in a kernel, by all threads, with the same `which`; thread: of
/// these warps.
QCD_WARP_FN void add_sums_of_warps(QCD_SHARED warp_sums* shared, QCD_GLOBAL i64* sums, site_sums s,
                                   int which, int thread, int first_warp, int warps)
{
#pragma unroll
    for (int k = 0; k < QCD_MAX_SUMS; ++k) {
        if (!(which >> k & 1)) continue;
        add_terms_of_warp(&shared->of[k][first_warp + thread / QCD_LANES], sums + k * QCD_SUM_WORDS,
                          s.v[k], thread % QCD_LANES);
    }
    await_warps();
    const int k = thread / QCD_PIECE_WORDS;
    if (k < QCD_MAX_SUMS && (which >> k & 1))
        join_warps(shared->of[k] + first_warp, warps, sums + k * QCD_SUM_WORDS,
                   thread % QCD_PIECE_WORDS);
}

QCD_END
