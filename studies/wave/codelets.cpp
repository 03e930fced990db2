#include "studies/frame/registration.hpp"
#include "studies/wave/groups.hpp"
#include "studies/wave/wave.hpp"

QCD_DECLARE_STUDY_KERNELS(wave_plain)
QCD_DECLARE_STUDY_KERNELS(wave_vector)
QCD_DECLARE_STUDY_KERNELS(wave_copy)

QCD_STUDY_TEXT(wave)

namespace qcd
{

namespace
{

using studies::StudyCodelet;

int wave_rows_of(const wave_args& a) { return a.n[1] * a.n[2]; }
double wave_flops(const wave_args& a) { return 19.0 * a.n[0] * wave_rows_of(a); }

template <WorkGroups groups(const wave_args&)>
Operation wave_step(const char* name)
{
    return studies::study_operation<wave_args, wave_rows_of, groups, wave_flops>(
        name, {{"u", "field"},
               {"faces", "field", Mode::reads, true, 6},
               {"before", "field", Mode::updates}});
}

} // namespace

const Codelet& wave_codelet(bool vector)
{
    static const StudyCodelet plain_step(wave_step<wave_plain_groups>("wave_plain"),
                                         QCD_STUDY_KERNELS_OF(wave_plain, wave_text)),
        vector_step(wave_step<wave_vector_groups>("wave_vector"),
                    QCD_STUDY_KERNELS_OF(wave_vector, wave_text));
    return vector ? vector_step.codelet : plain_step.codelet;
}

const Codelet& wave_copy_codelet()
{
    static const StudyCodelet own(
        studies::study_operation<wave_args, wave_rows_of, wave_plain_groups>(
            "wave_copy", {{"from", "field"}, {"to", "field", Mode::writes}}),
        QCD_STUDY_KERNELS_OF(wave_copy, wave_text));
    return own.codelet;
}

} // namespace qcd
