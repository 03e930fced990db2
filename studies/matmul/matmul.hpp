#pragma once
// C = A B in double, on tiles of the three: a study of what local memory, more work for a thread,
// padding and a split between cores and GPUs bring.

#include "runtime/codelet.hpp"
#include "studies/frame/study.hpp"

#include <vector>

namespace qcd
{

/// C <- C + A B on tiles.
///   [C]  RW  m n reals, row by row
///   [A]  R   m k reals
///   [B]  R   k n reals
/// Cost: 2 m n k flop. Each element adds its products in the order of k by fma: on all workers of
/// all versions but `library` the bits are the same.
const Codelet& matmul_codelet(const std::string& version);

/// A tile into a larger or smaller one.
///   [to]    W  rows columns reals; what `from` does not have is 0
///   [from]  R  from_rows from_columns reals
const Codelet& matmul_pad_codelet();

} // namespace qcd

namespace qcd::studies
{

/// naive   cores alone: loops i, j, k
/// blocks  a device's thread for each element, in blocks of 16 x 16
/// shared  the same from tiles of 16 x 16 in local memory
/// four    64 x 64 elements of a group of 1024 threads, four of each thread
/// padded  the same on copies of the tiles padded to multiples of 64, whose ends need no checks
/// library DGEMM of OpenBLAS on cores and of cuBLAS on CUDA devices
/// Cores execute loops i, k, j in blocks, shared, four and padded.
const std::vector<std::string>& matmul_versions();

std::unique_ptr<Study> make_matmul();

} // namespace qcd::studies
