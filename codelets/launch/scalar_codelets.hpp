#pragma once

#include "codelets/device/scalar_step.h"
#include "runtime/codelet.hpp"

namespace qcd
{

/// A scalar operation (device/scalar_step.h) as it is, and that of linked workers
/// (device/linked_step.h).
struct ScalarCodelets {
    const Codelet &alone, &linked;
};

} // namespace qcd
