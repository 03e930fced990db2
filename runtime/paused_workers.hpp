#pragma once

#include <starpu.h>

namespace qcd
{

/// Workers poll for tasks, each on a core of its own; not while one of these lives. Tasks that are
/// submitted meanwhile start at its end, so nothing may wait for them.
class PausedWorkers
{
public:
    PausedWorkers() { starpu_pause(); }
    ~PausedWorkers() { starpu_resume(); }
    PausedWorkers(const PausedWorkers&) = delete;
    PausedWorkers& operator=(const PausedWorkers&) = delete;
};

} // namespace qcd
