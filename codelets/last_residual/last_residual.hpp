#pragma once

#include "codelets/last_residual/args.h"
#include "codelets/launch/scalar_codelets.hpp"

namespace qcd
{

/// |r|^2 alone, of any method's scalars, after the last iteration: closes the gate as the next step
/// would (device/scalar_step.h).
///   a: absent; b: the update that made r
const ScalarCodelets& last_residual_codelets();

} // namespace qcd
