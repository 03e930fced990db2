#pragma once

#include "runtime/codelet.hpp"

namespace qcd
{

/// Throws Error, one line, where a work group of the call (Operation::groups) has more items, or
/// more local memory, than a device worker of this run can give it.
void require_groups_fit(const Codelet&, const void* args);

} // namespace qcd
