#pragma once
// What a result is cited and repeated by: program, arguments, date, processors, StarPU. Every
// command's JSON begins with it (docs/json-keys.md, "Every command").

#include "program/call.hpp"
#include "program/devices.hpp"
#include "program/starpu_facts.hpp"

#include <nlohmann/json_fwd.hpp>

#include <chrono>
#include <initializer_list>
#include <string>
#include <vector>

namespace qcd
{

/// Grows when a key is renamed or removed, or changes its meaning; a key that is new leaves it.
inline constexpr int json_schema_version = 1;

/// A time as ISO 8601 has it, "2026-01-31T23:59:59Z".
std::string utc(std::chrono::system_clock::time_point);

/// Names of CUDA's devices, then of OpenCL's that are neither cores nor one of those.
std::vector<std::string> gpu_names(const std::vector<Device>&);

/// What a command found, after schema_version, program, version, arguments, date, cpu, gpus and
/// starpu. A `starpu` of the result's own goes into that one.
nlohmann::ordered_json with_provenance(const nlohmann::ordered_json& result, const Call&,
                                       const std::vector<Device>&, const StarpuBuild&);

/// Writes the result, with the devices and the StarPU of this machine, to each of these files; "":
/// to none.
void write_result(std::initializer_list<std::string> files, const nlohmann::ordered_json& result,
                  const Call&);

} // namespace qcd
