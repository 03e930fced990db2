#include "codelets/coefficients/kernel.cuh"
#include "codelets/launch/cuda_flags.cuh"
#include "codelets/linked_coefficients/args.h"

QCD_BEGIN

/// A thread sends the words that it will await, and adds them up.
__global__ void __launch_bounds__(coefficients_warps* QCD_LANES)
    linked_coefficients_kernel(linked_coefficients_args a, KernelBuffers p, unsigned clear)
{
    start_kernel();
    const auto own = [&](int set, int word, unsigned clear) {
        const int sums = coefficients_sums_a + set, more = linked_coefficients_more_a + set;
        return take_word(p, sums, word, clear) + (p.p[more] ? take_word(p, more, word, clear) : 0);
    };
    const auto place = [](int set, int word) { return set * QCD_TASK_SUM_WORDS + word; };
    for_own_words(p, [&](int set, int word) {
        const i64 value = own(set, word, 0);
        for (int peer = 0; peer < a.peers; ++peer)
            send_word(buffer<sent_word>(p, linked_coefficients_outbox + peer) + place(set, word),
                      value, a.number);
    });
    coefficients_block(a.step, p, [&](int set, int word) {
        i64 sum = own(set, word, clear);
        for (int peer = 0; peer < a.peers; ++peer)
            sum += await_word(buffer<const sent_word>(p, linked_coefficients_inbox) +
                                  peer * QCD_SENT_SUMS + place(set, word),
                              a.number);
        return sum;
    });
}

void linked_coefficients_cuda(const void* args, void* const* p, const CudaCall& call)
{
    enqueue(linked_coefficients_kernel, 1, coefficients_warps * QCD_LANES, call.stream,
            *static_cast<const linked_coefficients_args*>(args),
            kernel_buffers<linked_coefficients_slots>(p), call.zero);
}

QCD_END
