// qcd_starpu_sim, which qcd_starpu simulate runs: the same options, with StarPU's files of the
// machine already there (runtime/simulated_machine.hpp).

#include "drivers/commands.hpp"
#include "drivers/simulation/machine_file.hpp"
#include "drivers/simulation/simulated_run.hpp"

#include <starpu_simgrid_wrap.h> // StarPU has main, and calls ours

#include <csignal>
#include <cstdio>
#include <iostream>
#include <new>
#include <unistd.h>

namespace
{

qcd::ExitStatus run(const std::vector<std::string>& arguments)
{
    using namespace qcd;
    const cli::Command command = cli::parse(arguments);
    const auto* const options = std::get_if<cli::SimulateOptions>(&command);
    if (!options) throw Error("this program only simulates: see qcd_starpu simulate --help");
    if (options->solve.output.json == "-") std::cout.rdbuf(std::cerr.rdbuf());
    const ExitStatus status = run_simulated(*options, machine_of(options->machine));
    if (!std::cout.flush()) throw Error("stdout: cannot be written");
    return status;
}

} // namespace

int main(int argc, char** argv)
{
    std::signal(SIGPIPE, SIG_IGN);
    const auto fail = [](const char* line, qcd::ExitStatus status) {
        qcd::complain(line);
        std::fflush(nullptr);
        _exit(status); // SimGrid has no end in which its other processes are not looked for
    };
    try {
        return run({argv + 1, argv + argc});
    } catch (const qcd::Error& e) {
        fail(e.what(), e.exit_status());
    } catch (const std::bad_alloc&) {
        fail("out of memory", qcd::exit_missing_device);
    } catch (const std::exception& e) {
        fail(e.what(), qcd::exit_bad_input);
    }
    return qcd::exit_bad_input;
}
