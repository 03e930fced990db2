#pragma once
// The kernels of an operation by their names: kernels are compiled once per instruction set, and
// for CUDA, each into a namespace of its own. `precision` is the namespace of one
// compilation without these: f64, ..., f64_links12, ... (codelets/device/lang.h).
//   QCD_DECLARE_KERNELS(precision, NAME)  outside of namespaces
//   QCD_CPU_KERNELS_OF(precision, NAME), QCD_CUDA_KERNEL_OF(precision, NAME)
//                                         in the order of Kernels (runtime/codelet.hpp)

#include "runtime/cpu_team.hpp"
#include "runtime/cuda_call.hpp"

#define QCD_DECLARE_CPU_KERNEL(precision, isa, op)                                                 \
    namespace qcd::precision::isa                                                                  \
    {                                                                                              \
    void op##_cpu(const void* args, void* const* buffers, CpuShare);                               \
    }
#ifdef QCD_GENERIC_KERNELS // alone: they stand for all
#define QCD_DECLARE_BETTER_CPU_KERNEL(precision, isa, op)                                          \
    namespace qcd::precision                                                                       \
    {                                                                                              \
    namespace isa = generic;                                                                       \
    }
#else
#define QCD_DECLARE_BETTER_CPU_KERNEL QCD_DECLARE_CPU_KERNEL
#endif
#define QCD_DECLARE_CUDA_KERNEL(precision, op)                                                     \
    namespace qcd::precision::gpu                                                                  \
    {                                                                                              \
    void op##_cuda(const void* args, void* const* buffers, const CudaCall&);                       \
    }
#define QCD_DECLARE_KERNELS(precision, op)                                                         \
    QCD_DECLARE_CPU_KERNEL(precision, generic, op)                                                 \
    QCD_DECLARE_BETTER_CPU_KERNEL(precision, avx2, op)                                             \
    QCD_DECLARE_BETTER_CPU_KERNEL(precision, avx512, op)                                           \
    QCD_DECLARE_CUDA_KERNEL(precision, op)

#define QCD_CPU_KERNELS_OF(precision, op)                                                          \
    precision::generic::op##_cpu, precision::avx2::op##_cpu, precision::avx512::op##_cpu
#define QCD_CUDA_KERNEL_OF(precision, op) precision::gpu::op##_cuda
