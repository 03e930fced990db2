#pragma once
// The OpenCL kernels of all operations: one embedded program text, of which each precision and
// storage of links is a program, built for all devices when it is needed.

#include "runtime/codelet.hpp"

namespace qcd
{

/// Number of OpenCL GPUs and accelerators, and of CPU implementations such as PoCL if `cpus_too`.
/// If more are asked for than there are without those, STARPU_OPENCL_ON_CPUS is set, and StarPU
/// then numbers CPU devices first.
int opencl_devices(bool cpus_too);

/// What an OpenCL kernel is told besides its arguments and buffers; as in CudaCall.
struct OpenclCall {
    Manner manner{};
    unsigned clear = 0;
    bool sums_are_clear = false;
};

/// Enqueues the codelet's kernel for the current OpenCL worker. `memory`: one cl_mem per slot, or
/// null. What fails ends the program (device_failure.hpp): an exception cannot leave a codelet.
void opencl_launch(const Codelet&, const void* args, void* const* memory, const OpenclCall&);

/// Waits until the current OpenCL worker's device has done all.
void opencl_finish();

/// Builds the program of the operations in this precision on links stored so (full: and of those
/// that read none) and rows of so many bytes, unless it is done or there are no OpenCL workers.
/// Otherwise the first task that needs it does, which then takes seconds. Throws DeviceError when
/// it does not compile.
void opencl_prepare(Precision, LinkStorage, int row_bytes);
/// The same for the operations on scalars (CodeletFamily::scalars).
void opencl_prepare_scalars();
/// Frees all; before starpu_shutdown.
void opencl_release();

} // namespace qcd
