#pragma once
// A study's codelets.cpp. Outside of namespaces
//   QCD_STUDY_TEXT(STUDY)             its OpenCL text, if there is OpenCL: STUDY_text
//   QCD_DECLARE_STUDY_KERNELS(NAME)   of each operation
// and then for each a StudyCodelet of a study_operation() and of
//   QCD_STUDY_KERNELS_OF(NAME, TEXT)  a Kernels: for cores, CUDA and, of the OpenCL text, OpenCL
//   QCD_STUDY_DEVICE_KERNELS_OF(NAME, TEXT)  without those for cores, which may be another's

#include "runtime/codelet.hpp"
#include "studies/frame/groups.hpp"

#include <utility>

namespace qcd::studies
{

inline OpenclProgram program_of(const char* text)
{
    return {text, text ? "-DQCD_REAL_BITS=64" : ""};
}

/// The table of an operation: what cores share, groups of devices, and, if given, its flop.
template <class Args, int shared(const Args&), WorkGroups groups(const Args&),
          double (*flops)(const Args&) = nullptr>
Operation study_operation(const char* name, std::vector<Slot> slots)
{
    Operation o{.name = name,
                .args_size = sizeof(Args),
                .slots = std::move(slots),
                .blocks = [](const void* a) { return shared(*static_cast<const Args*>(a)); },
                .groups = [](int, const void* a) { return groups(*static_cast<const Args*>(a)); },
                .sweeps = false};
    if constexpr (flops != nullptr)
        o.flops = [](const void* a, unsigned) { return flops(*static_cast<const Args*>(a)); };
    return o;
}

/// With the operation, which a codelet refers to: they do not move.
struct StudyCodelet {
    StudyCodelet(Operation of, Kernels kernels)
        : operation(std::move(of)), codelet(operation, 0, operation.name, std::move(kernels))
    {
    }
    const Operation operation;
    const Codelet codelet;
};

} // namespace qcd::studies

#ifdef QCD_WITH_OPENCL
#define QCD_STUDY_TEXT(study)                                                                      \
    extern const char qcd_opencl_##study[];                                                        \
    static constexpr const char* study##_text = qcd_opencl_##study;
#else
#define QCD_STUDY_TEXT(study) static constexpr const char* study##_text = nullptr;
#endif

#define QCD_DECLARE_STUDY_CPU_KERNEL(isa, op)                                                      \
    namespace qcd::f64::isa                                                                        \
    {                                                                                              \
    void op##_cpu(const void* args, void* const* buffers, CpuShare);                               \
    }
#ifdef QCD_GENERIC_KERNELS // alone: they stand for all
#define QCD_DECLARE_BETTER_STUDY_CPU_KERNEL(isa, op)                                               \
    namespace qcd::f64                                                                             \
    {                                                                                              \
    namespace isa = generic;                                                                       \
    }
#else
#define QCD_DECLARE_BETTER_STUDY_CPU_KERNEL QCD_DECLARE_STUDY_CPU_KERNEL
#endif
#define QCD_DECLARE_STUDY_KERNELS(op)                                                              \
    QCD_DECLARE_STUDY_CPU_KERNEL(generic, op)                                                      \
    QCD_DECLARE_BETTER_STUDY_CPU_KERNEL(avx2, op)                                                  \
    QCD_DECLARE_BETTER_STUDY_CPU_KERNEL(avx512, op)                                                \
    namespace qcd::f64::rows64                                                                     \
    {                                                                                              \
    void op##_cuda(const void* args, void* const* buffers, const CudaCall&);                       \
    }

#define QCD_STUDY_CPU_OF(op)                                                                       \
    {                                                                                              \
        f64::generic::op##_cpu, f64::avx2::op##_cpu, f64::avx512::op##_cpu                         \
    }
#ifdef QCD_WITH_CUDA
#define QCD_STUDY_CUDA_OF(op)                                                                      \
    {                                                                                              \
        f64::rows64::op##_cuda, f64::rows64::op##_cuda                                             \
    }
#else
#define QCD_STUDY_CUDA_OF(op)                                                                      \
    {                                                                                              \
    }
#endif
#define QCD_STUDY_KERNELS_OF(op, text)                                                             \
    Kernels { QCD_STUDY_CPU_OF(op), QCD_STUDY_CUDA_OF(op), studies::program_of(text) }
#define QCD_STUDY_DEVICE_KERNELS_OF(op, text)                                                      \
    Kernels { {}, QCD_STUDY_CUDA_OF(op), studies::program_of(text) }
