#pragma once

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    int blocks; // blocks of 32 lanes
} count_blocks_args;

enum count_blocks_slot { count_blocks_times, count_blocks_slots };

#ifdef __cplusplus
}
#endif
