#pragma once
// Is this the build on StarPU's SimGrid (docs/simulate.md)? There no kernel runs and fields have no
// contents; the same tasks are submitted, each takes the time that a model says (task_times.hpp),
// and Events::now() is the simulated time.

#include <starpu_config.h>

namespace qcd
{

#ifdef STARPU_SIMGRID
inline constexpr bool is_simulated = true;
#else
inline constexpr bool is_simulated = false;
#endif

} // namespace qcd
