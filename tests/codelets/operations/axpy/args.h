#pragma once

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    int blocks; // blocks of 32 lanes
    double alpha;
} axpy_args;

enum axpy_slot { axpy_x, axpy_y, axpy_slots };

#ifdef __cplusplus
}
#endif
