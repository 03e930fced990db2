#pragma once
// Libraries that studies measure themselves against. They are looked for when the program runs:
// without them it runs, too, and no bundle grows.

#include "runtime/codelet.hpp"

#include <string>

namespace qcd::studies
{

/// Kernels of an operation with the arguments and slots of matmul (studies/matmul/args.h), C <- C +
/// A B, by DGEMM of OpenBLAS on one core and of cuBLAS on a CUDA device. Null: the library is not
/// there, or has not been built for.
CpuKernel openblas_dgemm();
CudaKernel cublas_dgemm();

/// The libraries' names and versions where they are there; else why not.
std::string openblas_words();
std::string cublas_words();

} // namespace qcd::studies
