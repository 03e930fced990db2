#pragma once

#include "codelets/device/args.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    int blocks; // blocks of 32 lanes
} gcr_products_args;

enum gcr_products_slot {
    gcr_products_Az,
    gcr_products_q0,
    gcr_products_q1,
    gcr_products_scalars,
    gcr_products_sums,
    gcr_products_slots
};

#ifdef __cplusplus
}
#endif
