// All CUDA kernels of one precision and storage of links: one compilation, because nvcc starts
// slowly.
#include "codelets/hopping/kernel.cuh"
#include "codelets/linked_hop/kernel.cuh"
#include "codelets/pack_faces/kernel.cuh"
#include "codelets/site_kernels.cpp"

// The others read no links; the true residual of a single solution does not need them.
#if QCD_LINK_ROWS == 18 && QCD_REAL_BITS == QCD_MATH_BITS
#include "codelets/dot/kernel.cuh"
// On scalars and sums, in double alone.
#if QCD_REAL_BITS == 64
#include "codelets/merge_sums/kernel.cuh"
#include "codelets/scalar_kernels.cpp"
#endif
#endif
