#include "program/provenance.hpp"

#include "program/json_file.hpp"
#include "program/version.hpp"
#include "runtime/machine_probe.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/chrono.h>
#include <nlohmann/json.hpp>

namespace qcd
{

namespace
{

using Json = nlohmann::ordered_json;

Json or_null(std::string_view text) { return text.empty() ? Json() : Json(text); }

/// "CPU workers" -> "cpu_workers"
std::string key_of(std::string name)
{
    for (char& c : name) c = c == ' ' ? '_' : char(std::tolower(static_cast<unsigned char>(c)));
    return name;
}

Json program(const std::string& name)
{
    return {{"name", name},
            {"version", version()},
            {"git_revision", or_null(git_revision())},
            {"compiler", compiler()},
            {"cuda_compiler", or_null(cuda_compiler())},
            {"build_type", build_type()}};
}

Json json_of(const StarpuBuild& s)
{
    Json features = Json::object(), limits = Json::object();
    for (const auto& [name, there] : s.features) features[key_of(name)] = there;
    for (const auto& [name, most] : s.limits) limits[key_of(name)] = most;
    return {{"version", s.version}, {"features", features}, {"limits", limits}};
}

} // namespace

std::string utc(std::chrono::system_clock::time_point time)
{
    return fmt::format("{:%FT%TZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

std::vector<std::string> gpu_names(const std::vector<Device>& devices)
{
    std::vector<std::string> names;
    for (const Device& d : devices)
        if (d.kind == "CUDA") names.push_back(d.name);
    const std::vector<std::string> of_cuda = names;
    for (const Device& d : devices) {
        const auto is_d = [&](const std::string& name) {
            return d.name.starts_with(name + " ("); // OpenCL's name of it, with the platform
        };
        if (d.kind != "CUDA" && !d.is_cpu && std::none_of(of_cuda.begin(), of_cuda.end(), is_d))
            names.push_back(d.name);
    }
    return names;
}

std::string version_line(std::string_view program)
{
    const std::string_view revision = git_revision();
    return fmt::format("{} {}{}", program, version(),
                       revision.empty() ? "" : fmt::format(" (git {})", revision));
}

Json with_provenance(const Json& result, const Call& call, const std::vector<Device>& devices,
                     const StarpuBuild& starpu)
{
    Json j{{"schema_version", json_schema_version},
           {"program", program(call.program)},
           {"version", version_line(call.program)},
           {"arguments", call.arguments},
           {"date", utc(call.started)},
           {"cpu", probe_machine().cpu_model},
           {"gpus", gpu_names(devices)},
           {"starpu", json_of(starpu)}};
    j.update(result, true);
    return j;
}

void write_result(std::initializer_list<std::string> files, const Json& result, const Call& call)
{
    if (std::all_of(files.begin(), files.end(), [](const auto& f) { return f.empty(); })) return;
    const Json json = with_provenance(result, call, find_devices(), starpu_build());
    for (const std::string& file : files)
        if (!file.empty()) write_json(file, json);
}

} // namespace qcd
