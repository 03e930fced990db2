#pragma once
// The OpenCL kernels of all operations: one embedded program text, of which each precision and
// storage of links is a program, built for all devices when it is needed.

#include "codelets/runtime/codelet.hpp"

namespace qcd
{

/// OpenCL devices that are not the cores: with fewer than are asked for, StarPU is told to take
/// those too (STARPU_OPENCL_ON_CPUS), and then counts them first.
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
