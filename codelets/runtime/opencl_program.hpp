#pragma once
// The OpenCL kernels of all operations: one embedded program text, built per device and precision
// at first use.

#include "codelets/runtime/codelet.hpp"

namespace qcd
{

/// OpenCL devices that are not the cores: with fewer than are asked for, StarPU is told to take
/// those too (STARPU_OPENCL_ON_CPUS), and then counts them first.
int opencl_gpus();

/// Enqueues the codelet's kernel for the current OpenCL worker. `memory`: one cl_mem per slot, or
/// null. Failures are reported on stderr by StarPU's reporter and abort: an exception cannot leave
/// a codelet.
void opencl_launch(const Codelet&, const void* args, void* const* memory);

/// Builds the programs of every OpenCL worker present, in all precisions, for links stored so,
/// unless it is done. Throws DeviceError when they do not compile.
void opencl_prepare(LinkStorage = LinkStorage::full);
/// Frees them; before starpu_shutdown.
void opencl_release();

} // namespace qcd
