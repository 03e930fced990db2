// All OpenCL kernels, one program text, of which a program has a part (runtime/opencl_program.hpp);
// flattened and embedded at build time. (Every header is embedded once, where it is first named: so
// the first part names all that the others share with it.)
#include "codelets/bicgstab_scalars/args.h"
#include "codelets/cg_scalars/args.h"
#include "codelets/cr_scalars/args.h"
#include "codelets/launch/opencl_sums.h"

#ifdef QCD_SCALAR_OPERATIONS
#include "codelets/bicgstab_scalars/kernel.cl"
#include "codelets/cg_scalars/kernel.cl"
#include "codelets/cr_scalars/kernel.cl"
#include "codelets/last_residual/kernel.cl"
#include "codelets/merge_sums/kernel.cl"
#else
#include "codelets/hopping/kernel.cl"
#include "codelets/pack_faces/kernel.cl"
#include "codelets/xgemm33x34/kernel.cl"

// The others read no links.
#if QCD_LINK_ROWS == 18 && QCD_REAL_BITS == QCD_MATH_BITS
#include "codelets/bicgstab_residual/kernel.cl"
#include "codelets/bicgstab_update/kernel.cl"
#include "codelets/cg_residual/kernel.cl"
#include "codelets/cg_update/kernel.cl"
#include "codelets/chiral_scale/kernel.cl"
#include "codelets/cr_update/kernel.cl"
#include "codelets/dot/kernel.cl"
#include "codelets/xgemm34x44/kernel.cl"
#include "codelets/xpay/kernel.cl"
#endif
#endif
