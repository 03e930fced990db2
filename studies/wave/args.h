#pragma once
// A part of a field in three dimensions (contract: wave.hpp).

#include "codelets/device/lang.h"

#define QCD_WAVE_LAYERS 2 // that a cell reads in each direction
#define QCD_WAVE_WIDE 2   // cells of an item of version vector

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
