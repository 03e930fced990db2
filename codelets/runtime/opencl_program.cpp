#include "codelets/runtime/opencl_program.hpp"

#include "codelets/device/exact_sum.h"
#include "codelets/device/shape.h"
#include "lattice/error.hpp"

#ifdef STARPU_USE_OPENCL

#include <starpu_opencl.h>

#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

extern const char qcd_opencl_kernels[]; // generated from kernels.cl

namespace qcd
{

namespace
{

constexpr const char* options[] = {"-DQCD_REAL_BITS=64", "-DQCD_REAL_BITS=32",
                                   "-DQCD_REAL_BITS=32 -DQCD_MATH_BITS=64"};
/// Registers for as many loads in flight as fit, as the CUDA hop has them; the others take fewer.
constexpr const char* nvidia_options[] = {" -cl-nv-maxrregcount=168", " -cl-nv-maxrregcount=128",
                                          " -cl-nv-maxrregcount=168"};
constexpr std::size_t group_items = 128;

struct Programs {
    starpu_opencl_program of[3]; // precision
    bool built = false;
};

/// For a storage of links; the first has the operations that read none, too.
Programs& programs(LinkStorage s)
{
    static Programs all[3];
    return all[s == LinkStorage::full ? 0 : s == LinkStorage::two_rows ? 1 : 2];
}

/// The kernels of a device that were launched so far, by codelet and name (a literal); only its
/// worker looks.
using LaunchedKernels = std::map<std::pair<const Codelet*, const char*>, cl_kernel>;
LaunchedKernels kernels[STARPU_MAXOPENCLDEVS];

void check(cl_int status)
{
    if (status != CL_SUCCESS) STARPU_OPENCL_REPORT_ERROR(status);
}

bool has_extension(cl_device_id device, const char* name)
{
    std::size_t size = 0;
    if (clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, nullptr, &size) != CL_SUCCESS)
        return false;
    std::vector<char> text(size + 1);
    clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, size, text.data(), nullptr);
    return std::strstr(text.data(), name) != nullptr;
}

/// StarPU compiles for all devices with the same options: can all be told about registers?
bool all_nvidia()
{
    const int count = int(starpu_opencl_worker_get_count());
    std::vector<int> workers(count);
    starpu_worker_get_ids_by_type(STARPU_OPENCL_WORKER, workers.data(), count);
    for (const int worker : workers) {
        cl_device_id device;
        starpu_opencl_get_device(starpu_worker_get_devid(worker), &device);
        if (!has_extension(device, "cl_nv_compiler_options")) return false;
    }
    return true;
}

cl_kernel find_kernel(const Codelet& codelet, const char* name, int device)
{
    cl_kernel& kernel = kernels[device][{&codelet, name}];
    cl_command_queue queue;
    if (!kernel)
        check(starpu_opencl_load_kernel(&kernel, &queue,
                                        &programs(codelet.family->links).of[int(codelet.precision)],
                                        (std::string(name) + "_kernel").c_str(), device));
    return kernel;
}

void enqueue(cl_kernel kernel, int device, std::size_t items)
{
    if (items == 0) return;
    cl_command_queue queue;
    starpu_opencl_get_queue(device, &queue);
    check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &group_items, 0, nullptr,
                                 nullptr));
}

void set_buffer(cl_kernel kernel, int argument, void* memory)
{
    const cl_mem m = static_cast<cl_mem>(memory);
    check(clSetKernelArg(kernel, argument, sizeof m, m ? static_cast<const void*>(&m) : nullptr));
}

} // namespace

int opencl_gpus()
{
    cl_uint count = 0;
    if (clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS) return 0;
    std::vector<cl_platform_id> platforms(count);
    if (count > 0) clGetPlatformIDs(count, platforms.data(), nullptr);
    int gpus = 0;
    for (const cl_platform_id platform : platforms) {
        cl_uint found = 0;
        if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR, 0, nullptr,
                           &found) == CL_SUCCESS)
            gpus += int(found);
    }
    return gpus;
}

void opencl_prepare(LinkStorage links)
{
    Programs& made = programs(links);
    if (made.built || starpu_opencl_worker_get_count() == 0) return;
    const bool nvidia = all_nvidia();
    for (int p = 0; p < 3; ++p) {
        const std::string option =
            std::string(options[p]) + " -DQCD_ROW_BYTES=" + std::to_string(row_bytes()) +
            " -DQCD_LINK_ROWS=" + std::to_string(reals(links)) +
            " -DQCD_GROUP=" + std::to_string(group_items) + (nvidia ? nvidia_options[p] : "");
        if (starpu_opencl_load_opencl_from_string(qcd_opencl_kernels, &made.of[p],
                                                  option.c_str()) != CL_SUCCESS)
            throw DeviceError("opencl: the kernels do not compile with " + option);
    }
    made.built = true;
}

void opencl_release()
{
    for (LaunchedKernels& of_device : kernels) {
        for (const auto& [key, kernel] : of_device) starpu_opencl_release_kernel(kernel);
        of_device.clear();
    }
    for (const LinkStorage s : {LinkStorage::full, LinkStorage::two_rows, LinkStorage::minimal}) {
        Programs& made = programs(s);
        if (!made.built) continue;
        for (starpu_opencl_program& p : made.of) starpu_opencl_unload_opencl(&p);
        made.built = false;
    }
}

void opencl_launch(const Codelet& codelet, const void* args, void* const* memory)
{
    const CodeletFamily& family = *codelet.family;
    const int device = starpu_worker_get_devid(starpu_worker_get_id_check());
    if (const int s = family.sums_slot;
        s >= 0 && memory[s] && !(family.keeps_sums && family.keeps_sums(args))) {
        const cl_kernel clear = find_kernel(codelet, "clear_sums", device);
        set_buffer(clear, 0, memory[s]);
        enqueue(clear, device, group_items);
    }
    const char* name = family.opencl_kernel ? family.opencl_kernel(args, memory) : family.name;
    const cl_kernel kernel = find_kernel(codelet, name, device);
    check(clSetKernelArg(kernel, 0, family.args_size, args));
    for (int s = 0; s < family.slots; ++s) set_buffer(kernel, s + 1, memory[s]);
    enqueue(kernel, device,
            (std::size_t(family.blocks(args)) * QCD_LANES + group_items - 1) / group_items *
                group_items);
}

} // namespace qcd

#else

namespace qcd
{
int opencl_gpus() { return 0; }
void opencl_prepare(LinkStorage) {}
void opencl_release() {}
void opencl_launch(const Codelet&, const void*, void* const*) {}
} // namespace qcd

#endif
