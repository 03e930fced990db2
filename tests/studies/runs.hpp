#pragma once
// Runs of studies in this process, several on the same workers.

#include "base/error.hpp"
#include "studies/frame/options.hpp"
#include "tests/required.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace qcd::test
{

inline std::vector<std::string> words_of(const std::string& line)
{
    std::istringstream in(line);
    return {std::istream_iterator<std::string>(in), {}};
}

/// "matmul --size 3": its options; workers are the session's.
inline studies::StudyCall study_call(const std::string& line)
{
    studies::StudyCommand command = studies::parse_command(words_of(line));
    return std::move(std::get<studies::StudyCall>(command));
}

/// Workers of one session.
class StudyWorkers
{
public:
    /// kind: that must be there: "cpu", "opencl", "cuda"
    StudyWorkers(const std::string& kind, const SessionOptions& options)
        : cores_(options.cores_per_worker)
    {
        try {
            session_.emplace(options);
        } catch (const DeviceError& e) {
            if (required(kind)) FAIL(e.what());
            std::cerr << "SKIPPED: " << kind << ": " << e.what() << '\n';
        }
    }
    bool there() const { return session_.has_value(); }
    const Session& session() const { return *session_; }

    studies::Result run(const std::string& line) const
    {
        INFO("starpu_studies " << line);
        studies::StudyCall call = study_call(line);
        call.frame.cores_per_worker = cores_;
        const Plan plan = plan_of(call.frame, *session_);
        call.study->prepare(*session_);
        Graph graph(plan);
        return call.study->run({graph, *session_});
    }

private:
    int cores_;
    std::optional<Session> session_;
};

/// Each kind of worker by itself, two cores, two cores of one worker, and cores beside PoCL or a
/// GPU: f(workers) where they are there.
template <class F>
void on_all_workers(const F& f)
{
    struct Kind {
        const char* name;
        SessionOptions options;
    };
    const Kind kinds[] = {
        {"cpu", {.cpus = 2, .cuda = 0, .opencl = 0}},
        {"cpu", {.cpus = 1, .cuda = 0, .opencl = 0, .cores_per_worker = 2}},
        {"opencl", {.cpus = 0, .cuda = 0, .opencl = 1}},
        {"opencl", {.cpus = 1, .cuda = 0, .opencl = 1}},
        {"cuda", {.cpus = 0, .cuda = 1, .opencl = 0}},
        {"cuda", {.cpus = 1, .cuda = 1, .opencl = 0, .cores_beside_gpus = true}},
    };
    for (const Kind& kind : kinds) {
        const StudyWorkers workers(kind.name, kind.options);
        if (!workers.there()) continue;
        INFO(fmt::format("{} CPU, {} CUDA, {} OpenCL workers", kind.options.cpus.value_or(0),
                         kind.options.cuda.value_or(0), kind.options.opencl.value_or(0)));
        f(workers);
    }
}

} // namespace qcd::test
