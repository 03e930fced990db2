#pragma once
// Where StarPU keeps what it measures of the machine.

namespace qcd
{

class Environment;

/// StarPU gives up where it cannot keep files: a home that is not there, is full or cannot be
/// written (a service's, a container's) is replaced, for the rest of the process. Files that a full
/// disk left empty, at which it would give up ever after, it measures anew: `environment` tells it
/// to. Nothing is deleted. Throws DeviceError where no folder is to be had.
void choose_starpu_home(Environment&);

} // namespace qcd
