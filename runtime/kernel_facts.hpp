#pragma once

#include <cstddef>
#include <optional>

namespace qcd
{

struct Codelet;

/// What a device tells of a kernel that it would launch.
struct KernelFacts {
    int registers = 0;            ///< of a thread
    std::size_t memory_bytes = 0; ///< of a thread, for what registers do not hold
    std::size_t local_bytes = 0;  ///< of a group
    int groups = 0;               ///< that a multiprocessor holds at a time
    double occupancy = 0;         ///< threads that it holds then, of the most it could
};

/// Facts of a call whose operation says its groups (Operation::groups), on a worker's device;
/// nothing where the device does not tell them. OpenCL does not.
std::optional<KernelFacts> kernel_facts(const Codelet&, const void* args, int worker);

} // namespace qcd
