#pragma once
// Who reads and writes what (contract: exchange.hpp); for the host and CUDA.

#include "codelets/exchange/args.h"

#ifdef __CUDACC__
#define QCD_EXCHANGE_FN static inline __host__ __device__
#else
#define QCD_EXCHANGE_FN static inline
#endif

namespace qcd
{

QCD_EXCHANGE_FN i64* flag_of(const exchange_args& a, i64* target, int source)
{
    return target + a.own[source] * a.stride + a.words;
}

/// Which source is this part? -1: a peer's.
QCD_EXCHANGE_FN int own_source(const exchange_args& a, int part)
{
    for (int s = 0; s < a.sources; ++s)
        if (a.own[s] == part) return s;
    return -1;
}

QCD_EXCHANGE_FN i64 total_word(const exchange_args& a, void* const* p, const i64* inbox, int word)
{
    i64 sum = 0;
    for (int part = 0; part < a.parts; ++part) {
        const int s = own_source(a, part);
        sum += s < 0 ? inbox[part * a.stride + word]
                     : static_cast<const i64*>(p[exchange_sources + s])[word];
    }
    return sum;
}

} // namespace qcd

#undef QCD_EXCHANGE_FN
