#pragma once
// A part of a field in three dimensions (contract: wave.hpp).

#include "codelets/device/slots.h"

#define QCD_WAVE_LAYERS 2 // that a cell reads in each direction
// A group of version vector on devices: columns in x and y, and how far it goes along z.
#define QCD_WAVE_WIDE 32
#define QCD_WAVE_HIGH 8
#define QCD_WAVE_DEEP 16

QCD_PLAIN_BEGIN

typedef struct {
    int columns, rows; // n[0], n[1] n[2]
    int n[3];
    double courant2; // (c dt / h)^2
} wave_args;

QCD_PLAIN_END

#define QCD_SLOTS_wave(S, op)                                                                      \
    S(op, u, reads, field, real, required)                                                         \
    S(op, faces, reads, field, real, several(6))                                                   \
    S(op, before, updates, field, real, required)
QCD_DECLARE_SLOTS(wave)

#define QCD_SLOTS_wave_copy(S, op)                                                                 \
    S(op, from, reads, field, real, required)                                                      \
    S(op, to, writes, field, real, required)
QCD_DECLARE_SLOTS(wave_copy)
