#include "studies/frame/faces.hpp"

#include "studies/frame/registration.hpp"

namespace qcd::slot
{
inline constexpr Slot cells{.holds = "cells"};
}

QCD_STUDY_OPERATION(frame, faces, urgent(cell_operation<faces_args>(QCD_SLOT_TABLE(faces))))
