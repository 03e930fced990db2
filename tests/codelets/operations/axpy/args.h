#pragma once

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    int blocks; // blocks of 32 lanes
    double alpha;
} axpy_args;

#ifdef __cplusplus
}
#endif
