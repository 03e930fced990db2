#pragma once
// What workers reach by libraries and by the plainest loops: DGEMM, STREAM, a sort of pairs. Peak
// and bandwidth of a roofline.

#include "runtime/codelet.hpp"
#include "studies/yardsticks/args.h"

namespace qcd
{

/// STREAM: copy to <- x, scale to <- s x, add to <- x + y, triad to <- x + s y; fill to <- s.
///   [to] W, [x] R, [y] R  rows x columns reals; absent where they are not read
const Codelet& stream_codelet();

/// Pairs sorted by key: std::sort on cores, CUB's radix sort on CUDA devices; OpenCL has none.
///   [keys] RW, [values] RW  32 bits each
const Codelet& sort_codelet();

} // namespace qcd
