#include "codelets/coefficients/site.h"
#include "codelets/runtime/opencl_launch.h"

__kernel void coefficients_kernel(coefficients_args a, QCD_GLOBAL double* out,
                                  QCD_GLOBAL const double* previous, QCD_GLOBAL const i64* sums_a,
                                  QCD_GLOBAL const i64* sums_b)
{
    if (get_global_id(0) == 0) coefficients_site(a, out, previous, sums_a, sums_b);
}
