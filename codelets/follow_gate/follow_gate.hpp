#pragma once

#include "codelets/follow_gate/slots.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// The gate of a method inside of another: closed where that of the outer one is, so that nothing
/// is done that nobody will use.
///   [inner]  RW  any method's, of the inner one, one for each right-hand side
///   [outer]  R   any method's, of the outer one, likewise
const Codelet& follow_gate_codelet();

} // namespace qcd
