#include "studies/frame/faces.hpp"

#include "studies/frame/registration.hpp"

QCD_STUDY_OPERATION(
    faces, faces,
    urgent(cell_operation<faces_args>({{.name = "u", .holds = "cells", .share = 0},
                                       {"faces", "cells", Mode::writes, true, 6}})))
