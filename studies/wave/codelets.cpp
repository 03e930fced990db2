#include "studies/frame/registration.hpp"
#include "studies/wave/groups.hpp"
#include "studies/wave/wave.hpp"

namespace qcd
{

namespace
{

std::vector<Slot> wave_slots()
{
    return {{"u", "field"},
            {"faces", "field", Mode::reads, true, 6},
            {"before", "field", Mode::updates}};
}

} // namespace

} // namespace qcd

QCD_STUDY_OPERATION(wave, wave_plain,
                    cell_operation<wave_args>(wave_slots(), flops_a_cell<wave_args, 19>))
QCD_STUDY_OPERATION(wave, wave_vector,
                    group_operation<wave_args, wave_vector_groups, rows_of<wave_args>>(
                        wave_slots(), flops_a_cell<wave_args, 19>))
QCD_STUDY_OPERATION(wave, wave_copy,
                    cell_operation<wave_args>({{"from", "field"}, {"to", "field", Mode::writes}}))
