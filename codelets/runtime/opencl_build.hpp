#pragma once
// Compiles OpenCL programs. Only where StarPU has OpenCL.

#include <CL/cl.h>

#include <string>

namespace qcd
{

/// The program for one device; NVIDIA's with registers as QCD_GROUPS_FIT asks for (opencl_ptx.hpp).
/// Throws DeviceError with the compiler's words.
cl_program build_opencl(cl_context, cl_device_id, const char* text, const std::string& options);

} // namespace qcd
