#pragma once

#include "codelets/device/sent_word.h"
#include "codelets/linked_coefficients/args.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// The scalars of an iteration (coefficients.hpp) on one of several workers that run at the same
/// time and write each other's memory (runtime/peer_memory.hpp). Each has sums over its own sites:
/// it sends them to all peers, adds up its own and theirs, and computes the scalars from that,
/// which are then the same everywhere. Sums are sent and awaited behind a closed gate, too. Fails
/// like a lost device after an hour.
///   slots of coefficients.hpp, the sums being those of this worker (a or b at least), and
///   [order]         W  of this worker alone: keeps its exchanges in their order
///   [more_a] [more_b] R 5 exact accumulators each, to be added to a and b; may be absent; cleared
///                      in a batch as a and b are
///   [inbox]         R  this worker's peer memory: for each peer QCD_SENT_SUMS sent_words
///   [outbox i]      W  the place of this worker's sums in the inbox of peer i
/// An inbox may be written by the exchange after the next one: a worker that has the sums of an
/// exchange knows that their senders have read those of the exchange before. There is no OpenCL
/// version.
const Codelet& linked_coefficients_codelet();

} // namespace qcd
