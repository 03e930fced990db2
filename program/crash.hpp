#pragma once

namespace qcd
{

/// From now on a device that fails, and StarPU, OpenMP, OpenCL or FxT where they give up by abort()
/// or exit(), end the program with exit_missing_device and one line; so does an exception of ours,
/// or of the system's memory and threads, that nobody can catch, as in a task, with its own status.
/// Any other crash stays one: its signal, its core.
void tell_devices_from_crashes();

} // namespace qcd
