#include "base/error.hpp"
#include "runtime/opencl_ptx.hpp"

#include <starpu_config.h>

#ifdef STARPU_USE_OPENCL

#include "runtime/opencl_build.hpp"

namespace qcd
{

namespace
{

std::string build_log(cl_program program, cl_device_id device)
{
    std::size_t size = 0;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
    std::string log(size, '\0');
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
    return log.c_str();
}

std::string text_of(cl_device_id device, cl_device_info what)
{
    std::size_t size = 0;
    if (clGetDeviceInfo(device, what, 0, nullptr, &size) != CL_SUCCESS) return {};
    std::string text(size, '\0');
    clGetDeviceInfo(device, what, size, text.data(), nullptr);
    return text.c_str();
}

bool has(cl_device_id device, const std::string& extension)
{
    return (text_of(device, CL_DEVICE_EXTENSIONS) + " ").find(extension + " ") != std::string::npos;
}

bool is_nvidia(cl_device_id device) { return has(device, "cl_nv_compiler_options"); }

/// The first line of a compiler's log that speaks of an error.
std::string first_error(const std::string& log)
{
    const std::size_t at = log.find("error");
    const std::size_t begin = at == std::string::npos ? 0 : log.rfind('\n', at) + 1; // npos + 1 = 0
    return log.substr(begin, log.find('\n', begin) - begin);
}

void require_extensions(cl_device_id device)
{
    for (const auto& [extension, what] :
         {std::pair("cl_khr_fp64", "double precision"),
          std::pair("cl_khr_int64_base_atomics", "atomic additions of 64 bits")})
        if (!has(device, extension))
            throw DeviceError("opencl: " + text_of(device, CL_DEVICE_NAME) + " has no " + what +
                              " (" + extension + ")");
}

std::string binary_of(cl_program program)
{
    std::size_t size = 0;
    if (clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr) !=
        CL_SUCCESS)
        return {};
    std::string binary(size, '\0');
    char* memory = binary.data();
    if (clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof memory, &memory, nullptr) !=
        CL_SUCCESS)
        return {};
    return binary;
}

/// The program made from PTX with the groups that fit, or null: then the one at hand has to do.
cl_program with_groups(cl_context context, cl_device_id device, cl_program program)
{
    const std::string ptx = ptx_with_groups(binary_of(program));
    if (ptx.empty()) return nullptr;
    const auto* bytes = reinterpret_cast<const unsigned char*>(ptx.data());
    const std::size_t size = ptx.size();
    cl_int taken = CL_SUCCESS, status = CL_SUCCESS;
    const cl_program made =
        clCreateProgramWithBinary(context, 1, &device, &size, &bytes, &taken, &status);
    if (status != CL_SUCCESS) return nullptr;
    if (taken == CL_SUCCESS &&
        clBuildProgram(made, 1, &device, nullptr, nullptr, nullptr) == CL_SUCCESS)
        return made;
    clReleaseProgram(made);
    return nullptr;
}

} // namespace

bool adds_over_warps(cl_device_id device)
{
    constexpr cl_device_info capability_major = 0x4000; // CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV
    cl_uint major = 0;
    return is_nvidia(device) &&
           clGetDeviceInfo(device, capability_major, sizeof major, &major, nullptr) == CL_SUCCESS &&
           major >= 8;
}

cl_program build_opencl(cl_context context, cl_device_id device, const char* text,
                        const std::string& asked)
{
    require_extensions(device);
    const std::string options = asked + (adds_over_warps(device) ? " -DQCD_WARPS_ADD" : "");
    cl_int status = CL_SUCCESS;
    const cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &status);
    if (status != CL_SUCCESS)
        throw DeviceError("opencl: no program: error " + std::to_string(status));
    const auto built = [&] {
        return clBuildProgram(program, 1, &device, options.c_str(), nullptr, nullptr) == CL_SUCCESS;
    };
    // Twice: at a signal that only asks a run to end LLVM removes PoCL's temporary files.
    if (!built() && !built()) {
        const std::string log = build_log(program, device);
        clReleaseProgram(program);
        throw DeviceError("opencl: the kernels do not compile with " + options + ": " +
                          first_error(log));
    }
    if (!is_nvidia(device)) return program;
    const cl_program better = with_groups(context, device, program);
    if (!better) return program;
    clReleaseProgram(program);
    return better;
}

} // namespace qcd

#endif
