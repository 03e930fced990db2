#pragma once

#include "codelets/linked_hop/slots.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// A hop (hopping.hpp) of one of several workers that run at the same time and write each other's
/// memory (runtime/peer_memory.hpp): it packs the faces of psi (pack_faces.hpp) into the
/// neighbours' memory, raises flags there, and computes blocks that need faces when their flags
/// are up. On a GPU other blocks are computed meanwhile; a core, of workers of one core, waits for
/// all. Flags are raised and awaited behind a closed gate, too.
///   slots of hopping.hpp, [faces] being this worker's peer memory: half spinors with flags behind
///   them (device/faces.h)
///   [order]         W  of this worker alone: keeps its exchanges in their order
///   [outbox 2mu]    W  peer memory of the tile at -mu: its faces 2mu; where shape.cut[mu]
///   [outbox 2mu+1]  W  peer memory of the tile at +mu: its faces 2mu+1; where shape.cut[mu]
/// A face may be overwritten by the hop after the next one: a worker that has seen the flags of a
/// hop knows that their senders have finished the hop before. There is no OpenCL version.
const Codelet& linked_hop_codelet(Precision, LinkStorage = LinkStorage::full);

} // namespace qcd
