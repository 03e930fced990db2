#include "tasks/submit.hpp"

#include "lattice/error.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace qcd
{

namespace
{
std::atomic<long> task_count{0};
}

void submit_task(const Codelet& codelet, const void* args, const std::vector<Access>& slots,
                 double flops, Priority priority)
{
    const std::size_t size = codelet.family->args_size;
    starpu_task* task = starpu_task_create();
    task->cl = &codelet.cl;
    task->name = codelet.name;
    task->flops = flops;
    task->priority = priority == Priority::early ? STARPU_MAX_PRIO : STARPU_DEFAULT_PRIO;
    TaskHeader header{0};
    int count = 0;
    for (std::size_t s = 0; s < slots.size(); ++s)
        if (slots[s].data) {
            header.present |= 1u << s;
            ++count;
        }
    task->nbuffers = count;
    for (int s = 0, b = 0; s < int(slots.size()); ++s)
        if (slots[s].data) {
            STARPU_TASK_SET_HANDLE(task, slots[s].data.handle, b);
            STARPU_TASK_SET_MODE(task, slots[s].mode, b);
            ++b;
        }
    char* arg = static_cast<char*>(std::malloc(task_header_bytes + size)); // StarPU frees it
    std::memcpy(arg, &header, sizeof header);
    std::memcpy(arg + task_header_bytes, args, size);
    task->cl_arg = arg;
    task->cl_arg_size = task_header_bytes + size;
    task->cl_arg_free = 1;
    const int status = starpu_task_submit(task);
    if (status != 0) {
        task->destroy = 0;
        starpu_task_destroy(task);
        if (status == -ENODEV)
            throw DeviceError(fmt::format(
                "{}: no worker can run it (implemented for CPU{}{}; present: {} CPU, {} CUDA, {} "
                "OpenCL workers)",
                codelet.name, codelet.cl.cuda_funcs[0] ? ", CUDA" : "",
                codelet.cl.opencl_funcs[0] ? ", OpenCL" : "", starpu_cpu_worker_get_count(),
                starpu_cuda_worker_get_count(), starpu_opencl_worker_get_count()));
        throw DeviceError(
            fmt::format("{}: StarPU refused the task: {}", codelet.name, std::strerror(-status)));
    }
    ++task_count;
}

long submitted_tasks() { return task_count; }

void wait_for_all() { starpu_task_wait_for_all(); }

IterationMark::IterationMark(int iteration) { starpu_iteration_push(iteration); }
IterationMark::~IterationMark() { starpu_iteration_pop(); }

} // namespace qcd
