#include "runtime/opencl_program.hpp"

#include "base/error.hpp"

#ifdef STARPU_USE_OPENCL

#include "runtime/device_failure.hpp"
#include "runtime/opencl_build.hpp"

#include <fmt/format.h>
#include <starpu_opencl.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace qcd
{

namespace
{

constexpr int items_a_block = 32, group_items = 128;

struct Program {
    cl_program of[STARPU_MAXOPENCLDEVS] = {}; // by device
};
std::map<std::pair<const char*, std::string>, Program> programs; // by text and options
std::mutex building; // the main thread, or a worker that needs what is not there

// These are kept by device; only its worker looks at them.

/// The kernels that were launched so far, by codelet and name (a literal).
using LaunchedKernels = std::map<std::pair<const Codelet*, const char*>, cl_kernel>;
LaunchedKernels kernels[STARPU_MAXOPENCLDEVS];
std::optional<cl_uint> known_adding_units[STARPU_MAXOPENCLDEVS];

/// In a task: what StarPU's own macro does is left out of release builds.
void check(cl_int status)
{
    if (status != CL_SUCCESS) device_failed("OpenCL", starpu_opencl_error_string(status));
}

/// The program of a codelet, built for the devices of all workers.
const Program& program_of(const Codelet& codelet)
{
    const OpenclProgram& source = codelet.kernels.opencl;
    const std::string options = fmt::format("{} -DQCD_GROUP={}", source.options, group_items);
    const std::lock_guard lock(building);
    const auto [it, is_new] = programs.try_emplace({source.text, options});
    Program& program = it->second;
    if (!is_new) return program;
    try {
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
                program.of[number] = build_opencl(context, device, source.text, options);
        }
    } catch (...) {
        programs.erase(it);
        throw;
    }
    return program;
}

cl_kernel find_kernel(const Codelet& codelet, const char* name, int device)
{
    cl_kernel& kernel = kernels[device][{&codelet, name}];
    if (!kernel) {
        cl_program program = nullptr;
        try {
            program = program_of(codelet).of[device];
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

WorkGroups groups_of(const Codelet& codelet, const void* args, int device)
{
    const Operation& operation = codelet.operation;
    if (operation.groups) return operation.groups(codelet.variant, args);
    const std::size_t items = std::size_t(operation.blocks(args)) * items_a_block,
                      all = (items + group_items - 1) / group_items,
                      staying = std::size_t(operation.staying_groups) * adding_units(device);
    if (staying == 0) return {int(all), group_items};
    // Each group computes as many blocks as the others.
    const std::size_t turns = std::clamp((all + staying - 1) / staying, std::size_t(1),
                                         std::size_t(operation.most_turns));
    return {int((all + turns - 1) / turns), group_items};
}

/// Groups for each layer. downwards, and close layers: told to the kernel by offsets
/// (launch/opencl_launch.h).
void enqueue(cl_kernel kernel, int device, const WorkGroups& groups, std::size_t layers,
             bool downwards = false, bool close = false)
{
    if (groups.count == 0) return;
    const std::size_t items = std::size_t(groups.count) * groups.items;
    const std::size_t of_group[] = {std::size_t(groups.items), 1},
                      all[] = {close ? layers * items : items, close ? 1 : layers},
                      offset[] = {downwards ? items : 0, close ? layers : 0};
    cl_command_queue queue;
    starpu_opencl_get_queue(device, &queue);
    check(clEnqueueNDRangeKernel(queue, kernel, layers > 1 ? 2 : 1, offset, all, of_group, 0,
                                 nullptr, nullptr));
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

std::string opencl_problem()
{
    std::vector<std::string> set;
    for (const char* name :
         {"OCL_ICD_VENDORS", "OCL_ICD_FILENAMES", "POCL_DEVICES", "POCL_CACHE_DIR"})
        if (const char* value = std::getenv(name)) set.push_back(fmt::format("{}={}", name, value));
    if (set.empty()) return "";
    return fmt::format("{} says which OpenCL there is", fmt::join(set, ", "));
}

void opencl_prepare(const Codelet& codelet)
{
    if (codelet.kernels.opencl.text && starpu_opencl_worker_get_count() > 0) program_of(codelet);
}

void opencl_release()
{
    for (LaunchedKernels& of_device : kernels) {
        for (const auto& [key, kernel] : of_device) clReleaseKernel(kernel);
        of_device.clear();
    }
    for (auto& units : known_adding_units) units.reset();
    for (const auto& [source, program] : programs)
        for (const cl_program p : program.of)
            if (p) clReleaseProgram(p);
    programs.clear();
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
    const Operation& operation = codelet.operation;
    const int slots = int(codelet.slots.size());
    const int device = starpu_worker_get_devid(starpu_worker_get_id_check());
    unsigned may_zero = 0;
    for (int s = 0; s < slots; ++s) {
        may_zero |= unsigned(codelet.slots[s].zeroed_by_reader) << s;
        if (codelet.slots[s].added_to == 0 || !memory[s] || call.is_zero) continue;
        const cl_kernel kernel = find_kernel(codelet, "zero", device);
        set_buffer(kernel, 0, memory[s]);
        enqueue(kernel, device, {1, group_items}, call.manner.layers);
    }
    const char* name = operation.opencl_kernel
                           ? operation.opencl_kernel(codelet.variant, args, memory)
                           : operation.name;
    const cl_kernel kernel = find_kernel(codelet, name, device);
    check(clSetKernelArg(kernel, 0, operation.args_size, args));
    for (int s = 0; s < slots; ++s) set_buffer(kernel, s + 1, memory[s]);
    if (may_zero) check(clSetKernelArg(kernel, slots + 1, sizeof call.zero, &call.zero));
    const WorkGroups groups = groups_of(codelet, args, device);
    if (groups.local_bytes > 0)
        check(clSetKernelArg(kernel, slots + (may_zero != 0) + 1, groups.local_bytes, nullptr));
    enqueue(kernel, device, groups, call.manner.layers, call.manner.downwards,
            operation.layers_are_close);
}

} // namespace qcd

#else

namespace qcd
{
int opencl_devices(bool) { return 0; }
std::string opencl_problem() { return "this build has no OpenCL"; }
void opencl_prepare(const Codelet&) {}
void opencl_release() {}
void opencl_finish() {}
void opencl_launch(const Codelet&, const void*, void* const*, const OpenclCall&) {}
} // namespace qcd

#endif
