#pragma once
// A study's codelets.cpp, once for each operation:
//   QCD_DECLARE_STUDY_KERNELS(NAME)   outside of namespaces, then
//   QCD_STUDY_KERNELS_OF(NAME, TEXT)  a Kernels: for cores, CUDA and, of the OpenCL text, OpenCL
//   QCD_STUDY_DEVICE_KERNELS_OF(NAME, TEXT)  without those for cores, which may be another's

#include "runtime/codelet.hpp"
#include "studies/frame/groups.hpp"

namespace qcd::studies
{

inline OpenclProgram program_of(const char* text)
{
    return {text, text ? "-DQCD_REAL_BITS=64" : ""};
}

} // namespace qcd::studies

#define QCD_DECLARE_STUDY_CPU_KERNEL(isa, op)                                                      \
    namespace qcd::f64::isa                                                                        \
    {                                                                                              \
    void op##_cpu(const void* args, void* const* buffers, CpuShare);                               \
    }
#define QCD_DECLARE_STUDY_KERNELS(op)                                                              \
    QCD_DECLARE_STUDY_CPU_KERNEL(generic, op)                                                      \
    QCD_DECLARE_STUDY_CPU_KERNEL(avx2, op)                                                         \
    QCD_DECLARE_STUDY_CPU_KERNEL(avx512, op)                                                       \
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
