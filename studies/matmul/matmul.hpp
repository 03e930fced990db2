#pragma once
// C = A B in double, on tiles of the three: a study of what local memory, more work for a thread,
// padding and a split between cores and GPUs bring.

#include "runtime/codelet.hpp"
#include "studies/matmul/args.h"

namespace qcd
{

/// C <- C + A B on tiles.
///   [C]  RW  m n reals, row by row
///   [A]  R   m k reals
///   [B]  R   k n reals
/// Cost: 2 m n k flop. Each element adds its products in the order of k by fma: on all workers of
/// all versions but the library's the bits are the same. On cores loops i, k, j, but for the naive
/// one.
const Codelet& matmul_naive_codelet();   ///< cores alone: loops i, j, k
const Codelet& matmul_blocks_codelet();  ///< a thread for each element, in blocks of 16 x 16
const Codelet& matmul_shared_codelet();  ///< the same from tiles of 16 x 16 in local memory
const Codelet& matmul_four_codelet();    ///< 64 x 64 elements of 1024 threads, four of each
const Codelet& matmul_padded_codelet();  ///< the same without checks: multiples of 64 and 32
const Codelet& matmul_library_codelet(); ///< DGEMM of OpenBLAS on cores, of cuBLAS on CUDA devices

/// A tile into a larger or smaller one.
///   [to]    W  rows columns reals; what `from` does not have is 0
///   [from]  R  from_rows from_columns reals
const Codelet& matmul_pad_codelet();

} // namespace qcd
