#pragma once

#define QCD_MERGE_FAN_IN 14

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    int parts; // filled slots from merge_sums_parts on
} merge_sums_args;

#ifdef __cplusplus
}
#endif
