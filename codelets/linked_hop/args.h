#pragma once

#include "codelets/hopping/args.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    hopping_args hop;
    long long count; // what the flags of faces become, and must have become
} linked_hop_args;

#ifdef __cplusplus
}
#endif
