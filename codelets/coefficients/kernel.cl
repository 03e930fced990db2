#include "codelets/coefficients/site.h"
#include "codelets/runtime/opencl_launch.h"

__kernel void coefficients_kernel(coefficients_args a, QCD_GLOBAL double* out,
                                  QCD_GLOBAL const double* previous, QCD_GLOBAL const i64* sums_a,
                                  QCD_GLOBAL const i64* sums_b)
{
    // One item rounds one sum: a sum is a walk over its words, the scalars are quick.
    __local lattice_sums values[2];
    const int i = (int)get_local_id(0);
    if (i < QCD_MAX_SUMS) {
        values[0].v[i] = sums_a != 0 ? round_exact_sum(sums_a + i * QCD_SUM_WORDS) : 0.0;
        values[1].v[i] = sums_b != 0 ? round_exact_sum(sums_b + i * QCD_SUM_WORDS) : 0.0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_global_id(0) == 0)
        coefficients_site(a, out, previous, values[0], values[1], sums_b != 0);
}
