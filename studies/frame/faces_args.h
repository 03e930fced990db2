#pragma once

#include "codelets/device/lang.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    int n[3];      // words in x, cells in y, z
    int layers[3]; // of a face, in the same; 0: no face
} study_faces_args;

enum { study_faces_u, study_faces_faces, study_faces_slots = study_faces_faces + 6 };

#ifdef __cplusplus
}
#endif
