#pragma once
// Compiles OpenCL programs. Only where StarPU has OpenCL.

#include <CL/cl.h>

#include <string>

namespace qcd
{

/// Does it add over a warp's lanes? Its programs are compiled with QCD_WARPS_ADD then.
bool adds_over_warps(cl_device_id);

/// The program for one device; NVIDIA's with registers as QCD_GROUPS_FIT asks for (opencl_ptx.hpp).
/// Throws DeviceError with the compiler's words.
cl_program build_opencl(cl_context, cl_device_id, const char* text, const std::string& options);

} // namespace qcd
