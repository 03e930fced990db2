#pragma once

#include "runtime/codelet.hpp"

namespace qcd
{

/// Throws Error, one line, where a work group of the call (Operation::groups) has more items, or
/// more local memory, than a device worker of this run can give it.
void require_groups_fit(const Codelet&, const void* args);

/// Bytes of the last-level caches (L2 of a GPU) of all device workers of this run; a device that
/// does not say adds nothing.
long cache_bytes_of_devices();

} // namespace qcd
