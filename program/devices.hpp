#pragma once
// Accelerators of this machine as their drivers list them, whether or not StarPU uses them.

#include <string>
#include <vector>

namespace qcd
{

struct Device {
    std::string kind; ///< "CUDA" or "OpenCL"
    std::string name;
    bool is_cpu = false; ///< an OpenCL implementation on the cores, such as PoCL
};

/// Devices of the kinds that this program was built for.
std::vector<Device> find_devices();

} // namespace qcd
