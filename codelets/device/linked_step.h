#pragma once
// A scalar operation on one of several workers that run at the same time and write each other's
// memory (runtime/peer_memory.hpp): linked_NAME. Each has sums over its own sites: it sends them to
// all peers, adds up its own and theirs, and makes the step (scalar_step.h) with that, which is
// then the same everywhere. Sums are sent and awaited behind a closed gate, too. Fails like a lost
// device after an hour.
//   slots of scalar_step.h, the sums being those of this worker (a or b at least), and
//   [order]      W  of this worker alone: keeps its exchanges in their order
//   [more_a] [more_b]  R  5 exact accumulators each, to be added to a and b; may be absent;
//                   cleared in a batch as a and b are
//   [inbox]      R  this worker's peer memory: for each right-hand side, of each peer QCD_SENT_SUMS
//                   sent_words
//   [outbox i]   W  the place of this worker's first sums in the inbox of peer i
// An inbox may be written by the exchange after the next one: a worker that has the sums of an
// exchange knows that their senders have read those of the exchange before. There is no OpenCL
// version.

#include "codelets/device/scalar_step.h"
#include "codelets/device/sent_word.h"

#define QCD_MOST_PEERS 7 // of one worker
// Words that one worker sends to another: both sets of sums.
#define QCD_SENT_SUMS (2 * QCD_TASK_SUM_WORDS)

#define QCD_SLOTS_linked_step(S, op)                                                               \
    QCD_SLOTS_scalar_step(S, op) S(op, order, writes, order, void, required)                       \
        S(op, more_a, reads, sums, i64, optional) S(op, more_b, reads, sums, i64, optional)        \
            S(op, inbox, reads, peer_memory, sent_word, required)                                  \
                S(op, outbox, writes, peer_memory, sent_word, several(QCD_MOST_PEERS))
QCD_SLOT_ENUM(linked_step)

QCD_PLAIN_BEGIN

typedef struct {
    scalar_step_args step;
    unsigned number; // of this exchange, from 1 on
    int peers;
} linked_step_args;

/// Where the sums of a right-hand side from a peer begin in an inbox, in sent_words.
QCD_FN int sent_sums_place(int peers, int rhs, int peer)
{
    return (rhs * peers + peer) * QCD_SENT_SUMS;
}

QCD_PLAIN_END
