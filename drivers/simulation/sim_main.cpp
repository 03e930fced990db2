// qcd_starpu_sim, which qcd_starpu simulate runs: the same options, with StarPU's files of the
// machine already there (runtime/simulated_machine.hpp).

#include "drivers/simulation/machine_file.hpp"
#include "drivers/simulation/simulated_run.hpp"
#include "drivers/spec/commands.hpp"
#include "program/complain.hpp"
#include "runtime/ranks.hpp"
#include "runtime/simulated_ranks.hpp"

#include <starpu_simgrid_wrap.h> // StarPU has main, and calls ours

#include <csignal>
#include <cstdio>
#include <iostream>
#include <unistd.h>

namespace
{

qcd::ExitStatus run(const std::vector<std::string>& arguments)
{
    using namespace qcd;
    Command command = parse(arguments);
    auto* const options = std::get_if<SimulateSpec>(&command);
    if (!options) throw Error("this program only simulates: see qcd_starpu simulate --help");
    if (options->run.output.json() == "-") std::cout.rdbuf(std::cerr.rdbuf());
#ifdef QCD_SIMULATED_RANKS
    const std::unique_ptr<Ranks> ranks = simulated_ranks();
    if (!ranks->speaks()) {
        options->run.output.quiet = true;
        options->run.output.json = std::string();
        options->run.output.trace = std::string();
    }
    Ranks& all = *ranks;
#else
    Ranks& all = one_rank();
#endif
    const ExitStatus status = run_simulated(*options, machine_of(options->machine()), all);
    if (!std::cout.flush()) throw Error("stdout: cannot be written");
    return status;
}

} // namespace

int main(int argc, char** argv)
{
    std::signal(SIGPIPE, SIG_IGN);
    try {
        return run({argv + 1, argv + argc});
    } catch (const std::exception& e) {
        const auto [line, status] = qcd::failure_of(e);
        qcd::complain(line);
        std::fflush(nullptr);
        _exit(status); // SimGrid has no end in which its other processes are not looked for
    }
}
