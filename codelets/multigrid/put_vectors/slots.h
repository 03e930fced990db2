#pragma once

#include "codelets/device/args.h"
#include "codelets/device/slots.h"

QCD_PLAIN_BEGIN

typedef struct {
    int blocks; // of a field
    int first, vectors;
} put_vectors_args;

QCD_PLAIN_END

#define QCD_SLOTS_put_vectors(S, op)                                                               \
    S(op, basis, updates, basis, real, required)                                                   \
    S(op, in, reads, spinor, real, required)

QCD_DECLARE_SLOTS(put_vectors)
