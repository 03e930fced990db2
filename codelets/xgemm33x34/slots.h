#pragma once

#include "codelets/device/args.h"
#include "codelets/device/slots.h"

QCD_PLAIN_BEGIN

typedef struct {
    int blocks; // blocks of 32 lanes
    int mu;     // 0 to 3
    int dagger; // 1: U^dagger
} xgemm33x34_args;

QCD_PLAIN_END

#define QCD_SLOTS_xgemm33x34(S, op)                                                                \
    S(op, out, writes, spinor, real, required)                                                     \
    S(op, links, reads_one_of(4), links, real, required)                                           \
    S(op, psi, reads, spinor, real, required)

QCD_DECLARE_SLOTS(xgemm33x34)
