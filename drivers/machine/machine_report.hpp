#pragma once
// The machine, its bandwidth and workers on it as text and JSON.

#include "drivers/machine/memory_bandwidth.hpp"
#include "drivers/machine/peak_arithmetic.hpp"
#include "runtime/machine_probe.hpp"
#include "runtime/worker_counts.hpp"

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>

namespace qcd
{

void print_text(std::ostream&, const MachineFacts&);
/// A line for each number of threads.
void print_text(std::ostream&, const std::vector<MemoryBandwidth>&);
void print_text(std::ostream&, const std::vector<PeakArithmetic>&);

/// cpu, cores, threads, numa_nodes, caches[{level, bytes, instances, cores}], memory_bytes,
/// available_bytes
nlohmann::ordered_json to_json(const MachineFacts&);
/// threads, triad and read in GB/s by so many, array_bytes, load_average
nlohmann::ordered_json to_json(const MemoryBandwidth&);
/// [{worker, workers, cores_per_worker, double and single in GFLOPS by all of them}]
nlohmann::ordered_json to_json(const std::vector<PeakArithmetic>&);
nlohmann::ordered_json to_json(const WorkerCounts&);

} // namespace qcd
