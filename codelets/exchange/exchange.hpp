#pragma once

#include "codelets/exchange/args.h"
#include "codelets/runtime/codelet.hpp"

namespace qcd
{

/// Workers that run tasks at the same time and write each other's memory
/// (runtime/peer_memory.hpp), CUDA devices of one host or cores, tell each other something: every
/// one copies its sources to all peers, raises flags there, waits until its own flags are raised,
/// and adds up all parts. Fails like a lost device after a minute. There is no OpenCL version.
///   [order]    W  of this worker alone: keeps its exchanges in their order
///   [sources]  R  `sources` parts of `words` 64-bit words, numbers own[] of all
///   [inbox]    R  `parts` parts of this worker's peer memory, each with a flag behind it
///   [total]    W  `words` words, the sum of all parts
///   [targets]  W  `peers` inboxes of others
const Codelet& exchange_codelet();

} // namespace qcd
