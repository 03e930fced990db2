#pragma once

#include "codelets/multigrid/put_vectors/slots.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// Right-hand side r of a field becomes basis vector first + r, for those below `vectors`.
///   [basis] RW  so many fields of the level, one behind the other
///   [in]    R   field of the level
const Codelet& put_vectors_codelet(Precision);

} // namespace qcd
