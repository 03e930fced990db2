#pragma once

#include "codelets/coefficients/args.h"
#include "codelets/device/exact_sum.h"

#define QCD_MOST_PEERS 7 // of one worker
// Words that one worker sends to another: both sets of sums.
#define QCD_SENT_SUMS (2 * QCD_TASK_SUM_WORDS)

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    coefficients_args step;
    unsigned number; // of this exchange, from 1 on
    int peers;
} linked_coefficients_args;

/// The first slots are those of coefficients.
enum linked_coefficients_slot {
    linked_coefficients_order = coefficients_slots,
    linked_coefficients_more_a,
    linked_coefficients_more_b,
    linked_coefficients_inbox,
    linked_coefficients_outbox,
    linked_coefficients_slots = linked_coefficients_outbox + QCD_MOST_PEERS
};

#ifdef __cplusplus
}
#endif
