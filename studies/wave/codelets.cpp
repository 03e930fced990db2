#include "studies/frame/registration.hpp"
#include "studies/wave/args.h"
#include "studies/wave/wave.hpp"

QCD_DECLARE_STUDY_KERNELS(wave_plain)
QCD_DECLARE_STUDY_KERNELS(wave_vector)
QCD_DECLARE_STUDY_KERNELS(wave_copy)

#ifdef QCD_WITH_OPENCL
extern const char qcd_opencl_wave[];
#define QCD_WAVE_TEXT qcd_opencl_wave
#else
#define QCD_WAVE_TEXT nullptr
#endif

namespace qcd
{

namespace
{

const wave_args& wave_args_of(const void* args) { return *static_cast<const wave_args*>(args); }
int wave_rows_of(const void* args) { return wave_args_of(args).n[1] * wave_args_of(args).n[2]; }

template <int wide>
WorkGroups wave_groups(int, const void* args)
{
    return studies::cell_groups((wave_args_of(args).n[0] + wide - 1) / wide, wave_rows_of(args));
}

Operation wave_step(const char* name, WorkGroups (*groups)(int, const void*))
{
    return {.name = name,
            .args_size = sizeof(wave_args),
            .slots = {{"u", "field"},
                      {"faces", "field", Mode::reads, true, 6},
                      {"before", "field", Mode::updates}},
            .blocks = wave_rows_of,
            .flops = [](const void* args,
                        unsigned) { return 19.0 * wave_args_of(args).n[0] * wave_rows_of(args); },
            .groups = groups,
            .sweeps = false};
}

} // namespace

const Codelet& wave_codelet(bool vector)
{
    static const Operation plain_step = wave_step("wave_plain", wave_groups<1>),
                           vector_step = wave_step("wave_vector", wave_groups<QCD_WAVE_WIDE>);
    static const Codelet plain_codelet(plain_step, 0, plain_step.name,
                                       QCD_STUDY_KERNELS_OF(wave_plain, QCD_WAVE_TEXT)),
        vector_codelet(vector_step, 0, vector_step.name,
                       QCD_STUDY_KERNELS_OF(wave_vector, QCD_WAVE_TEXT));
    return vector ? vector_codelet : plain_codelet;
}

const Codelet& wave_copy_codelet()
{
    static const Operation operation{.name = "wave_copy",
                                     .args_size = sizeof(wave_args),
                                     .slots = {{"from", "field"}, {"to", "field", Mode::writes}},
                                     .blocks = wave_rows_of,
                                     .groups = wave_groups<1>,
                                     .sweeps = false};
    static const Codelet codelet(operation, 0, operation.name,
                                 QCD_STUDY_KERNELS_OF(wave_copy, QCD_WAVE_TEXT));
    return codelet;
}

} // namespace qcd
