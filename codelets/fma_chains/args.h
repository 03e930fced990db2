#pragma once

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    int blocks; // blocks of 32 lanes
    int steps;
    double a, b;
} fma_chains_args;

enum fma_chains_slot { fma_chains_x, fma_chains_slots };

#ifdef __cplusplus
}
#endif
