#pragma once
// Peak of the arithmetic as a loop of fma reaches it: the yardstick of every GFLOPS, as
// memory_bandwidth.hpp is of every GB/s.

#include <string>
#include <vector>

namespace qcd
{

class Session;

/// 10^9 flop a second, an fma counted as two, of all workers of a kind together: by fma_chains, one
/// text for every kind of worker, on cores with the instruction set that the kernels use. The
/// fastest of several calls; with boards and cores as warm as they are.
struct PeakArithmetic {
    std::string worker; ///< "CPU", "CUDA" or "OpenCL"
    int workers = 0;    ///< that it is of
    int cores_per_worker = 1;
    double in_double = 0, in_single = 0;
};

/// Measures each kind of worker that the session has, one after another, while the others wait.
/// Takes 0.3 s a kind, and 25 MB of a device; those that have less than four times as much are left
/// out.
std::vector<PeakArithmetic> measure_peak(const Session&);

} // namespace qcd
