#pragma once

#include "codelets/device/args.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    tile_shape shape;
    int parity;   // of the sites of psi
    int negate_t; // as in hopping/args.h
} pack_faces_args;

#ifdef __cplusplus
}
#endif
