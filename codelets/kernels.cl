// All OpenCL kernels, one program text; flattened and embedded at build time.
#include "codelets/hopping/kernel.cl"
#include "codelets/pack_faces/kernel.cl"
#include "codelets/xgemm33x34/kernel.cl"

// The others read no links. (What they share with those above is already there: every header is
// embedded once, where it is first named.)
#if QCD_LINK_ROWS == 18
#include "codelets/bicgstab_residual/kernel.cl"
#include "codelets/bicgstab_update/kernel.cl"
#include "codelets/cg_update/kernel.cl"
#include "codelets/chiral_scale/kernel.cl"
#include "codelets/coefficients/kernel.cl"
#include "codelets/cr_update/kernel.cl"
#include "codelets/dot/kernel.cl"
#include "codelets/merge_sums/kernel.cl"
#include "codelets/xgemm34x44/kernel.cl"
#include "codelets/xpay/kernel.cl"
#endif
