#include "runtime/opencl_program.hpp"

#include "codelets/device/exact_sum.h"
#include "codelets/device/shape.h"
#include "codelets/device/sum_bins.h"
#include "lattice/error.hpp"

#ifdef STARPU_USE_OPENCL

#include "runtime/device_failure.hpp"
#include "runtime/opencl_build.hpp"

#include <starpu_opencl.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

extern const char qcd_opencl_kernels[]; // generated from kernels.cl

namespace qcd
{

namespace
{

constexpr const char* precision_options[] = {"-DQCD_REAL_BITS=64", "-DQCD_REAL_BITS=32",
                                             "-DQCD_REAL_BITS=32 -DQCD_MATH_BITS=64"};
constexpr std::size_t group_items = 128;
constexpr int program_count = 19; // three precisions on each storage of links and rows; scalars

struct Program {
    cl_program of[STARPU_MAXOPENCLDEVS] = {}; // by device
    bool built = false;
};
Program programs[program_count];
std::mutex building; // the main thread, or a worker that needs what is not there

int index_of(Precision p, LinkStorage links, int row_bytes)
{
    return 6 * index(links) + 2 * int(p) + (row_bytes == 128);
}
constexpr int index_of_scalars = program_count - 1;

// By device, at which only its worker looks.

/// The kernels that were launched so far, by codelet, name (a literal) and bytes of rows.
using LaunchedKernels = std::map<std::tuple<const Codelet*, const char*, int>, cl_kernel>;
LaunchedKernels kernels[STARPU_MAXOPENCLDEVS];
std::optional<cl_uint> known_adding_units[STARPU_MAXOPENCLDEVS];

/// In a task: what StarPU's own macro does is left out of release builds.
void check(cl_int status)
{
    if (status != CL_SUCCESS) device_failed("OpenCL", starpu_opencl_error_string(status));
}

/// For the devices of all workers.
Program& build(int index, const std::string& options)
{
    const std::lock_guard lock(building);
    Program& program = programs[index];
    if (program.built) return program;
    const int count = int(starpu_opencl_worker_get_count());
    std::vector<int> workers(count);
    starpu_worker_get_ids_by_type(STARPU_OPENCL_WORKER, workers.data(), count);
    for (const int worker : workers) {
        const int number = starpu_worker_get_devid(worker);
        cl_context context;
        cl_device_id device;
        starpu_opencl_get_context(number, &context);
        starpu_opencl_get_device(number, &device);
        if (!program.of[number])
            program.of[number] =
                build_opencl(context, device, qcd_opencl_kernels,
                             options + " -DQCD_GROUP=" + std::to_string(group_items));
    }
    program.built = true;
    return program;
}

Program& build(Precision p, LinkStorage links, int row_bytes)
{
    return build(index_of(p, links, row_bytes),
                 std::string(precision_options[int(p)]) +
                     " -DQCD_LINK_ROWS=" + std::to_string(reals(links)) +
                     " -DQCD_ROW_BYTES=" + std::to_string(row_bytes));
}

Program& build_scalars()
{
    return build(index_of_scalars, "-DQCD_REAL_BITS=64 -DQCD_ROW_BYTES=64 -DQCD_SCALAR_OPERATIONS");
}

Program& program_of(const Codelet& codelet, int row_bytes)
{
    return codelet.family->scalars ? build_scalars()
                                   : build(codelet.precision, codelet.family->links, row_bytes);
}

cl_kernel find_kernel(const Codelet& codelet, const char* name, int row_bytes, int device)
{
    cl_kernel& kernel = kernels[device][{&codelet, name, row_bytes}];
    if (!kernel) {
        cl_program program = nullptr;
        try {
            program = program_of(codelet, row_bytes).of[device];
        } catch (const DeviceError& e) {
            device_failed("OpenCL", e.what());
        }
        cl_int status = CL_SUCCESS;
        kernel = clCreateKernel(program, (std::string(name) + "_kernel").c_str(), &status);
        check(status);
    }
    return kernel;
}

/// Compute units of a device that adds over a warp's lanes, of others 0. Asked for once, because
/// that takes a driver microseconds.
cl_uint adding_units(int device)
{
    std::optional<cl_uint>& units = known_adding_units[device];
    if (!units) {
        cl_device_id id;
        starpu_opencl_get_device(device, &id);
        units = 0;
        if (adds_over_warps(id))
            check(
                clGetDeviceInfo(id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof *units, &*units, nullptr));
    }
    return *units;
}

/// Work groups of a call.
std::size_t groups_of(const Codelet& codelet, const void* args, int device)
{
    const std::size_t items = std::size_t(codelet.family->blocks(args)) * QCD_LANES,
                      all = (items + group_items - 1) / group_items,
                      staying = std::size_t(codelet.family->staying_groups) * adding_units(device);
    if (staying == 0) return all;
    // As many blocks for each, and no more than a lane's bins have room for.
    const std::size_t turns =
        std::clamp((all + staying - 1) / staying, std::size_t(1), std::size_t(QCD_BIN_TERMS));
    return (all + turns - 1) / turns;
}

/// downwards: told to the kernel by an offset (goes_downwards() in launch/opencl_launch.h).
void enqueue(cl_kernel kernel, int device, std::size_t groups, bool downwards = false)
{
    if (groups == 0) return;
    const std::size_t items = groups * group_items, offset = downwards ? items : 0;
    cl_command_queue queue;
    starpu_opencl_get_queue(device, &queue);
    check(clEnqueueNDRangeKernel(queue, kernel, 1, &offset, &items, &group_items, 0, nullptr,
                                 nullptr));
}

void set_buffer(cl_kernel kernel, int argument, void* memory)
{
    const cl_mem m = static_cast<cl_mem>(memory);
    check(clSetKernelArg(kernel, argument, sizeof m, m ? static_cast<const void*>(&m) : nullptr));
}

} // namespace

int opencl_devices(bool cpus_too)
{
    cl_uint count = 0;
    if (clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS) return 0;
    std::vector<cl_platform_id> platforms(count);
    if (count > 0) clGetPlatformIDs(count, platforms.data(), nullptr);
    const cl_device_type kinds =
        CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR | (cpus_too ? CL_DEVICE_TYPE_CPU : 0);
    int devices = 0;
    for (const cl_platform_id platform : platforms) {
        cl_uint found = 0;
        if (clGetDeviceIDs(platform, kinds, 0, nullptr, &found) == CL_SUCCESS)
            devices += int(found);
    }
    return devices;
}

void opencl_prepare(Precision p, LinkStorage links, int row_bytes)
{
    if (starpu_opencl_worker_get_count() > 0) build(p, links, row_bytes);
}
void opencl_prepare_scalars()
{
    if (starpu_opencl_worker_get_count() > 0) build_scalars();
}

void opencl_release()
{
    for (LaunchedKernels& of_device : kernels) {
        for (const auto& [key, kernel] : of_device) clReleaseKernel(kernel);
        of_device.clear();
    }
    for (auto& units : known_adding_units) units.reset();
    for (Program& program : programs) {
        for (const cl_program p : program.of)
            if (p) clReleaseProgram(p);
        program = {};
    }
}

void opencl_finish()
{
    cl_command_queue queue;
    starpu_opencl_get_queue(starpu_worker_get_devid(starpu_worker_get_id_check()), &queue);
    check(clFinish(queue));
}

void opencl_launch(const Codelet& codelet, const void* args, void* const* memory,
                   const OpenclCall& call)
{
    const CodeletFamily& family = *codelet.family;
    const int device = starpu_worker_get_devid(starpu_worker_get_id_check());
    if (const int s = family.sums_slot; s >= 0 && memory[s] && !call.sums_are_clear) {
        const cl_kernel kernel = find_kernel(codelet, "clear_sums", call.manner.row_bytes, device);
        set_buffer(kernel, 0, memory[s]);
        enqueue(kernel, device, 1);
    }
    const char* name =
        family.opencl_kernel ? family.opencl_kernel(codelet.precision, args, memory) : family.name;
    const cl_kernel kernel = find_kernel(codelet, name, call.manner.row_bytes, device);
    check(clSetKernelArg(kernel, 0, family.args_size, args));
    for (int s = 0; s < family.slots; ++s) set_buffer(kernel, s + 1, memory[s]);
    if (family.clears)
        check(clSetKernelArg(kernel, family.slots + 1, sizeof call.clear, &call.clear));
    enqueue(kernel, device, groups_of(codelet, args, device), call.manner.downwards);
}

} // namespace qcd

#else

namespace qcd
{
int opencl_devices(bool) { return 0; }
void opencl_prepare(Precision, LinkStorage, int) {}
void opencl_prepare_scalars() {}
void opencl_release() {}
void opencl_finish() {}
void opencl_launch(const Codelet&, const void*, void* const*, const OpenclCall&) {}
} // namespace qcd

#endif
