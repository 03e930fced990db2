#pragma once

#include "codelets/device/args.h"

#define QCD_HOPPING_ALL 0
#define QCD_HOPPING_INTERIOR 1
#define QCD_HOPPING_BOUNDARY 2

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    tile_shape shape;
    int parity; // of the sites of out, v and u
    int part;   // QCD_HOPPING_ALL, _INTERIOR (sites that need no face), _BOUNDARY (the others)
    int sums;   // bits QCD_SUM_*
    int add_u;  // 1: out = a o v + b o (H psi) + u
    int stream; // 1: out is stored past the caches
    chiral a, b;
} hopping_args;

enum hopping_slot {
    hopping_out,
    hopping_psi,
    hopping_links,
    hopping_links_other,
    hopping_v,
    hopping_u,
    hopping_sums,
    hopping_gate,
    hopping_faces, // 8 slots: 2*mu for the forward neighbour's face, 2*mu+1 for the backward one's
    hopping_slots = hopping_faces + 8
};

#ifdef __cplusplus
}
#endif
