#pragma once
// A study's codelets.cpp: for each operation one line outside of namespaces, which defines
// NAME_codelet(),
//   QCD_STUDY_OPERATION(STUDY, NAME, ...)  of what cell_operation() or group_operation() make, with
//                                          kernels for cores, for CUDA and, in the OpenCL text of
//                                          STUDY, for OpenCL
//   QCD_STUDY_CODELET(NAME, KERNELS, ...)  with any Kernels

#include "runtime/codelet.hpp"
#include "runtime/kernel_declarations.hpp"
#include "runtime/slot_table.hpp"
#include "studies/frame/groups.hpp"

#include <utility>

namespace qcd::slot
{
inline constexpr Slot field{.holds = "field"}; ///< of cells; others are a study's own
}

namespace qcd::studies
{

template <class Args>
int rows_of(const Args& a)
{
    return a.rows;
}
template <class Args, WorkGroups groups(const Args&)>
int groups_of(const Args& a)
{
    return groups(a).count;
}
/// Operation::flops of so many a cell of Args' columns and rows.
template <class Args, int flops>
double flops_a_cell(const void* args, unsigned)
{
    const auto& a = *static_cast<const Args*>(args);
    return double(flops) * a.columns * a.rows;
}

/// Where the groups of devices are groups(args), and cores share so many blocks.
template <class Args, WorkGroups groups(const Args&),
          int shared(const Args&) = groups_of<Args, groups>>
Operation group_operation(std::vector<Slot> slots, double (*flops)(const void*, unsigned) = nullptr)
{
    return {.name = nullptr, // StudyCodelet
            .args_size = sizeof(Args),
            .slots = std::move(slots),
            .blocks = [](const void* a) { return shared(*static_cast<const Args*>(a)); },
            .flops = flops,
            .groups = [](int, const void* a) { return groups(*static_cast<const Args*>(a)); },
            .sweeps = false};
}

/// Where devices have an item for each cell of Args' columns and rows, and cores share rows.
template <class Args>
Operation cell_operation(std::vector<Slot> slots, double (*flops)(const void*, unsigned) = nullptr)
{
    return group_operation<Args, cell_groups<Args>, rows_of<Args>>(std::move(slots), flops);
}

inline Operation urgent(Operation o)
{
    o.urgent = true;
    return o;
}

/// A codelet and the operation that it refers to, so that neither may move.
struct StudyCodelet {
    StudyCodelet(const char* name, Kernels kernels, Operation of)
        : operation([&] {
              of.name = name;
              return std::move(of);
          }()),
          codelet(operation, 0, name, std::move(kernels))
    {
    }
    const Operation operation;
    const Codelet codelet;
};

} // namespace qcd::studies

#ifdef QCD_WITH_OPENCL
#define QCD_DECLARE_STUDY_TEXT(study) extern const char qcd_opencl_##study[];
#define QCD_STUDY_PROGRAM(study)                                                                   \
    {                                                                                              \
        qcd_opencl_##study, "-DQCD_PRECISION=f64"                                                  \
    }
#else
#define QCD_DECLARE_STUDY_TEXT(study)
#define QCD_STUDY_PROGRAM(study)                                                                   \
    {                                                                                              \
    }
#endif
#ifdef QCD_WITH_CUDA
#define QCD_STUDY_CUDA_KERNEL(op) QCD_CUDA_KERNEL_OF(f64, op)
#else
#define QCD_STUDY_CUDA_KERNEL(op)
#endif

/// Registers the kernels of two operations, where cores have not the kernel of the same one.
#define QCD_STUDY_KERNELS(study, on_cores, on_devices)                                             \
    {                                                                                              \
        {QCD_CPU_KERNELS_OF(f64, on_cores)}, {QCD_STUDY_CUDA_KERNEL(on_devices)},                  \
            QCD_STUDY_PROGRAM(study)                                                               \
    }

#define QCD_STUDY_CODELET(op, kernels, ...)                                                        \
    const qcd::Codelet& qcd::op##_codelet()                                                        \
    {                                                                                              \
        using namespace studies;                                                                   \
        static const StudyCodelet own(#op, kernels, __VA_ARGS__);                                  \
        return own.codelet;                                                                        \
    }

#define QCD_STUDY_OPERATION(study, op, ...)                                                        \
    QCD_DECLARE_KERNELS(f64, op)                                                                   \
    QCD_DECLARE_STUDY_TEXT(study)                                                                  \
    QCD_STUDY_CODELET(op, QCD_STUDY_KERNELS(study, op, op), __VA_ARGS__)
