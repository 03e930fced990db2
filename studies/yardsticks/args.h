#pragma once
// Arrays of rows x columns reals, and pairs (contract: yardsticks.hpp).

#include "codelets/device/lang.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef enum { stream_fill, stream_copy, stream_scale, stream_add, stream_triad } stream_kind;

typedef struct {
    int columns, rows;
    int kind;
    double s;
} stream_args;

typedef struct {
    int pairs;
} sort_args;

enum { sort_keys, sort_values };

#ifdef __cplusplus
}
#endif
