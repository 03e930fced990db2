#include "drivers/simulation/simulator.hpp"

#include "drivers/simulation/temporary_folder.hpp"
#include "lattice/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;

extern char** environ;

namespace qcd
{

namespace
{

fs::path simulator()
{
    std::error_code failed;
    std::vector<fs::path> places;
    if (const char* const asked = std::getenv("QCD_SIMULATOR"); asked && *asked)
        places.push_back(asked);
    const fs::path here = fs::read_symlink("/proc/self/exe", failed).parent_path();
    for (const char* place :
         {"qcd_starpu_sim", "../libexec/qcd_starpu_sim", "../../simulator/bin/qcd_starpu_sim"})
        places.push_back(here / place);
    for (const fs::path& place : places)
        if (access(place.c_str(), X_OK) == 0 && fs::is_regular_file(place, failed)) return place;
    throw DeviceError("simulate: qcd_starpu_sim is not here: ./bootstrap simulator builds it");
}

/// Of the simulated process. StarPU's own costs are those of the machine, not SimGrid's guesses.
std::vector<std::string> environment(const SimulatedMachine& m, const fs::path& folder)
{
    std::vector<std::string> all{
        fmt::format("STARPU_PERF_MODEL_DIR={}", folder.string()),
        fmt::format("STARPU_HOSTNAME={}", simulated_host),
        fmt::format("QCD_SIMULATED_CUDA={}", m.cuda.count),
        "STARPU_SIMGRID_TASK_SUBMIT_COST=0",
        "STARPU_SIMGRID_TASK_PUSH_COST=0",
        "STARPU_SIMGRID_FETCHING_INPUT_COST=0",
        "STARPU_SIMGRID_CUDA_QUEUE_COST=0",
    };
    const auto is_set_here = [&](const std::string& variable) {
        const std::string name = variable.substr(0, variable.find('=') + 1);
        for (const std::string& own : all)
            if (own.starts_with(name)) return true;
        return false;
    };
    std::vector<std::string> others;
    for (char** variable = environ; *variable; ++variable)
        if (!is_set_here(*variable)) others.push_back(*variable);
    all.insert(all.end(), others.begin(), others.end());
    return all;
}

std::vector<char*> pointers(std::vector<std::string>& texts)
{
    std::vector<char*> all;
    for (std::string& text : texts) all.push_back(text.data());
    all.push_back(nullptr);
    return all;
}

} // namespace

int run_simulator(const SimulatedMachine& m, const std::vector<std::string>& arguments,
                  const std::string& said)
{
    const fs::path program = simulator();
    const TemporaryFolder folder;
    write_platform(m, folder.path());
    std::vector<std::string> words{program.string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    words.emplace_back("--log=root.thres:warning"); // SimGrid's, which takes it away
    std::vector<std::string> variables = environment(m, folder.path());
    pid_t child = 0;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (!said.empty())
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, said.c_str(),
                                         O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int failed = posix_spawn(&child, program.c_str(), &actions, nullptr,
                                   pointers(words).data(), pointers(variables).data());
    posix_spawn_file_actions_destroy(&actions);
    if (failed)
        throw Error(fmt::format("{}: cannot be run: {}", program.string(), std::strerror(failed)));
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    throw Error(fmt::format("{}: ended by signal {}", program.string(), WTERMSIG(status)),
                exit_not_converged);
}

} // namespace qcd
