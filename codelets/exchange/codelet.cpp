#include "codelets/exchange/exchange.hpp"

#include "codelets/exchange/site.h"
#include "codelets/runtime/flags.hpp"

#include <cstring>

namespace qcd
{

void exchange_cuda(const void*, void* const*, CUstream_st*);

namespace
{

void exchange_cpu(const void* args, void* const* p, CpuShare share)
{
    if (share.index > 0) return;
    const auto& a = *static_cast<const exchange_args*>(args);
    for (int peer = 0; peer < a.peers; ++peer) {
        i64* target = static_cast<i64*>(p[exchange_targets + peer]);
        for (int s = 0; s < a.sources; ++s)
            std::memcpy(target + a.own[s] * a.stride, p[exchange_sources + s],
                        sizeof(i64) * a.words);
        for (int s = 0; s < a.sources; ++s) raise_flag(flag_of(a, target, s), a.count);
    }
    i64* inbox = static_cast<i64*>(p[exchange_inbox]);
    for (int part = 0; part < a.parts; ++part)
        if (own_source(a, part) < 0) await_flag(inbox + part * a.stride + a.words, a.count);
    i64* total = static_cast<i64*>(p[exchange_total]);
    for (int word = 0; word < a.words; ++word) total[word] = total_word(a, p, inbox, word);
}

Kernels kernels()
{
    Kernels k{};
    k.cpu[int(Precision::f64)] = {exchange_cpu, exchange_cpu, exchange_cpu};
#ifdef QCD_WITH_CUDA
    k.cuda[int(Precision::f64)] = {exchange_cuda, exchange_cuda};
#endif
    return k;
}

} // namespace

const Codelet& exchange_codelet()
{
    static const CodeletFamily family("exchange", kernels(), sizeof(exchange_args), exchange_slots,
                                      -1, [](const void*) { return 1; });
    return family[Precision::f64];
}

} // namespace qcd
