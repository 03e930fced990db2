#include "base/error.hpp"
#include "base/text.hpp"
#include "program/all_places.hpp"
#include "program/crash.hpp"
#include "program/provenance.hpp"
#include "program/stop.hpp"
#include "runtime/environment_check.hpp"
#include "runtime/session.hpp"
#include "studies/frame/runner.hpp"

#include <csignal>
#include <cstdio>
#include <iostream>

namespace
{

using namespace qcd;
using namespace qcd::studies;

int run(StudyCall& c)
{
    const SessionOptions asked = session_options(c.frame);
    if (asked.opencl.value_or(0) > 0 && asked.cpus.value_or(1) > 0)
        keep_pocl_to_its_worker();
    else
        leave_opencl_out(asked);
    const StudyReport r = run_study(c);
    write_result({c.frame.json}, to_json(r), c.frame.call);
    if (!c.frame.quiet) print_text(std::cout, r);
    if (!r.fault.empty()) std::fprintf(stderr, "%s: %s\n", program_name, r.fault.c_str());
    return status_of(r);
}

/// `--json -`: stdout is for the JSON alone.
void separate_text_from_json(const StudyCommand& command)
{
    const auto* study = std::get_if<StudyCall>(&command);
    const auto* compare = std::get_if<CompareCall>(&command);
    if ((study && study->frame.json == "-") || (compare && compare->json == "-"))
        std::cout.rdbuf(std::cerr.rdbuf());
}

int run(StudyCommand& command)
{
    separate_text_from_json(command);
    if (const auto* text = std::get_if<cli::Text>(&command)) {
        std::cout << text->text;
        return exit_converged;
    }
    check_environment();
    const AllPlaces all;
    if (auto* study = std::get_if<StudyCall>(&command)) return run(*study);
    return compare_studies(std::get<CompareCall>(command));
}

} // namespace

int main(int argc, char** argv)
{
    std::signal(SIGPIPE, SIG_IGN); // who reads the first lines only still gets JSON and trace
    std::signal(SIGXFSZ, SIG_IGN); // a file at its limit is an error like a full disk
    handle_stop_signals();
    tell_devices_from_crashes();
    try {
        StudyCommand command = parse_command({argv + 1, argv + argc});
        const int status = run(command);
        if (!std::cout.flush()) throw Error("stdout: cannot be written");
        return status;
    } catch (const std::exception& e) {
        const auto [line, status] = failure_of(e);
        std::fprintf(stderr, "%s: %s\n", program_name, one_line(line).c_str());
        return status;
    }
}
