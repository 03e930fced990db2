#pragma once
// Memory bandwidth as plain loops reach it: the yardstick of every GB/s that is printed.

#include "runtime/machine_probe.hpp"

#include <optional>

namespace qcd
{

/// GB/s, 1 GB = 10^9 bytes, the median of several passes.
///   triad  a[i] = b[i] + s c[i] in double: 24 bytes counted per i
///   read   sum of a[i]: 8 bytes counted per i
/// That a cache may read a line before it is written is not counted.
struct MemoryBandwidth {
    int threads = 1;
    double triad = 0, read = 0;
    long array_bytes = 0;    ///< of each of the three arrays
    double load_average = 0; ///< before
};

/// What the environment variable QCD_BANDWIDTH_MIB says, if it is set. Throws Error on nonsense.
std::optional<long> asked_array_bytes();

/// Takes a second or, with hundreds of MiB of cache, some. Arrays are four times the last-level
/// cache, at least 64 MiB, or asked_array_bytes(), and together at most a quarter of the available
/// memory. Workers that run meanwhile spoil it: measure before they start.
MemoryBandwidth measure_bandwidth(const MachineFacts&, int threads);

} // namespace qcd
