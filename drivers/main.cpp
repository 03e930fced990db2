#include "drivers/commands.hpp"
#include "drivers/crash.hpp"
#include "lattice/error.hpp"
#include "lattice/text.hpp"
#include "runtime/environment_check.hpp"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <fcntl.h>
#include <iostream>
#include <new>

namespace
{

constexpr int stop_signals[] = {SIGINT, SIGTERM};

void on_stop(void (*handler)(int))
{
    for (const int signal : stop_signals) // unless who started us wants them ignored
        if (std::signal(signal, handler) == SIG_IGN) std::signal(signal, SIG_IGN);
}

/// The first signal ends the solve cleanly; one that comes later ends the program. Who signals a
/// process and its group, as timeout(1) does, means one signal.
void on_signal(int signal)
{
    static std::atomic<long> first{-1}; // second
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    long before = -1;
    if (first.compare_exchange_strong(before, now.tv_sec)) {
        qcd::stop_requested = true;
    } else if (now.tv_sec > before + 1) {
        on_stop(SIG_DFL);
        std::raise(signal);
    }
}

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

int run(const qcd::cli::Command& command)
{
    using namespace qcd;
    struct {
        int operator()(const cli::SolveOptions& o) const { return run_solve(o); }
        int operator()(const cli::ApplyOptions& o) const { return run_apply(o); }
        int operator()(const cli::BenchOptions& o) const { return run_bench(o); }
        int operator()(const cli::CompareOptions& o) const { return run_compare(o); }
        int operator()(const cli::InfoOptions& o) const
        {
            on_stop(SIG_DFL);
            return run_info(o);
        }
        int operator()(const cli::Text& t) const
        {
            std::cout << t.text;
            return exit_converged;
        }
    } visitor;
    if (!std::holds_alternative<cli::Text>(command)) check_environment();
    return std::visit(visitor, command);
}

} // namespace

namespace qcd
{

std::atomic<bool> stop_requested{false};

void complain(const std::string& problem)
{
    std::fprintf(stderr, "qcd_starpu: %s\n", one_line(problem).c_str());
}

void note(const std::string& what, const cli::OutputOptions& o)
{
    if (!o.quiet && !what.empty()) complain("note: " + what);
}

void stop_if_asked(const char* line)
{
    if (stop_requested) throw Interrupted(line);
}

} // namespace qcd

int main(int argc, char** argv)
{
    occupy_closed_descriptors();
    std::signal(SIGPIPE, SIG_IGN); // who reads the first lines only still gets JSON and trace
    std::signal(SIGXFSZ, SIG_IGN); // a file at its limit is an error like a full disk
    on_stop(on_signal);
    qcd::tell_devices_from_crashes();
    try {
        const qcd::cli::Command command = qcd::cli::parse({argv + 1, argv + argc});
        separate_text_from_json(command);
        const int status = run(command);
        if (!std::cout.flush()) throw qcd::Error("stdout: cannot be written");
        return status;
    } catch (const qcd::Error& e) {
        qcd::complain(e.what());
        return e.exit_status();
    } catch (const std::bad_alloc&) {
        qcd::complain("out of memory");
        return qcd::exit_missing_device;
    } catch (const std::exception& e) {
        qcd::complain(e.what());
        return qcd::exit_bad_input;
    }
}
