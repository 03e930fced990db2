#include "drivers/all_places.hpp"
#include "drivers/commands.hpp"
#include "drivers/crash.hpp"
#include "drivers/join_ranks.hpp"
#include "drivers/stop.hpp"
#include "lattice/error.hpp"
#include "runtime/environment_check.hpp"
#include "runtime/ranks.hpp"

#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <iostream>

namespace
{

/// A descriptor that the caller closed would become that of the next file, and what is printed
/// would be written into it. As these are, printing fails.
void occupy_closed_descriptors()
{
    for (const int descriptor : {0, 1, 2})
        if (fcntl(descriptor, F_GETFD) < 0)
            open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY); // takes the lowest one free
}

/// `--json -`: stdout is for the JSON alone.
void separate_text_from_json(const qcd::cli::Command& command)
{
    const auto json_on_stdout = [](const auto& o) {
        if constexpr (requires { o.output; })
            return o.output.json == "-";
        else
            return false;
    };
    if (std::visit(json_on_stdout, command)) std::cout.rdbuf(std::cerr.rdbuf());
}

int run(qcd::cli::Command& command, qcd::Ranks* ranks)
{
    using namespace qcd;
    struct {
        int operator()(const cli::SolveOptions& o) const { return run_solve(o); }
        int operator()(const cli::PropagatorOptions& o) const { return run_propagator(o); }
        int operator()(const cli::ApplyOptions& o) const { return run_apply(o); }
        int operator()(const cli::BenchOptions& o) const { return run_bench(o); }
        int operator()(const cli::CompareOptions& o) const { return run_compare(o); }
        int operator()(const cli::TraceOptions& o) const
        {
            leave_stop_signals_alone();
            return run_trace(o);
        }
        int operator()(const cli::ConvertOptions& o) const { return run_convert(o); }
        int operator()(const cli::CheckOptions& o) const { return run_check(o); }
        int operator()(const cli::LadderOptions& o) const { return run_ladder(o); }
        int operator()(const cli::SimulateOptions& o) const { return run_simulate(o); }
        int operator()(const cli::CalibrateOptions& o) const { return run_calibrate(o); }
        int operator()(const cli::InfoOptions& o) const
        {
            leave_stop_signals_alone();
            return run_info(o);
        }
        int operator()(const cli::Text& t) const
        {
            std::cout << t.text;
            return exit_converged;
        }
    } visitor;
    if (std::holds_alternative<cli::Text>(command)) {
        if (ranks && !join_ranks(command, *ranks)) return exit_converged;
        return std::visit(visitor, command);
    }
    check_environment();
    const AllPlaces all;
    if (ranks && !join_ranks(command, *ranks)) return exit_converged;
    return std::visit(visitor, command);
}

} // namespace

int main(int argc, char** argv)
{
    occupy_closed_descriptors();
    std::signal(SIGPIPE, SIG_IGN); // who reads the first lines only still gets JSON and trace
    std::signal(SIGXFSZ, SIG_IGN); // a file at its limit is an error like a full disk
    qcd::handle_stop_signals();
    qcd::tell_devices_from_crashes();
    std::unique_ptr<qcd::Ranks> ranks; // null: this process is alone
    try {
        ranks = qcd::start_ranks(qcd::complain);
        qcd::cli::Command command = qcd::cli::parse({argv + 1, argv + argc});
        separate_text_from_json(command);
        const int status = run(command, ranks.get());
        if (!std::cout.flush()) throw qcd::Error("stdout: cannot be written");
        return status;
    } catch (const std::exception& e) {
        const auto [line, status] = qcd::failure_of(e);
        if (ranks) ranks->abort(line, status);
        if (qcd::launched_rank() == 0) qcd::complain(line);
        return status;
    }
}
