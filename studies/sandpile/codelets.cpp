#include "studies/frame/registration.hpp"
#include "studies/sandpile/groups.hpp"
#include "studies/sandpile/operations.hpp"

namespace qcd::slot
{
inline constexpr Slot grains{.holds = "grains"}, flag{.holds = "flag"}, flags{.holds = "flags"};
}

QCD_STUDY_OPERATION(sandpile, pile_step, cell_operation<pile_step_args>(QCD_SLOT_TABLE(pile_step)))
QCD_STUDY_OPERATION(
    sandpile, pile_overlap,
    group_operation<pile_overlap_args, pile_overlap_groups>(QCD_SLOT_TABLE(pile_overlap)))
QCD_STUDY_OPERATION(
    sandpile, pile_avalanche,
    group_operation<pile_avalanche_args, pile_avalanche_groups>(QCD_SLOT_TABLE(pile_avalanche)))
