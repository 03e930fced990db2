#pragma once
// Arrays of rows x columns reals, and pairs (contract: yardsticks.hpp).

#include "codelets/device/slots.h"

QCD_PLAIN_BEGIN

typedef enum { stream_fill, stream_copy, stream_scale, stream_add, stream_triad } stream_kind;

typedef struct {
    int columns, rows;
    int kind;
    double s;
} stream_args;

typedef struct {
    int pairs;
} sort_args;

QCD_PLAIN_END

#define QCD_SLOTS_stream(S, op)                                                                    \
    S(op, to, writes, reals, real, required)                                                       \
    S(op, x, reads, reals, real, optional)                                                         \
    S(op, y, reads, reals, real, optional)
QCD_DECLARE_SLOTS(stream)

#define QCD_SLOTS_sort(S, op)                                                                      \
    S(op, keys, updates, integers, unsigned, required)                                             \
    S(op, values, updates, integers, unsigned, required)
QCD_DECLARE_SLOTS(sort)
