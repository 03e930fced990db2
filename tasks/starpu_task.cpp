#include "tasks/starpu_task.hpp"

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

void set_argument(starpu_task* task, const std::vector<char>& argument)
{
    if (argument.empty()) return;
    task->cl_arg = std::malloc(argument.size()); // StarPU frees it
    std::memcpy(task->cl_arg, argument.data(), argument.size());
    task->cl_arg_size = argument.size();
    task->cl_arg_free = 1;
}

void set_uses(starpu_task* task, const std::vector<Access>& uses)
{
    task->nbuffers = int(uses.size());
    if (uses.size() > STARPU_NMAXBUFS) { // StarPU frees them
        task->dyn_handles = static_cast<starpu_data_handle_t*>(
            std::malloc(uses.size() * sizeof(starpu_data_handle_t)));
        task->dyn_modes = static_cast<starpu_data_access_mode*>(
            std::malloc(uses.size() * sizeof(starpu_data_access_mode)));
    }
    for (int b = 0; b < task->nbuffers; ++b) {
        STARPU_TASK_SET_HANDLE(task, uses[b].data.handle, b);
        STARPU_TASK_SET_MODE(task, uses[b].mode, b);
    }
}

starpu_task* create(const NewTask& t)
{
    starpu_task* task = starpu_task_create();
    task->cl = t.codelet;
    task->name = t.name;
    task->flops = t.flops;
    task->priority = t.priority == Priority::early ? STARPU_MAX_PRIO : STARPU_DEFAULT_PRIO;
    set_argument(task, t.argument);
    set_uses(task, t.uses);
    if (const int worker = worker_of_writes(t.uses); worker >= 0) {
        task->execute_on_a_specific_worker = 1;
        task->workerid = unsigned(worker);
    }
    return task;
}

} // namespace

int worker_of_writes(const std::vector<Access>& uses)
{
    for (const Access& use : uses)
        if (use.data && use.data.worker >= 0 && use.mode != STARPU_R) return use.data.worker;
    return -1;
}

void insert(const NewTask& t)
{
    starpu_task* task = create(t);
    if (const int status = starpu_task_submit(task); status != 0) {
        task->destroy = 0;
        starpu_task_destroy(task);
        if (status != -ENODEV)
            throw DeviceError(
                fmt::format("{}: StarPU refused the task: {}", t.name, std::strerror(-status)));
        throw DeviceError(fmt::format(
            "{}: no worker can run it (implemented for CPU{}{}; present: {} CPU, {} CUDA, {} "
            "OpenCL workers)",
            t.name, t.codelet->cuda_funcs[0] ? ", CUDA" : "",
            t.codelet->opencl_funcs[0] ? ", OpenCL" : "", starpu_cpu_worker_get_count(),
            starpu_cuda_worker_get_count(), starpu_opencl_worker_get_count()));
    }
    ++task_count;
}

long submitted_tasks() { return task_count; }

} // namespace qcd
