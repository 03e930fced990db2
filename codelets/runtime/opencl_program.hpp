#pragma once
// The OpenCL kernels of all operations: one embedded program text, of which each precision and
// storage of links is a program, built for all devices when it is needed.

#include "codelets/runtime/codelet.hpp"

namespace qcd
{

/// Number of OpenCL GPUs and accelerators; CPU implementations such as PoCL are not counted. If
/// more are asked for, STARPU_OPENCL_ON_CPUS is set, and StarPU then numbers CPU devices first.
int opencl_gpus();

/// Enqueues the codelet's kernel for the current OpenCL worker. `memory`: one cl_mem per slot, or
/// null. What fails ends the program (device_failure.hpp): an exception cannot leave a codelet.
/// `clear`: slots whose sums are cleared after reading, some of the family's clears.
/// `sums_are_clear`: that was done to those that it fills, so no kernel of their own clears them.
void opencl_launch(const Codelet&, const void* args, void* const* memory, unsigned clear = 0,
                   bool sums_are_clear = false);

/// Waits until the current OpenCL worker's device has done all.
void opencl_finish();

/// Builds the program of the operations in this precision on links stored so (full: and of those
/// that read none), unless it is done or there are no OpenCL workers. Otherwise the first task that
/// needs it does, which then takes seconds. Throws DeviceError when it does not compile.
void opencl_prepare(Precision, LinkStorage = LinkStorage::full);
/// The same for the operations on scalars (CodeletFamily::scalars).
void opencl_prepare_scalars();
/// Frees all; before starpu_shutdown.
void opencl_release();

} // namespace qcd
