#pragma once
// A task as StarPU takes it.

#include "tasks/submit.hpp"

#include <vector>

namespace qcd
{

/// What StarPU needs to know of a task. The name must live as long as the program.
struct NewTask {
    starpu_codelet* codelet;
    const char* name;
    std::vector<Access> uses; ///< present ones, each handle once
    double flops = 0;
    Priority priority = Priority::normal;
    std::vector<char> argument{};
};

/// The worker that must execute a task: that of what it writes. -1: any.
int worker_of_writes(const std::vector<Access>& uses);

/// Submits it. Throws DeviceError when no worker of this run can execute it.
void insert(const NewTask&);

} // namespace qcd
