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

#ifdef __cplusplus
}
#endif
