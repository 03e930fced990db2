#pragma once

#include "codelets/ladder/ladder_quotient/slots.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// quotient <- conj(a) / b; 0 where b = 0. Of alpha, conj((r|Ar)) / |Ap|^2, and beta,
/// conj((r|Ar)) / (r|Ar)_before (docs/conventions.md, erratum).
///   [quotient] W  1 complex number in double
///   [a] [b]    R  1 complex number in double
const Codelet& ladder_quotient_codelet(Precision);

} // namespace qcd
