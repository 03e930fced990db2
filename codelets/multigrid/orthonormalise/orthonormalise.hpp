#pragma once

#include "codelets/multigrid/orthonormalise/slots.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// Makes the basis vectors orthonormal in each aggregate and chirality: Gram and Schmidt, twice, in
/// the order of the vectors; one that is 0 then stays 0. Products are summed up as restrict/ does.
///   [basis] RW  n fields of the level, one behind the other
const Codelet& orthonormalise_codelet(Precision);

} // namespace qcd
