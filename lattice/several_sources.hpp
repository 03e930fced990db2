#pragma once

#include <string>
#include <string_view>

namespace qcd
{

/// Spins times colours of a source that names none.
inline constexpr int source_components = 12;

/// The specification of right-hand side i of `count` that belong together:
///   det:SEED, random:SEED   SEED + i
///   point:x,y,z,t  wall:t   with spin i / 3 and colour i % 3; count at most 12
/// One source is `spec` itself. Throws Error on another form.
std::string source_of_several(std::string_view spec, int i, int count);

} // namespace qcd
