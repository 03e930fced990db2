#include "codelets/coefficients/site.h"
#include "codelets/launch/opencl_launch.h"

#if QCD_GROUP < QCD_COEFFICIENTS
#error "an item for each scalar"
#endif

/// Copies the accumulators of a set, and clears them where they are.
QCD_FN void fetch_sums(__local i64 words[QCD_MAX_SUMS][QCD_SUM_WORDS], __local used_words* used,
                       QCD_GLOBAL i64* sums, int clear)
{
    for (int i = (int)get_local_id(0); i < QCD_TASK_SUM_WORDS; i += QCD_GROUP) {
        const int sum = i / QCD_SUM_WORDS, word = i % QCD_SUM_WORDS;
        const i64 value = sums != 0 ? sums[i] : 0;
        words[sum][word] = value;
        if (clear && sums != 0) sums[i] = 0;
        if (value == 0 || word >= QCD_SUM_NONFINITE) continue;
        atomic_min(&used[sum].lowest, word);
        atomic_max(&used[sum].highest, word);
    }
}

QCD_KERNEL coefficients_kernel(coefficients_args a, QCD_GLOBAL double* out,
                               QCD_GLOBAL const double* previous, QCD_GLOBAL i64* sums_a,
                               QCD_GLOBAL i64* sums_b, uint clear)
{
    __local i64 words[2][QCD_MAX_SUMS][QCD_SUM_WORDS];
    __local used_words used[2][QCD_MAX_SUMS];
    __local lattice_sums values[2];
    __local double before[QCD_COEFFICIENTS], now[QCD_COEFFICIENTS];
    const int me = (int)get_local_id(0), set = me / QCD_MAX_SUMS, i = me % QCD_MAX_SUMS;
    if (set < 2) {
        used[set][i].lowest = QCD_SUM_NONFINITE;
        used[set][i].highest = -1;
    }
    if (me < QCD_COEFFICIENTS) {
        before[me] = previous != 0 ? previous[me] : 0.0;
        now[me] = previous != 0 || a.stage == QCD_STAGE_START ? 0.0 : out[me];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    fetch_sums(words[0], used[0], sums_a, clear >> coefficients_sums_a & 1);
    fetch_sums(words[1], used[1], sums_b, clear >> coefficients_sums_b & 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    // One item rounds one sum; then one does the scalars, because every step waits for the one
    // before.
    if (set < 2) values[set].v[i] = round_used_words(words[set][i], used[set][i]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me == 0)
        coefficients_site(a, now, previous != 0 ? before : 0, values[0], values[1], sums_b != 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < QCD_COEFFICIENTS) out[me] = now[me];
}
