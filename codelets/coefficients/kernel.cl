#include "codelets/coefficients/site.h"
#include "codelets/runtime/opencl_launch.h"

/// Copies the accumulators of a set, and clears them where they are.
QCD_FN void fetch_sums(__local i64* words, QCD_GLOBAL i64* sums, int clear)
{
    for (int i = (int)get_local_id(0); i < QCD_MAX_SUMS * QCD_SUM_WORDS; i += QCD_GROUP) {
        words[i] = sums != 0 ? sums[i] : 0;
        if (clear && sums != 0) sums[i] = 0;
    }
}

QCD_FN double rounded_sum(__local const i64* words)
{
    i64 own[QCD_SUM_WORDS];
    for (int i = 0; i < QCD_SUM_WORDS; ++i) own[i] = words[i];
    return round_exact_sum(own);
}

QCD_KERNEL coefficients_kernel(coefficients_args a, QCD_GLOBAL double* out,
                               QCD_GLOBAL const double* previous, QCD_GLOBAL i64* sums_a,
                               QCD_GLOBAL i64* sums_b, uint clear)
{
    // One item rounds one sum: a sum is a walk over its words, the scalars are quick.
    __local i64 words[2][QCD_MAX_SUMS * QCD_SUM_WORDS];
    __local double values[2][QCD_MAX_SUMS];
    const int me = (int)get_local_id(0);
    fetch_sums(words[0], sums_a, clear >> coefficients_sums_a & 1);
    fetch_sums(words[1], sums_b, clear >> coefficients_sums_b & 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < 2 * QCD_MAX_SUMS)
        values[me / QCD_MAX_SUMS][me % QCD_MAX_SUMS] =
            rounded_sum(words[me / QCD_MAX_SUMS] + me % QCD_MAX_SUMS * QCD_SUM_WORDS);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_global_id(0) != 0) return;
    double before[QCD_COEFFICIENTS], now[QCD_COEFFICIENTS];
    for (int i = 0; i < QCD_COEFFICIENTS; ++i) {
        before[i] = previous != 0 ? previous[i] : 0.0;
        now[i] = previous != 0 || a.stage == QCD_STAGE_START ? 0.0 : out[i];
    }
    lattice_sums s[2];
    for (int i = 0; i < QCD_MAX_SUMS; ++i) {
        s[0].v[i] = values[0][i];
        s[1].v[i] = values[1][i];
    }
    coefficients_site(a, now, previous != 0 ? before : 0, s[0], s[1], sums_b != 0);
    for (int i = 0; i < QCD_COEFFICIENTS; ++i) out[i] = now[i];
}
