#include "studies/frame/faces.h"

QCD_DEVICE_CELL_KERNELS(faces, faces_args, faces)
