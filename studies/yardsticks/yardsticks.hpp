#pragma once
// What workers reach by libraries and by the plainest loops: DGEMM, STREAM, a sort of pairs. Peak
// and bandwidth of a roofline.

#include "runtime/codelet.hpp"
#include "studies/frame/study.hpp"

namespace qcd
{

/// STREAM: copy a <- b, scale a <- s b, add a <- b + c, triad a <- b + s c.
///   [a] W, [b] R, [c] R  rows x columns reals; c absent in copy and scale
const Codelet& stream_codelet();

/// Pairs sorted by key: std::sort on cores, CUB's radix sort on CUDA devices; OpenCL has none.
///   [keys] RW, [values] RW  32 bits each
const Codelet& sort_codelet();

} // namespace qcd

namespace qcd::studies
{

std::unique_ptr<Study> make_yardsticks();

} // namespace qcd::studies
