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

/// The first slots are those of hopping.
enum linked_hop_slot {
    linked_hop_order = hopping_slots,
    linked_hop_outbox, // 8 slots: 2*mu for the lower face, 2*mu+1 for the upper one
    linked_hop_slots = linked_hop_outbox + 8
};

#ifdef __cplusplus
}
#endif
