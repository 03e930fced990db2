#pragma once

#include "codelets/device/exact_sum.h"

#define QCD_MOST_PEERS 7   // of one worker
#define QCD_MOST_SOURCES 2 // parts of sums: one for each parity

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    long long count; // what the flags become, and must have become
    int words;       // of a part, 64 bits each; its flag is the next word
    int stride;      // words from part to part of an inbox
    int parts;       // of the own inbox
    int peers;       // targets
    int sources;
    int own[QCD_MOST_SOURCES]; // numbers of the sources among the parts
} exchange_args;

enum exchange_slot {
    exchange_order,
    exchange_sources,
    exchange_inbox = exchange_sources + QCD_MOST_SOURCES,
    exchange_total,
    exchange_targets,
    exchange_slots = exchange_targets + QCD_MOST_PEERS
};

#ifdef __cplusplus
}
#endif
