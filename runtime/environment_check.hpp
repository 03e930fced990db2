#pragma once
// What a user's environment says to StarPU and OpenMP, looked at before they do: StarPU ends the
// process at a number that is none, and OpenMP's library ignores it.

namespace qcd
{

/// Throws Error, with a line that names the variable, at one whose value is not of its kind.
void check_environment();

/// Throws Error where a variable names a CPU, core or device that this machine does not have.
/// opencl_devices: of which a run can have some.
void check_bindings(int cuda_devices, int opencl_devices);

} // namespace qcd
