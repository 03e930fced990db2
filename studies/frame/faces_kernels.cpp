#include "studies/frame/faces.h"
#include "studies/frame/kernels.hpp"

QCD_CELL_KERNELS(study_faces)
