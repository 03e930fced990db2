#pragma once

namespace qcd
{

/// Throws Error where OMP_PLACES is not what OpenMP 5 calls places, or names a CPU that this
/// machine, which has so many, does not have.
void check_places(int cpus);

} // namespace qcd
