#pragma once
// The loop for cores, and the launch of CUDA, of operations that make each element of a site by
// itself, in groups of several sites: NAME_site(NAME_args, NAME_buffers, direction, site, colour,
// spin).
//   QCD_LADDER_SITE_KERNELS(NAME)

#ifdef __CUDACC__

#include "codelets/ladder/cuda_groups.cuh"

#define QCD_LADDER_SITE_KERNELS(name)                                                              \
    QCD_BEGIN                                                                                      \
    static __global__ void name##_kernel(name##_args a, KernelBuffers p)                           \
    {                                                                                              \
        const int thread = QCD_THREAD_ID(), of_group = thread / QCD_LADDER_ELEMENTS,               \
                  e = thread % QCD_LADDER_ELEMENTS, site = QCD_GROUP_ID() * a.multiple + of_group; \
        if (of_group < a.multiple && site < a.shape.sites)                                         \
            name##_site(a, buffers_of<name##_buffers>(p), a.d, site, e / 4, e % 4);                \
    }                                                                                              \
    QCD_LADDER_LAUNCH(name, ladder_groups_of_sites<name##_args>(0, args))                          \
    QCD_END

#else

#include "codelets/ladder/complex.h"
#include "codelets/launch/cpu_launch.hpp"

#include <type_traits>
#include <utility>

QCD_BEGIN

/// Calls f(std::integral_constant<int, d>).
template <class F>
static inline void with_direction(int d, const F& f)
{
    [&]<int... all>(std::integer_sequence<int, all...>)
    {
        (void)((d == all && (f(std::integral_constant<int, all>{}), true)) || ...);
    }
    (std::make_integer_sequence<int, 8>{});
}

QCD_END

#define QCD_LADDER_SITE_KERNELS(name)                                                              \
    QCD_BEGIN                                                                                      \
    void name##_cpu(const void* args, void* const* p, CpuShare share)                              \
    {                                                                                              \
        const auto& a = *static_cast<const name##_args*>(args);                                    \
        const auto f = buffers_of<name##_buffers>(p);                                              \
        with_direction(a.d, [&](auto d) {                                                          \
            for (int site = share.first(a.shape.sites); site < share.end(a.shape.sites); ++site)   \
                _Pragma("GCC unroll 12") for (int e = 0; e < QCD_LADDER_ELEMENTS; ++e)             \
                    name##_site(a, f, d, site, e / 4, e % 4);                                      \
        });                                                                                        \
    }                                                                                              \
    QCD_END

#endif
