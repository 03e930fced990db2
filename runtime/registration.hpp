#pragma once
// An operation's codelet.cpp is one of these: it defines NAME_codelet (codelets/NAME/NAME.hpp) from
// NAME_args, NAME_slots, the kernels NAME_cpu and NAME_cuda of every compilation, and what is given
// of Operation's other members.
//   QCD_OPERATION(NAME, ...)         in double and single
//   QCD_SCALAR_OPERATION(NAME, ...)  on scalars and sums: in double alone
//   QCD_LINK_OPERATION(NAME, ...)    reads links: also in double on single fields, for the true
//                                    residual, and for every storage of links

#include "runtime/codelet.hpp"

#define QCD_OPERATION(op, ...)                                                                     \
    QCD_DECLARE_KERNELS(f64, op)                                                                   \
    QCD_DECLARE_KERNELS(f32, op)                                                                   \
    const qcd::Codelet& qcd::op##_codelet(Precision precision)                                     \
    {                                                                                              \
        static const CodeletFamily family({QCD_NAME_AND_SIZES(op), __VA_ARGS__},                   \
                                          {{QCD_KERNELS(f64, op), QCD_KERNELS(f32, op)}});         \
        return family[precision];                                                                  \
    }

#define QCD_SCALAR_OPERATION(op, ...)                                                              \
    QCD_DECLARE_KERNELS(f64, op)                                                                   \
    const qcd::Codelet& qcd::op##_codelet()                                                        \
    {                                                                                              \
        static const CodeletFamily family({QCD_NAME_AND_SIZES(op), __VA_ARGS__},                   \
                                          {{QCD_KERNELS(f64, op)}});                               \
        return family[Precision::f64];                                                             \
    }

#define QCD_LINK_OPERATION(op, ...)                                                                \
    QCD_DECLARE_KERNELS_FOR_LINKS(, op)                                                            \
    QCD_DECLARE_KERNELS_FOR_LINKS(_links12, op)                                                    \
    QCD_DECLARE_KERNELS_FOR_LINKS(_links8, op)                                                     \
    const qcd::Codelet& qcd::op##_codelet(Precision precision, LinkStorage storage)                \
    {                                                                                              \
        static const CodeletFamily families[] = {                                                  \
            {{QCD_NAME_AND_SIZES(op), .links = LinkStorage::full, __VA_ARGS__},                    \
             QCD_KERNELS_FOR_LINKS(, op)},                                                         \
            {{QCD_NAME_AND_SIZES(op), .links = LinkStorage::two_rows, __VA_ARGS__},                \
             QCD_KERNELS_FOR_LINKS(_links12, op)},                                                 \
            {{QCD_NAME_AND_SIZES(op), .links = LinkStorage::minimal, __VA_ARGS__},                 \
             QCD_KERNELS_FOR_LINKS(_links8, op)}};                                                 \
        return families[index(storage)][precision];                                                \
    }

#define QCD_NAME_AND_SIZES(op) .name = #op, .args_size = sizeof(op##_args), .slots = op##_slots

// `precision` is the namespace of one compilation without its instruction set or rows: f64, ...,
// f64_links12, ... (device/lang.h).
#define QCD_DECLARE_CPU_KERNEL(precision, isa, op)                                                 \
    namespace qcd::precision::isa                                                                  \
    {                                                                                              \
    void op##_cpu(const void* args, void* const* buffers, CpuShare);                               \
    }
#define QCD_DECLARE_CUDA_KERNEL(precision, rows, op)                                               \
    namespace qcd::precision::rows                                                                 \
    {                                                                                              \
    void op##_cuda(const void* args, void* const* buffers, const CudaCall&);                       \
    }
#define QCD_DECLARE_KERNELS(precision, op)                                                         \
    QCD_DECLARE_CPU_KERNEL(precision, generic, op)                                                 \
    QCD_DECLARE_CPU_KERNEL(precision, avx2, op)                                                    \
    QCD_DECLARE_CPU_KERNEL(precision, avx512, op)                                                  \
    QCD_DECLARE_CUDA_KERNEL(precision, rows64, op)                                                 \
    QCD_DECLARE_CUDA_KERNEL(precision, rows128, op)
#define QCD_DECLARE_KERNELS_FOR_LINKS(links, op)                                                   \
    QCD_DECLARE_KERNELS(f64##links, op)                                                            \
    QCD_DECLARE_KERNELS(f32##links, op)                                                            \
    QCD_DECLARE_KERNELS(f32_in_f64##links, op)

#ifdef QCD_WITH_CUDA
#define QCD_CUDA_KERNELS(precision, op) precision::rows64::op##_cuda, precision::rows128::op##_cuda
#else
#define QCD_CUDA_KERNELS(precision, op)
#endif
#define QCD_CPU_KERNELS(precision, op)                                                             \
    precision::generic::op##_cpu, precision::avx2::op##_cpu, precision::avx512::op##_cpu
#define QCD_KERNELS(precision, op)                                                                 \
    PrecisionKernels                                                                               \
    {                                                                                              \
        {QCD_CPU_KERNELS(precision, op)}, { QCD_CUDA_KERNELS(precision, op) }                      \
    }
#define QCD_KERNELS_FOR_LINKS(links, op)                                                           \
    {                                                                                              \
        {                                                                                          \
            QCD_KERNELS(f64##links, op), QCD_KERNELS(f32##links, op),                              \
                QCD_KERNELS(f32_in_f64##links, op)                                                 \
        }                                                                                          \
    }
