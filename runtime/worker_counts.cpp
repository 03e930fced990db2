#include "runtime/worker_counts.hpp"

#include <fmt/format.h>

namespace qcd
{

std::string to_string(const WorkerCounts& w)
{
    std::string text;
    const auto add = [&](int count, const char* kind) {
        if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, kind);
    };
    add(w.cpu, "CPU");
    if (w.cpu > 0 && w.cores_per_cpu > 1) text += fmt::format(" of {} cores", w.cores_per_cpu);
    add(w.cuda, "CUDA");
    add(w.opencl, "OpenCL");
    return text;
}

} // namespace qcd
