#include "studies/frame/registration.hpp"
#include "studies/sandpile/groups.hpp"
#include "studies/sandpile/operations.hpp"

#ifdef QCD_WITH_CUDA
#include <cuda_runtime_api.h>
#endif

QCD_DECLARE_STUDY_KERNELS(pile_step)
QCD_DECLARE_STUDY_KERNELS(pile_overlap)
QCD_DECLARE_STUDY_KERNELS(pile_avalanche)

#ifdef QCD_WITH_OPENCL
extern const char qcd_opencl_sandpile[];
#define QCD_SANDPILE_TEXT qcd_opencl_sandpile
#else
#define QCD_SANDPILE_TEXT nullptr
#endif

namespace qcd
{

namespace
{

Slot grains(const char* name, Mode mode = Mode::reads) { return {name, "grains", mode}; }
Slot faces(const char* name, Mode mode, int count) { return {name, "grains", mode, true, count}; }
Slot unstable()
{
    return {.name = "unstable",
            .holds = "flag",
            .mode = Mode::writes,
            .optional = true,
            .added_to = sizeof(int)};
}

/// The kernel for cores adds to the flag, too, when it has the whole part to itself.
template <CpuKernel kernel, int flag>
void with_flag_cleared(const void* args, void* const* buffers, CpuShare share)
{
    if (share.count == 1 && buffers[flag]) *static_cast<int*>(buffers[flag]) = 0;
    kernel(args, buffers, share);
}

#ifdef QCD_WITH_CUDA
/// The same on a device, where it is one of several groups that add to it.
template <CudaKernel kernel, int flag>
void with_flag_zeroed(const void* args, void* const* buffers, const CudaCall& call)
{
    if (buffers[flag] && !call.is_zero)
        cudaMemsetAsync(buffers[flag], 0, sizeof(int), call.stream); // failing, it is found later
    kernel(args, buffers, call);
}
#define QCD_PILE_CUDA_OF(op)                                                                       \
    {                                                                                              \
        with_flag_zeroed<f64::rows64::op##_cuda, op##_unstable>,                                   \
            with_flag_zeroed<f64::rows64::op##_cuda, op##_unstable>                                \
    }
#else
#define QCD_PILE_CUDA_OF(op)                                                                       \
    {                                                                                              \
    }
#endif

template <class Args>
int pile_rows(const void* args)
{
    return static_cast<const Args*>(args)->ny;
}

} // namespace

const Codelet& pile_step_codelet()
{
    static const Operation operation{.name = "pile_step",
                                     .args_size = sizeof(pile_step_args),
                                     .slots = {grains("u"), faces("faces", Mode::reads, 4),
                                               grains("next", Mode::writes), unstable()},
                                     .blocks = pile_rows<pile_step_args>,
                                     .groups =
                                         [](int, const void* args) {
                                             const auto& a =
                                                 *static_cast<const pile_step_args*>(args);
                                             return studies::cell_groups(a.nx, a.ny);
                                         },
                                     .sweeps = false};
    static const Codelet codelet(
        operation, 0, operation.name,
        {{with_flag_cleared<f64::generic::pile_step_cpu, pile_step_unstable>,
          with_flag_cleared<f64::avx2::pile_step_cpu, pile_step_unstable>,
          with_flag_cleared<f64::avx512::pile_step_cpu, pile_step_unstable>},
         QCD_PILE_CUDA_OF(pile_step),
         studies::program_of(QCD_SANDPILE_TEXT)});
    return codelet;
}

const Codelet& pile_overlap_codelet()
{
    static const Operation operation{
        .name = "pile_overlap",
        .args_size = sizeof(pile_overlap_args),
        .slots = {grains("u"), faces("ahead", Mode::reads, 1), faces("behind", Mode::reads, 1),
                  grains("next", Mode::writes), unstable()},
        .blocks =
            [](const void* args) {
                return pile_overlap_groups(*static_cast<const pile_overlap_args*>(args)).count;
            },
        .groups =
            [](int, const void* args) {
                return pile_overlap_groups(*static_cast<const pile_overlap_args*>(args));
            },
        .sweeps = false};
    static const Codelet codelet(
        operation, 0, operation.name,
        {{with_flag_cleared<f64::generic::pile_overlap_cpu, pile_overlap_unstable>,
          with_flag_cleared<f64::avx2::pile_overlap_cpu, pile_overlap_unstable>,
          with_flag_cleared<f64::avx512::pile_overlap_cpu, pile_overlap_unstable>},
         QCD_PILE_CUDA_OF(pile_overlap),
         studies::program_of(QCD_SANDPILE_TEXT)});
    return codelet;
}

const Codelet& pile_avalanche_codelet()
{
    static const Operation operation{.name = "pile_avalanche",
                                     .args_size = sizeof(pile_avalanche_args),
                                     .slots = {grains("u", Mode::updates),
                                               faces("in", Mode::updates, 4),
                                               faces("out", Mode::updates, 4),
                                               {"report", "flags", Mode::writes}},
                                     .blocks = [](const void*) { return 1; },
                                     .groups =
                                         [](int, const void* args) {
                                             return pile_avalanche_groups(
                                                 *static_cast<const pile_avalanche_args*>(args));
                                         },
                                     .sweeps = false};
    static const Codelet codelet(operation, 0, operation.name,
                                 QCD_STUDY_KERNELS_OF(pile_avalanche, QCD_SANDPILE_TEXT));
    return codelet;
}

} // namespace qcd
