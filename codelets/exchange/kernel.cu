#include "codelets/exchange/site.h"

#include <cuda_runtime.h>

namespace qcd
{

namespace
{

constexpr int threads = 384;                               // more than words
constexpr unsigned long long a_minute = 60'000'000'000ull; // ns

struct Slots {
    void* p[exchange_slots];
};

__device__ unsigned long long now()
{
    unsigned long long ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
}

__device__ void raise(i64* flag, i64 count)
{
    asm volatile("st.release.sys.global.s64 [%0], %1;" ::"l"(flag), "l"(count) : "memory");
}

__device__ void await(const i64* flag, i64 count)
{
    const unsigned long long start = now();
    for (i64 seen = 0; seen < count;) {
        asm volatile("ld.acquire.sys.global.s64 %0, [%1];" : "=l"(seen) : "l"(flag) : "memory");
        if (now() - start > a_minute) __trap();
    }
}

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
    if (i < a.peers * flags_of(a)) {
        i64* target = static_cast<i64*>(slots.p[exchange_targets + i % a.peers]);
        raise(flag_of(a, target, i / a.peers), a.count);
    }
    if (i < a.parts && own_source(a, i) < 0) await(inbox + i * a.stride + a.words, a.count);
    __syncthreads();
    __threadfence_system();
    if (i64* total = static_cast<i64*>(slots.p[exchange_total]))
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
