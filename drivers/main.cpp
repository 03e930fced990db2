#include "base/error.hpp"
#include "drivers/commands/commands.hpp"
#include "drivers/run/join_ranks.hpp"
#include "program/all_places.hpp"
#include "program/complain.hpp"
#include "program/crash.hpp"
#include "program/stop.hpp"
#include "runtime/environment_check.hpp"
#include "runtime/ranks.hpp"

#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <iostream>
#include <optional>
#include <utility>

namespace
{

/// A descriptor that the caller closed would become that of the next file, and what is printed
/// would be written into it. With these in their place, printing fails.
void occupy_closed_descriptors()
{
    for (const int descriptor : {0, 1, 2})
        if (fcntl(descriptor, F_GETFD) < 0)
            open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY); // takes the lowest one free
}

/// `--json -`, or a picture that is written there: stdout is for that alone.
void separate_text_from_files(qcd::Command& command)
{
    const auto file_on_stdout = [](auto& spec) {
        using S = std::decay_t<decltype(spec)>;
        bool is = false;
        if constexpr (requires { spec.output(); }) is = spec.output().json() == "-";
        if constexpr (std::is_same_v<S, qcd::TraceSpec>)
            is |= spec.svg() == "-" || spec.png() == "-" || spec.graph() == "-";
        return is;
    };
    if (std::visit(file_on_stdout, command)) std::cout.rdbuf(std::cerr.rdbuf());
}

/// What ends at once leaves signals as they are.
template <class Run>
int at_once(const Run& run)
{
    qcd::leave_stop_signals_alone();
    return run();
}

int run(qcd::Command& command, qcd::Ranks* several)
{
    using namespace qcd;
    struct {
        Ranks& ranks;
        int operator()(const SolveSpec& s) const { return run_solve(s, ranks); }
        int operator()(const PropagatorSpec& s) const { return run_propagator(s, ranks); }
        int operator()(const GenerateSpec& s) const { return run_generate(s, ranks); }
        int operator()(const ApplySpec& s) const { return run_apply(s, ranks); }
        int operator()(const BenchSpec& s) const { return run_bench(s, ranks); }
        int operator()(const CompareSpec& s) const { return run_compare(s, ranks); }
        int operator()(const LadderSpec& s) const { return run_ladder(s, ranks); }
        int operator()(const SimulateSpec& s) const { return run_simulate(s); }
        int operator()(const CalibrateSpec& s) const { return run_calibrate(s); }
        int operator()(const ConvertSpec& s) const { return run_convert(s); }
        int operator()(const CheckSpec& s) const { return run_check(s); }
        int operator()(const TraceSpec& s) const
        {
            return at_once([&] { return run_trace(s); });
        }
        int operator()(const InfoSpec& s) const
        {
            return at_once([&] { return run_info(s); });
        }
        int operator()(const cli::Text& t) const
        {
            std::cout << t.text;
            return exit_converged;
        }
    } const visitor{several ? *several : one_rank()};
    std::optional<AllPlaces> all;
    if (!std::holds_alternative<cli::Text>(command)) {
        check_environment();
        all.emplace();
    }
    if (several && !join_ranks(command, *several)) return exit_converged;
    return std::visit(visitor, std::as_const(command));
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
        qcd::Command command = qcd::parse({argv + 1, argv + argc});
        separate_text_from_files(command);
        if (const std::string apart = qcd::launched_apart(ranks.get()); !apart.empty())
            qcd::warn_of_many(command, apart);
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
