// In place of cpu_team.cpp in a simulation, which has no cores to bind threads to and runs no
// kernel.

#include "runtime/cpu_team.hpp"
#include "runtime/machine_model.hpp"

#include <starpu.h>

#include <algorithm>

namespace qcd
{

std::size_t level3_of_cpu_workers(int) { return 0; }

std::size_t cache_of_cpu_workers(int cores)
{
    return MachineModel::of_this_machine().cache_a_core *
           std::max(1U, starpu_cpu_worker_get_count() * unsigned(cores));
}

void zero_what_is_added_to(const Codelet&, void* const*) {}

void execute_on_cores(const Codelet&, const void*, void* const*, const Manner&) {}

} // namespace qcd
