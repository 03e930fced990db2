#pragma once

#include "codelets/hop_border/slots.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// The rest of a hop (hopping.hpp) of which hop_inside has made a part: the blocks of a tile that
/// need a late face (hopping/parts.h). args.part is QCD_HOP_BORDER.
///   slots of hopping.hpp, but
///   [out]  RW  the inside stays as it is
///   [sums] RW  the border's are added; stay behind a closed gate
/// Cost: a hop's, of the border's sites.
const Codelet& hop_border_codelet(Precision, LinkStorage = LinkStorage::full);

} // namespace qcd
