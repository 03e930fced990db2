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

enum pack_faces_slot {
    pack_faces_psi,
    pack_faces_links,
    pack_faces_gate,
    pack_faces_faces, // 8 slots: 2*mu for the lower face, 2*mu+1 for the upper one
    pack_faces_slots = pack_faces_faces + 8
};

#ifdef __cplusplus
}
#endif
