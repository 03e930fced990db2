#pragma once

#include <string>

namespace qcd
{

/// What a measurement of kernels holds for.
struct CudaDevice {
    std::string name, compute_capability; ///< "NVIDIA H200", "9.0"
    int multiprocessors = 0;
    std::string driver; ///< the latest CUDA that it knows: "13.0"
    bool operator==(const CudaDevice&) const = default;
};

} // namespace qcd
