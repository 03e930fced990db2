#pragma once
// Sets of exact accumulators as the kernels see them.

#include "codelets/device/exact_sum.h"
#include "tests/codelets/launch.hpp"

#include <array>
#include <initializer_list>

namespace qcd::test
{

inline Buffer<i64> poisoned_sums() { return Buffer<i64>(QCD_TASK_SUM_WORDS, 0x5555555555555555LL); }

inline void accumulate(i64* accumulator, double x, i64 times = 1)
{
    const sum_term t = make_sum_term(x);
    accumulator[t.first] += times * t.w0;
    accumulator[t.first + 1] += times * t.w1;
    accumulator[t.first + 2] += times * t.w2;
}

/// Accumulators that hold these values.
inline Buffer<i64> sums_of(const std::array<double, QCD_MAX_SUMS>& values)
{
    Buffer<i64> s(QCD_TASK_SUM_WORDS);
    for (int i = 0; i < QCD_MAX_SUMS; ++i) accumulate(&s[i * QCD_SUM_WORDS], values[i]);
    return s;
}

/// The exact values with every word but the last in [0, 2^32): equal values have equal words.
inline Buffer<i64> canonical(Buffer<i64> sums)
{
    for (std::size_t first = 0; first < sums.size(); first += QCD_SUM_WORDS)
        for (i64* w = &sums[first]; w < &sums[first + QCD_SUM_NONFINITE - 1]; ++w) {
            w[1] += *w >> 32;
            *w &= 0xffffffff;
        }
    return sums;
}

inline double value_of(const Buffer<i64>& sums, int i)
{
    return round_exact_sum(&sums[i * QCD_SUM_WORDS]);
}

} // namespace qcd::test
