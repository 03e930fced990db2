// All CUDA kernels of one precision and storage of links: one compilation, because nvcc starts
// slowly.
#include "codelets/hopping/kernel.cuh"
#include "codelets/linked_hop/kernel.cuh"
#include "codelets/pack_faces/kernel.cuh"
#include "codelets/xgemm33x34/kernel.cuh"

// The others read no links; the true residual of a single solution needs only the first two.
#if QCD_LINK_ROWS == 18 && QCD_REAL_BITS == QCD_MATH_BITS
#include "codelets/bicgstab_residual/kernel.cuh"
#include "codelets/bicgstab_update/kernel.cuh"
#include "codelets/cg_update/kernel.cuh"
#include "codelets/chiral_scale/kernel.cuh"
#include "codelets/cr_update/kernel.cuh"
#include "codelets/dot/kernel.cuh"
#include "codelets/xgemm34x44/kernel.cuh"
#include "codelets/xpay/kernel.cuh"
// On scalars and sums, in double alone.
#if QCD_REAL_BITS == 64
#include "codelets/coefficients/kernel.cuh"
#include "codelets/linked_coefficients/kernel.cuh"
#include "codelets/merge_sums/kernel.cuh"
#endif
#endif
