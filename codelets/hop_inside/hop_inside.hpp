#pragma once

#include "codelets/hop_inside/slots.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// A hop (hopping.hpp) on the blocks of a tile that need no late face (hopping/parts.h): it can run
/// while these travel. args.part is QCD_HOP_INSIDE.
///   slots of hopping.hpp; late faces are absent
///   [out]  W  other blocks are left undefined
///   [sums] W  the inside's
/// hop_border makes the rest; together they are the hop, bit by bit.
/// Cost: a hop's, of the inside's sites.
const Codelet& hop_inside_codelet(Precision, LinkStorage = LinkStorage::full);

} // namespace qcd
