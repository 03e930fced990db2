#include "studies/frame/registration.hpp"
#include "studies/sandpile/groups.hpp"
#include "studies/sandpile/operations.hpp"

#ifdef QCD_WITH_CUDA
#include <cuda_runtime_api.h>
#endif

QCD_DECLARE_STUDY_KERNELS(pile_step)
QCD_DECLARE_STUDY_KERNELS(pile_overlap)
QCD_DECLARE_STUDY_KERNELS(pile_avalanche)

QCD_STUDY_TEXT(sandpile)

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

int pile_rows(const pile_step_args& a) { return a.ny; }
WorkGroups pile_step_groups(const pile_step_args& a) { return studies::cell_groups(a.nx, a.ny); }
int pile_blocks(const pile_overlap_args& a) { return pile_overlap_groups(a).count; }
int pile_itself(const pile_avalanche_args&) { return 1; }

#define QCD_PILE_KERNELS_OF(op)                                                                    \
    Kernels                                                                                        \
    {                                                                                              \
        {with_flag_cleared<f64::generic::op##_cpu, op##_unstable>,                                 \
         with_flag_cleared<f64::avx2::op##_cpu, op##_unstable>,                                    \
         with_flag_cleared<f64::avx512::op##_cpu, op##_unstable>},                                 \
            QCD_PILE_CUDA_OF(op), studies::program_of(sandpile_text)                               \
    }

} // namespace

const Codelet& pile_step_codelet()
{
    static const studies::StudyCodelet own(
        studies::study_operation<pile_step_args, pile_rows, pile_step_groups>(
            "pile_step", {grains("u"), faces("faces", Mode::reads, 4), grains("next", Mode::writes),
                          unstable()}),
        QCD_PILE_KERNELS_OF(pile_step));
    return own.codelet;
}

const Codelet& pile_overlap_codelet()
{
    static const studies::StudyCodelet own(
        studies::study_operation<pile_overlap_args, pile_blocks, pile_overlap_groups>(
            "pile_overlap",
            {grains("u"), faces("ahead", Mode::reads, 1), faces("behind", Mode::reads, 1),
             grains("next", Mode::writes), unstable()}),
        QCD_PILE_KERNELS_OF(pile_overlap));
    return own.codelet;
}

const Codelet& pile_avalanche_codelet()
{
    static const studies::StudyCodelet own(
        studies::study_operation<pile_avalanche_args, pile_itself, pile_avalanche_groups>(
            "pile_avalanche", {grains("u", Mode::updates),
                               faces("in", Mode::updates, 4),
                               faces("out", Mode::updates, 4),
                               {"report", "flags", Mode::writes}}),
        QCD_STUDY_KERNELS_OF(pile_avalanche, sandpile_text));
    return own.codelet;
}

} // namespace qcd
