#include "studies/frame/registration.hpp"
#include "studies/sandpile/groups.hpp"
#include "studies/sandpile/operations.hpp"

namespace qcd
{

namespace
{

Slot grains(const char* name, Mode mode = Mode::reads) { return {name, "grains", mode}; }
Slot pile_faces(const char* name, Mode mode, int count = 1)
{
    return {name, "grains", mode, true, count};
}
Slot unstable() { return {"unstable", "flag", Mode::updates, true}; }

} // namespace

} // namespace qcd

QCD_STUDY_OPERATION(sandpile, pile_step,
                    cell_operation<pile_step_args>({grains("u"),
                                                    pile_faces("faces", Mode::reads, 4),
                                                    grains("next", Mode::writes), unstable()}))
QCD_STUDY_OPERATION(sandpile, pile_overlap,
                    group_operation<pile_overlap_args, pile_overlap_groups>(
                        {grains("u"), pile_faces("ahead", Mode::reads),
                         pile_faces("behind", Mode::reads), grains("next", Mode::writes),
                         unstable()}))
QCD_STUDY_OPERATION(sandpile, pile_avalanche,
                    group_operation<pile_avalanche_args, pile_avalanche_groups>(
                        {grains("u", Mode::updates),
                         pile_faces("in", Mode::updates, 4),
                         pile_faces("out", Mode::updates, 4),
                         {"report", "flags", Mode::writes}}))
