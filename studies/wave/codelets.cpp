#include "studies/frame/registration.hpp"
#include "studies/wave/groups.hpp"
#include "studies/wave/wave.hpp"

QCD_STUDY_OPERATION(wave, wave_plain,
                    cell_operation<wave_args>(QCD_SLOT_TABLE(wave), flops_a_cell<wave_args, 19>))
QCD_STUDY_OPERATION(wave, wave_vector,
                    group_operation<wave_args, wave_vector_groups, rows_of<wave_args>>(
                        QCD_SLOT_TABLE(wave), flops_a_cell<wave_args, 19>))
QCD_STUDY_OPERATION(wave, wave_copy, cell_operation<wave_args>(QCD_SLOT_TABLE(wave_copy)))
