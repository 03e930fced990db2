#pragma once
// OpenCL kernels of operations on scalars: what scalar_kernels.hpp is for other workers.

#include "codelets/device/scalar_step.h"
#include "codelets/device/site_sums.h"
#include "codelets/launch/opencl_launch.h"

#if QCD_GROUP < 10
#error "an item for each sum"
#endif

/// What the items of a group leave for each other.
typedef struct {
    i64 words[2][QCD_MAX_SUMS][QCD_SUM_WORDS];
    used_words used[2][QCD_MAX_SUMS];
    lattice_sums values[2];
} step_shared;

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

/// The rounded sums, in g->values, and the scalars, of so many doubles, in c.
QCD_FN void fetch_step(__local step_shared* g, __local double* c, int scalars, scalar_step_args a,
                       QCD_GLOBAL const double* kept, QCD_GLOBAL i64* sums_a,
                       QCD_GLOBAL i64* sums_b, uint clear)
{
    const int me = (int)get_local_id(0), set = me / QCD_MAX_SUMS, i = me % QCD_MAX_SUMS;
    if (set < 2) {
        g->used[set][i].lowest = QCD_SUM_NONFINITE;
        g->used[set][i].highest = -1;
    }
    for (int k = a.begins ? scalars : me; k < scalars; k += QCD_GROUP) c[k] = kept[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    fetch_sums(g->words[0], g->used[0], sums_a, clear >> scalar_step_sums_a & 1);
    fetch_sums(g->words[1], g->used[1], sums_b, clear >> scalar_step_sums_b & 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    // One item rounds one sum; then one does the scalars, because every formula waits for the one
    // before.
    if (set < 2)
        ((__local double*)&g->values[set])[i] = round_used_words(g->words[set][i], g->used[set][i]);
    barrier(CLK_LOCAL_MEM_FENCE);
}

#define QCD_SCALAR_KERNEL(name, use, scalars)                                                      \
    QCD_KERNEL name##_kernel(scalar_step_args a, QCD_GLOBAL double* kept,                          \
                             QCD_GLOBAL solve_history* history, QCD_GLOBAL i64* sums_a,            \
                             QCD_GLOBAL i64* sums_b, uint clear)                                   \
    {                                                                                              \
        __local step_shared shared;                                                                \
        __local scalars c;                                                                         \
        const int me = (int)get_local_id(0), words = sizeof(scalars) / sizeof(double);             \
        kept += own_rhs() * QCD_SCALARS_STRIDE;                                                    \
        if (history != 0) history += own_rhs();                                                    \
        sums_a = sums_of(sums_a, own_rhs());                                                       \
        sums_b = sums_of(sums_b, own_rhs());                                                       \
        fetch_step(&shared, (__local double*)&c, words, a, kept, sums_a, sums_b, clear);           \
        if (me == 0) {                                                                             \
            step_sums sums;                                                                        \
            sums.a = shared.values[0];                                                             \
            sums.b = shared.values[1];                                                             \
            sums.has_b = sums_b != 0;                                                              \
            const int known = name##_site(a, &c, sums);                                            \
            note_in_history(history, (__local const solve_scalars*)&c, a.place, known);            \
        }                                                                                          \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        for (int k = me; k < words; k += QCD_GROUP) kept[k] = ((__local double*)&c)[k];            \
    }

#define QCD_SCALAR_KERNELS(method) QCD_STEPS_##method(QCD_SCALAR_KERNEL)
