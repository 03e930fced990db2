#include "studies/frame/faces.h"

__kernel void faces_kernel(study_faces_args a, QCD_GLOBAL const int* u, QCD_GLOBAL int* face0,
                           QCD_GLOBAL int* face1, QCD_GLOBAL int* face2, QCD_GLOBAL int* face3,
                           QCD_GLOBAL int* face4, QCD_GLOBAL int* face5)
{
    const study_faces_buffers f = {u, face0, face1, face2, face3, face4, face5};
    const int item = (int)get_global_id(0), columns = study_faces_columns(a), y = item / columns;
    if (y < study_faces_rows(a)) study_faces_cell(a, f, item % columns, y);
}
