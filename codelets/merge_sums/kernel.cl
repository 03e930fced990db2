#include "codelets/launch/opencl_launch.h"
#include "codelets/merge_sums/site.h"

QCD_KERNEL merge_sums_kernel(merge_sums_args a, QCD_GLOBAL i64* out, QCD_GLOBAL const i64* p0,
                             QCD_GLOBAL const i64* p1, QCD_GLOBAL const i64* p2,
                             QCD_GLOBAL const i64* p3, QCD_GLOBAL const i64* p4,
                             QCD_GLOBAL const i64* p5, QCD_GLOBAL const i64* p6,
                             QCD_GLOBAL const i64* p7, QCD_GLOBAL const i64* p8,
                             QCD_GLOBAL const i64* p9, QCD_GLOBAL const i64* p10,
                             QCD_GLOBAL const i64* p11, QCD_GLOBAL const i64* p12,
                             QCD_GLOBAL const i64* p13)
{
    const int of_own = (int)get_global_id(0);
    if (of_own >= QCD_TASK_SUM_WORDS) return;
    const int word = own_rhs() * QCD_TASK_SUM_WORDS + of_own;
    merge_sums_buffers f = {{p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13}};
    out[word] = merge_sums_word(a, f, word);
}
