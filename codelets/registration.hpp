#pragma once
// An operation's codelet.cpp is one of these: it defines NAME_codelet (codelets/NAME/NAME.hpp) from
// NAME_args, the kernels that its folder has, and what is given of Operation's other members
// (runtime/operation.hpp).
//   QCD_OPERATION(NAME, ...)         in double and single, and in 16 bits where cmake's list says
//   so QCD_SCALAR_OPERATION(NAME, ...)  on scalars and sums: in double alone
//   QCD_MIXED_OPERATION(NAME, ...)   on fields of double and a lower precision: in double, as
//                                    f32_in_f64 and f16_in_f64 alone
//   QCD_LINK_OPERATION(NAME, ...)    reads links: also in double on single fields, for the true
//                                    residual, and for every storage of links; in 16 bits for 18
//                                    and 12 reals
// A codelet's variant is its Precision. Which files a folder has decides which kinds of workers
// have kernels (cmake/QcdOperations.cmake): it defines QCD_HAS_CPU, _CUDA and _OPENCL, the name of
// the OpenCL text among them; QCD_HAS_HALF where there are kernels in 16 bits. A codelet of a
// variant that is not there has no kernels.

#include "codelets/slots.hpp"
#include "codelets/variants.hpp"
#include "runtime/kernel_declarations.hpp"

#include <string>

#if defined(QCD_HAS_OPENCL) && defined(QCD_SIMULATOR)
#define QCD_OPENCL_TEXT "" // there is one, which nobody reads
#elif defined(QCD_HAS_OPENCL)
extern const char QCD_HAS_OPENCL[];
#define QCD_OPENCL_TEXT QCD_HAS_OPENCL
#else
#define QCD_OPENCL_TEXT nullptr
#endif

namespace qcd::registration
{

/// NAME_f64, NAME_links12_f64, ...
inline std::string name_of(const char* operation, Precision p, LinkStorage links)
{
    constexpr const char* suffix[] = {"f64", "f32", "f32_in_f64", "f16", "f16_in_f64"};
    return std::string(operation) + "_" +
           (links == LinkStorage::full ? "" : "links" + std::to_string(reals(links)) + "_") +
           suffix[int(p)];
}

/// Of the program that has the operations in a precision, on links stored so; text null: none.
inline OpenclProgram program_of(const char* text, Precision p, LinkStorage links, bool scalars)
{
    constexpr const char* options[] = {
        "-DQCD_REAL_BITS=64", "-DQCD_REAL_BITS=32", "-DQCD_REAL_BITS=32 -DQCD_MATH_BITS=64",
        "-DQCD_REAL_BITS=16 -DQCD_MATH_BITS=32", "-DQCD_REAL_BITS=16 -DQCD_MATH_BITS=64"};
    return {text, std::string(options[int(p)]) + (scalars ? " -DQCD_SCALAR_OPERATIONS" : "") +
                      " -DQCD_LINK_ROWS=" + std::to_string(reals(links))};
}

/// In place of kernels in a simulation (QCD_SIMULATOR): that there are some.
inline void not_run(const void*, void* const*, CpuShare) {}
inline void not_run_on_cuda(const void*, void* const*, const CudaCall&) {}

} // namespace qcd::registration

#define QCD_OPERATION(op, ...)                                                                     \
    QCD_DECLARE_KERNELS(f64, op)                                                                   \
    QCD_DECLARE_KERNELS(f32, op)                                                                   \
    QCD_DECLARE_KERNELS(f16, op)                                                                   \
    const qcd::Codelet& qcd::op##_codelet(Precision precision)                                     \
    {                                                                                              \
        static const Operation operation{QCD_NAME_AND_SIZE(op), __VA_ARGS__};                      \
        static const Codelet codelets[] = {QCD_CODELET(QCD_OPENCL_TEXT, op, f64, , full, false),   \
                                           QCD_CODELET(QCD_OPENCL_TEXT, op, f32, , full, false),   \
                                           QCD_NO_CODELET(op, f32_in_f64, full),                   \
                                           QCD_HALF_CODELET(op, , full),                           \
                                           QCD_NO_CODELET(op, f16_in_f64, full)};                  \
        return codelets[int(precision)];                                                           \
    }

#define QCD_MIXED_OPERATION(op, ...)                                                               \
    QCD_DECLARE_KERNELS(f32_in_f64, op)                                                            \
    QCD_DECLARE_KERNELS(f16_in_f64, op)                                                            \
    const qcd::Codelet& qcd::op##_codelet(Precision lower)                                         \
    {                                                                                              \
        static const Operation operation{QCD_NAME_AND_SIZE(op), __VA_ARGS__};                      \
        static const Codelet codelets[] = {                                                        \
            QCD_CODELET(QCD_OPENCL_TEXT, op, f32_in_f64, , full, false),                           \
            QCD_CODELET(QCD_OPENCL_TEXT, op, f16_in_f64, , full, false)};                          \
        return codelets[is_fixed_point(lower)];                                                    \
    }

#define QCD_SCALAR_OPERATION(op, ...) QCD_SCALAR_OPERATION_OF(QCD_OPENCL_TEXT, op, __VA_ARGS__)
// With the OpenCL text that has its kernel; nullptr: none has.
#define QCD_SCALAR_OPERATION_OF(text, op, ...)                                                     \
    QCD_DECLARE_KERNELS(f64, op)                                                                   \
    const qcd::Codelet& qcd::op##_codelet()                                                        \
    {                                                                                              \
        static const Operation operation{QCD_NAME_AND_SIZE(op), __VA_ARGS__, .sweeps = false,      \
                                         .urgent = true};                                          \
        static const Codelet codelet = QCD_CODELET(text, op, f64, , full, true);                   \
        return codelet;                                                                            \
    }

#define QCD_LINK_OPERATION(op, ...)                                                                \
    QCD_DECLARE_KERNELS_FOR_LINKS(, op)                                                            \
    QCD_DECLARE_KERNELS_FOR_LINKS(_links12, op)                                                    \
    QCD_DECLARE_KERNELS_FOR_LINKS(_links8, op)                                                     \
    QCD_DECLARE_KERNELS(f16, op)                                                                   \
    QCD_DECLARE_KERNELS(f16_links12, op)                                                           \
    const qcd::Codelet& qcd::op##_codelet(Precision precision, LinkStorage storage)                \
    {                                                                                              \
        static const Operation operation{QCD_NAME_AND_SIZE(op), __VA_ARGS__};                      \
        static const Codelet codelets[][precisions] = {                                            \
            QCD_CODELETS_FOR_LINKS(op, , full, QCD_HALF_CODELET),                                  \
            QCD_CODELETS_FOR_LINKS(op, _links12, two_rows, QCD_HALF_CODELET),                      \
            QCD_CODELETS_FOR_LINKS(op, _links8, minimal, QCD_NO_HALF_CODELET)};                    \
        return codelets[index(storage)][int(precision)];                                           \
    }

#define QCD_NAME_AND_SIZE(op) .name = #op, .args_size = sizeof(op##_args)

#define QCD_CODELET(text, op, precision, links, storage, scalars)                                  \
    {                                                                                              \
        operation, int(Precision::precision),                                                      \
            registration::name_of(#op, Precision::precision, LinkStorage::storage),                \
        {                                                                                          \
            {QCD_CPU_KERNELS(precision##links, op)}, {QCD_CUDA_KERNEL(precision##links, op)},      \
                registration::program_of(text, Precision::precision, LinkStorage::storage,         \
                                         scalars)                                                  \
        }                                                                                          \
    }
#define QCD_NO_CODELET(op, precision, storage)                                                     \
    {                                                                                              \
        operation, int(Precision::precision),                                                      \
            registration::name_of(#op, Precision::precision, LinkStorage::storage),                \
        {                                                                                          \
        }                                                                                          \
    }
#define QCD_NO_HALF_CODELET(op, links, storage) QCD_NO_CODELET(op, f16, storage)
#ifdef QCD_HAS_HALF
#define QCD_HALF_CODELET(op, links, storage)                                                       \
    QCD_CODELET(QCD_OPENCL_TEXT, op, f16, links, storage, false)
#else
#define QCD_HALF_CODELET(op, links, storage) QCD_NO_HALF_CODELET(op, links, storage)
#endif
#define QCD_CODELETS_FOR_LINKS(op, links, storage, half_codelet)                                   \
    {                                                                                              \
        QCD_CODELET(QCD_OPENCL_TEXT, op, f64, links, storage, false),                              \
            QCD_CODELET(QCD_OPENCL_TEXT, op, f32, links, storage, false),                          \
            QCD_CODELET(QCD_OPENCL_TEXT, op, f32_in_f64, links, storage, false),                   \
            half_codelet(op, links, storage), QCD_NO_CODELET(op, f16_in_f64, storage)              \
    }

#define QCD_DECLARE_KERNELS_FOR_LINKS(links, op)                                                   \
    QCD_DECLARE_KERNELS(f64##links, op)                                                            \
    QCD_DECLARE_KERNELS(f32##links, op)                                                            \
    QCD_DECLARE_KERNELS(f32_in_f64##links, op)

#if defined(QCD_HAS_CPU) && defined(QCD_SIMULATOR)
#define QCD_CPU_KERNELS(precision, op)                                                             \
    qcd::registration::not_run, qcd::registration::not_run, qcd::registration::not_run
#elif defined(QCD_HAS_CPU)
#define QCD_CPU_KERNELS QCD_CPU_KERNELS_OF
#else
#define QCD_CPU_KERNELS(precision, op)
#endif
#if defined(QCD_HAS_CUDA) && defined(QCD_SIMULATOR)
#define QCD_CUDA_KERNEL(precision, op) qcd::registration::not_run_on_cuda
#elif defined(QCD_HAS_CUDA)
#define QCD_CUDA_KERNEL QCD_CUDA_KERNEL_OF
#else
#define QCD_CUDA_KERNEL(precision, op)
#endif
