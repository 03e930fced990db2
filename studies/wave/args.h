#pragma once
// A part of a field in three dimensions (contract: wave.hpp).

#include "codelets/device/lang.h"

#define QCD_WAVE_LAYERS 2 // that a cell reads in each direction
// A group of version vector on devices: columns in x and y, and how far it goes along z.
#define QCD_WAVE_WIDE 32
#define QCD_WAVE_HIGH 8
#define QCD_WAVE_DEEP 16

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    int n[3];
    double courant2; // (c dt / h)^2
} wave_args;

enum { wave_u, wave_faces, wave_before = wave_faces + 6, wave_slots };
enum { wave_copy_from, wave_copy_to };

#ifdef __cplusplus
}
#endif
