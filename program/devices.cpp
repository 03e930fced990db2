#include "program/devices.hpp"

#include <starpu_config.h>

#ifdef QCD_WITH_CUDA
#include <cuda_runtime_api.h>
#endif
#ifdef STARPU_USE_OPENCL
#include <CL/cl.h>
#endif

namespace qcd
{

namespace
{

#ifdef STARPU_USE_OPENCL

template <class Object, class Getter>
std::string text_of(Object object, unsigned what, Getter getter)
{
    char text[256] = "";
    getter(object, what, sizeof text, text, nullptr);
    return text;
}

void add_platform(cl_platform_id platform, std::vector<Device>& out)
{
    cl_uint count = 0;
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count);
    std::vector<cl_device_id> ids(count);
    if (count > 0) clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, ids.data(), nullptr);
    for (const cl_device_id id : ids) {
        cl_device_type type = 0;
        clGetDeviceInfo(id, CL_DEVICE_TYPE, sizeof type, &type, nullptr);
        out.push_back({"OpenCL",
                       text_of(id, CL_DEVICE_NAME, clGetDeviceInfo) + " (" +
                           text_of(platform, CL_PLATFORM_NAME, clGetPlatformInfo) + ")",
                       (type & CL_DEVICE_TYPE_CPU) != 0});
    }
}

void add_opencl(std::vector<Device>& out)
{
    cl_uint count = 0;
    clGetPlatformIDs(0, nullptr, &count);
    std::vector<cl_platform_id> platforms(count);
    if (count > 0) clGetPlatformIDs(count, platforms.data(), nullptr);
    for (const cl_platform_id platform : platforms) add_platform(platform, out);
}

#else

void add_opencl(std::vector<Device>&) {}

#endif

#ifdef QCD_WITH_CUDA

void add_cuda(std::vector<Device>& out)
{
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) {
        cudaGetLastError(); // no driver is no error
        return;
    }
    for (int i = 0; i < count; ++i) {
        cudaDeviceProp properties;
        if (cudaGetDeviceProperties(&properties, i) == cudaSuccess)
            out.push_back({"CUDA", properties.name, false});
    }
}

#else

void add_cuda(std::vector<Device>&) {}

#endif

} // namespace

std::vector<Device> find_devices()
{
    std::vector<Device> devices;
    add_cuda(devices);
    add_opencl(devices);
    return devices;
}

} // namespace qcd
