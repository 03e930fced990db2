#include "codelets/runtime/opencl_program.hpp"

#include "codelets/device/exact_sum.h"
#include "codelets/device/shape.h"
#include "lattice/error.hpp"

#ifdef STARPU_USE_OPENCL

#define CL_TARGET_OPENCL_VERSION 120 // clEnqueueFillBuffer
#include <starpu_opencl.h>

#include <string>

extern const char qcd_opencl_kernels[]; // generated from kernels.cl

namespace qcd
{

namespace
{

constexpr const char* options[] = {"-DQCD_REAL_BITS=64", "-DQCD_REAL_BITS=32",
                                   "-DQCD_REAL_BITS=32 -DQCD_MATH_BITS=64"};
constexpr std::size_t group_items = 64;

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

void check(cl_int status)
{
    if (status != CL_SUCCESS) STARPU_OPENCL_REPORT_ERROR(status);
}

} // namespace

void opencl_prepare(LinkStorage links)
{
    Programs& made = programs(links);
    if (made.built || starpu_opencl_worker_get_count() == 0) return;
    for (int p = 0; p < 3; ++p) {
        const std::string option = std::string(options[p]) +
                                   " -DQCD_ROW_BYTES=" + std::to_string(row_bytes()) +
                                   " -DQCD_LINK_ROWS=" + std::to_string(reals(links));
        if (starpu_opencl_load_opencl_from_string(qcd_opencl_kernels, &made.of[p],
                                                  option.c_str()) != CL_SUCCESS)
            throw DeviceError("opencl: the kernels do not compile with " + option);
    }
    made.built = true;
}

void opencl_release()
{
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
    const int blocks = family.blocks(args);
    cl_kernel kernel;
    cl_command_queue queue;
    const std::string name = std::string(family.name) + "_kernel";
    starpu_opencl_program& program = programs(family.links).of[int(codelet.precision)];
    check(starpu_opencl_load_kernel(&kernel, &queue, &program, name.c_str(),
                                    starpu_worker_get_devid(starpu_worker_get_id_check())));
    check(clSetKernelArg(kernel, 0, family.args_size, args));
    for (int s = 0; s < family.slots; ++s) {
        cl_mem m = static_cast<cl_mem>(memory[s]);
        check(clSetKernelArg(kernel, s + 1, sizeof m, m ? static_cast<const void*>(&m) : nullptr));
    }
    const int s = family.sums_slot;
    if (s >= 0 && memory[s] && !(family.keeps_sums && family.keeps_sums(args))) {
        const cl_long zero = 0;
        check(clEnqueueFillBuffer(queue, static_cast<cl_mem>(memory[s]), &zero, sizeof zero, 0,
                                  sizeof(cl_long) * QCD_MAX_SUMS * QCD_SUM_WORDS, 0, nullptr,
                                  nullptr));
    }
    const std::size_t items =
        (std::size_t(blocks) * QCD_LANES + group_items - 1) / group_items * group_items;
    if (items > 0)
        check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &group_items, 0, nullptr,
                                     nullptr));
    check(starpu_opencl_release_kernel(kernel));
}

} // namespace qcd

#else

namespace qcd
{
void opencl_prepare(LinkStorage) {}
void opencl_release() {}
void opencl_launch(const Codelet&, const void*, void* const*) {}
} // namespace qcd

#endif
