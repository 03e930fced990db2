// Kernels of the operations that go site by site, for cores and, in kernels.cu, for CUDA.
#include "codelets/launch/site_kernels.hpp"

#include "codelets/xgemm33x34/site.h"

QCD_SITE_KERNELS(xgemm33x34)

// The others read no links; the true residual of a single solution does not need them.
#if QCD_LINK_ROWS == 18 && QCD_REAL_BITS == QCD_MATH_BITS

#include "codelets/bicgstab_residual/site.h"
#include "codelets/bicgstab_update/site.h"
#include "codelets/cg_residual/site.h"
#include "codelets/cg_update/site.h"
#include "codelets/chiral_scale/site.h"
#include "codelets/cr_update/site.h"
#include "codelets/xgemm34x44/site.h"
#include "codelets/xpay/site.h"

QCD_SITE_KERNELS(chiral_scale)
QCD_SITE_KERNELS(xgemm34x44)
QCD_UPDATE_KERNELS(xpay)
QCD_UPDATE_KERNELS(cg_update)
QCD_UPDATE_KERNELS_WITH_SUMS(cg_residual, QCD_SUM_OUT_OUT)
QCD_UPDATE_KERNELS_WITH_SUMS(cr_update, QCD_SUM_OUT_OUT)
QCD_UPDATE_KERNELS_WITH_SUMS(bicgstab_residual, QCD_SUM_V_OUT | QCD_SUM_OUT_OUT)
QCD_UPDATE_KERNELS_WITH_SUMS(bicgstab_update, QCD_SUM_OUT_OUT)

#endif
