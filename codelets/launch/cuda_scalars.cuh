#pragma once
// Steps of a method's scalars by one thread block (scalar_kernels.hpp).

#include "codelets/device/linked_step.h"
#include "codelets/device/site_sums.h"
#include "codelets/launch/cuda_flags.cuh"
#include "codelets/launch/cuda_launch.cuh"

QCD_BEGIN

/// One warp rounds one sum, which is a walk over its words; then one thread does the scalars, in
/// shared memory, because every formula waits for the one before.
enum { scalar_step_warps = 2 * QCD_MAX_SUMS };

/// Calls f(set, word of the set) for the words of this thread: those of its warp's sum.
template <class F>
__device__ inline void for_own_words(const KernelBuffers& p, F f)
{
    const int warp = threadIdx.x / QCD_LANES, set = warp / QCD_MAX_SUMS;
    if (!p.p[scalar_step_sums_a + set]) return;
    for (int w = threadIdx.x % QCD_LANES; w < QCD_SUM_WORDS; w += QCD_LANES)
        f(set, warp % QCD_MAX_SUMS * QCD_SUM_WORDS + w);
}

/// A word of the own right-hand side's sums in a slot, cleared where it is if `clear` has the slot.
__device__ inline i64 take_word(const KernelBuffers& p, int slot, int word, unsigned clear)
{
    i64* at = sums_of(buffer<i64>(p, slot), own_rhs()) + word;
    const i64 value = *at;
    if (clear >> slot & 1) *at = 0;
    return value;
}

/// The threads of a warp call it together.
__device__ inline used_words words_in_use(const i64* words)
{
    used_words used = {QCD_SUM_NONFINITE, -1};
    for (int first = 0; first < QCD_SUM_NONFINITE; first += QCD_LANES) {
        const int word = first + threadIdx.x % QCD_LANES;
        const unsigned in_use =
            __ballot_sync(0xffffffff, word < QCD_SUM_NONFINITE && words[word] != 0);
        if (in_use == 0) continue;
        if (used.highest < 0) used.lowest = first + __ffs(in_use) - 1;
        used.highest = first + QCD_LANES - 1 - __clz(in_use);
    }
    return used;
}

/// value(set, word): of the sums, asked for once each.
template <class Scalars, auto site, class Value>
__device__ inline void scalar_step_block(const scalar_step_args& a, const KernelBuffers& p,
                                         Value value)
{
    constexpr int scalars = sizeof(Scalars) / sizeof(double);
    __shared__ i64 words[scalar_step_warps][QCD_SUM_WORDS];
    __shared__ double values[2][QCD_MAX_SUMS];
    __shared__ Scalars c;
    const int me = threadIdx.x, warp = me / QCD_LANES, lane = me % QCD_LANES;
    const int set = warp / QCD_MAX_SUMS, i = warp % QCD_MAX_SUMS;
    double* kept = buffer<double>(p, scalar_step_scalars) + own_rhs() * QCD_SCALARS_STRIDE;
    double* own = reinterpret_cast<double*>(&c);
    if (!a.begins)
        for (int k = me; k < scalars; k += scalar_step_warps * QCD_LANES) own[k] = kept[k];
    for_own_words(
        p, [&](int of, int word) { words[warp][word - i * QCD_SUM_WORDS] = value(of, word); });
    __syncwarp();
    const bool given = p.p[scalar_step_sums_a + set] != nullptr;
    const used_words used = given ? words_in_use(words[warp]) : used_words{0, -1};
    if (lane == 0) values[set][i] = given ? round_used_words(words[warp], used) : 0.0;
    __syncthreads();
    if (me == 0) {
        step_sums sums;
        memcpy(&sums.a, values[0], sizeof sums.a);
        memcpy(&sums.b, values[1], sizeof sums.b);
        sums.has_b = p.p[scalar_step_sums_b] != nullptr;
        const int known = site(a, &c, sums);
        auto* history = buffer<solve_history>(p, scalar_step_history);
        note_in_history(history ? history + own_rhs() : nullptr,
                        reinterpret_cast<const solve_scalars*>(&c), a.place, known);
    }
    __syncthreads();
    for (int k = me; k < scalars; k += scalar_step_warps * QCD_LANES) kept[k] = own[k];
}

template <class Scalars, auto site>
__device__ __forceinline__ void scalar_step_alone(const scalar_step_args& a, const KernelBuffers& p,
                                                  unsigned clear)
{
    start_kernel();
    scalar_step_block<Scalars, site>(a, p, [&](int set, int word) {
        return take_word(p, scalar_step_sums_a + set, word, clear);
    });
}

/// A thread sends the words that it will await, and adds them up.
template <class Scalars, auto site>
__device__ __forceinline__ void scalar_step_linked(const linked_step_args& a,
                                                   const KernelBuffers& p, unsigned clear)
{
    start_kernel();
    const auto own = [&](int set, int word, unsigned clear) {
        const int sums = scalar_step_sums_a + set, more = linked_step_more_a + set;
        return take_word(p, sums, word, clear) + (p.p[more] ? take_word(p, more, word, clear) : 0);
    };
    const auto place = [](int set, int word) { return set * QCD_TASK_SUM_WORDS + word; };
    for_own_words(p, [&](int set, int word) {
        const i64 value = own(set, word, 0);
        for (int peer = 0; peer < a.peers; ++peer)
            send_word(buffer<sent_word>(p, linked_step_outbox + peer) +
                          sent_sums_place(a.peers, own_rhs(), 0) + place(set, word),
                      value, a.number);
    });
    scalar_step_block<Scalars, site>(a.step, p, [&](int set, int word) {
        i64 sum = own(set, word, clear);
        for (int peer = 0; peer < a.peers; ++peer)
            sum += await_word(buffer<const sent_word>(p, linked_step_inbox) +
                                  sent_sums_place(a.peers, own_rhs(), peer) + place(set, word),
                              a.number);
        return sum;
    });
}

template <int slots, class Args>
void enqueue_step(void (*kernel)(Args, KernelBuffers, unsigned), const void* args, void* const* p,
                  const CudaCall& call)
{
    enqueue(kernel, dim3(1, call.layers), scalar_step_warps * QCD_LANES, call.stream,
            *static_cast<const Args*>(args), kernel_buffers<slots>(p), call.zero);
}

QCD_END
