#pragma once
// OpenCL programs, each a text with its options (OpenclProgram), built for all devices when the
// first of its kernels is needed. Besides the kernels of operations a text has, where slots are
// added to, `zero_kernel(memory)`, by which one work group makes all that is added to 0.

#include "runtime/codelet.hpp"

namespace qcd
{

/// Number of OpenCL GPUs and accelerators, and of CPU implementations such as PoCL if `cpus_too`.
/// If more are asked for than there are without those, STARPU_OPENCL_ON_CPUS is set, and StarPU
/// then numbers CPU devices first.
int opencl_devices(bool cpus_too);

/// Why there may be fewer than one asks for: variables that say which of them OpenCL finds; empty:
/// none is set.
std::string opencl_problem();

/// What an OpenCL kernel is told besides its arguments and buffers; as in CudaCall.
struct OpenclCall {
    Manner manner{};
    unsigned zero = 0;
    bool is_zero = false;
};

/// Enqueues the codelet's kernel for the current OpenCL worker. `memory`: one cl_mem per slot, or
/// null. What fails ends the program (device_failure.hpp): an exception cannot leave a codelet.
void opencl_launch(const Codelet&, const void* args, void* const* memory, const OpenclCall&);

/// Waits until the current OpenCL worker's device has done all.
void opencl_finish();

/// Builds the codelet's program, unless it is done or nobody needs it. Otherwise the first task
/// that does builds it, which then takes seconds. Throws DeviceError when it does not compile.
void opencl_prepare(const Codelet&);
/// Frees all; before starpu_shutdown.
void opencl_release();

} // namespace qcd
