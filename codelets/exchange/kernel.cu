#include "codelets/exchange/site.h"
#include "codelets/runtime/cuda_flags.cuh"

#include <cuda_runtime.h>

namespace qcd
{

namespace
{

constexpr int threads = 384; // more than words

struct Slots {
    void* p[exchange_slots];
};

__global__ void __launch_bounds__(threads) exchange_kernel(exchange_args a, Slots slots)
{
    for (int peer = 0; peer < a.peers; ++peer)
        for (int s = 0; s < a.sources; ++s) {
            i64* target = static_cast<i64*>(slots.p[exchange_targets + peer]);
            const auto* source = static_cast<const i64*>(slots.p[exchange_sources + s]);
            for (int word = threadIdx.x; word < a.words; word += threads)
                target[a.own[s] * a.stride + word] = source[word];
        }
    __threadfence_system();
    __syncthreads();
    i64* inbox = static_cast<i64*>(slots.p[exchange_inbox]);
    const int i = threadIdx.x;
    if (i < a.peers * a.sources) {
        i64* target = static_cast<i64*>(slots.p[exchange_targets + i % a.peers]);
        raise_flag(flag_of(a, target, i / a.peers), a.count);
    }
    if (i < a.parts && own_source(a, i) < 0) await_flag(inbox + i * a.stride + a.words, a.count);
    __syncthreads();
    __threadfence_system();
    i64* total = static_cast<i64*>(slots.p[exchange_total]);
    for (int word = i; word < a.words; word += threads)
        total[word] = total_word(a, slots.p, inbox, word);
}

} // namespace

void exchange_cuda(const void* args, void* const* p, cudaStream_t stream)
{
    Slots slots;
    for (int i = 0; i < exchange_slots; ++i) slots.p[i] = p[i];
    exchange_kernel<<<1, threads, 0, stream>>>(*static_cast<const exchange_args*>(args), slots);
}

} // namespace qcd
