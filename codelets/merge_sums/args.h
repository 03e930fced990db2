#pragma once

#define QCD_MERGE_FAN_IN 14

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    int parts; // filled slots from merge_sums_parts on
} merge_sums_args;

enum merge_sums_slot {
    merge_sums_out,
    merge_sums_parts,
    merge_sums_slots = merge_sums_parts + QCD_MERGE_FAN_IN
};

#ifdef __cplusplus
}
#endif
