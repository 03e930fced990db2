#include "codelets/launch/cpu_flags.hpp"
#include "codelets/launch/cpu_launch.hpp"
#include "codelets/linked_coefficients/args.h"

QCD_BEGIN

void coefficients_cpu(const void* args, void* const* p, CpuShare);

void linked_coefficients_cpu(const void* args, void* const* p, CpuShare share)
{
    if (share.index > 0) return;
    const auto& a = *static_cast<const linked_coefficients_args*>(args);
    i64 sums[2][QCD_TASK_SUM_WORDS] = {};
    for (int set = 0; set < 2; ++set)
        for (const int slot : {coefficients_sums_a + set, linked_coefficients_more_a + set})
            for (int w = 0; p[slot] && w < QCD_TASK_SUM_WORDS; ++w)
                sums[set][w] += buffer<const i64>(p, slot)[w];
    for (int peer = 0; peer < a.peers; ++peer)
        for (int w = 0; w < QCD_SENT_SUMS; ++w)
            send_word(buffer<sent_word>(p, linked_coefficients_outbox + peer) + w,
                      sums[w / QCD_TASK_SUM_WORDS][w % QCD_TASK_SUM_WORDS], a.number);
    for (int peer = 0; peer < a.peers; ++peer)
        for (int w = 0; w < QCD_SENT_SUMS; ++w)
            sums[w / QCD_TASK_SUM_WORDS][w % QCD_TASK_SUM_WORDS] += await_word(
                buffer<sent_word>(p, linked_coefficients_inbox) + peer * QCD_SENT_SUMS + w,
                a.number);
    void* slots[coefficients_slots] = {p[coefficients_out], p[coefficients_previous]};
    for (int set = 0; set < 2; ++set)
        if (p[coefficients_sums_a + set]) slots[coefficients_sums_a + set] = sums[set];
    coefficients_cpu(&a.step, slots, {});
}

QCD_END
