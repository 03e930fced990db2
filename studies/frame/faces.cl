#include "studies/frame/dialect.h"
#include "studies/frame/faces.h"

__kernel void faces_kernel(faces_args a, QCD_GLOBAL const int* u, QCD_GLOBAL int* face0,
                           QCD_GLOBAL int* face1, QCD_GLOBAL int* face2, QCD_GLOBAL int* face3,
                           QCD_GLOBAL int* face4, QCD_GLOBAL int* face5)
{
    const faces_buffers f = {u, {face0, face1, face2, face3, face4, face5}};
    QCD_STUDY_CELL(faces, a, f);
}
