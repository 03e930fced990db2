#include "drivers/simulation/simulator.hpp"

#include "base/error.hpp"
#include "base/temporary_folder.hpp"

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

/// The simulator of one node, or what is loaded for each of several.
fs::path simulator(bool several)
{
    std::error_code failed;
    std::vector<fs::path> places;
    if (const char* const asked = std::getenv("QCD_SIMULATOR"); asked && *asked)
        places.push_back(std::string(asked) + (several ? "_ranks" : ""));
    const fs::path here = fs::read_symlink("/proc/self/exe", failed).parent_path();
    for (const char* place :
         {"qcd_starpu_sim", "../libexec/qcd_starpu_sim", "../../simulator/bin/qcd_starpu_sim"})
        places.push_back((here / place).string() + (several ? "_ranks" : ""));
    for (const fs::path& place : places)
        if (access(place.c_str(), X_OK) == 0 && fs::is_regular_file(place, failed)) return place;
    throw DeviceError("simulate: qcd_starpu_sim{} is not here: ./bootstrap simulator "
                      "builds it",
                      several ? "_ranks" : "");
}

/// Environment of the simulated process. StarPU's own costs are those of the machine, not SimGrid's
/// guesses.
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

/// SMPI starts a rank on each node, of the program that `words` begin with.
std::vector<std::string> on_all_nodes(const SimulatedMachine& m, const fs::path& folder,
                                      const std::vector<std::string>& words)
{
    std::vector<std::string> all{"smpirun",
                                 "-platform",
                                 (folder / all_nodes).string(),
                                 "-hostfile",
                                 (folder / node_hosts).string(),
                                 "-np",
                                 fmt::format("{}", m.nodes)};
    all.insert(all.end(), words.begin(), words.end());
    const fs::path copies = fs::absolute(folder);
    // A message takes what the machine's file says. SMPI's own factors, up to 12 times the latency
    // and down to a third of the bandwidth, are those of a cluster on gigabit Ethernet.
    all.insert(all.end(), {"--cfg=smpi/lat-factor:0:1", "--cfg=smpi/bw-factor:0:1",
                           "--cfg=smpi/privatization:dlopen", "--cfg=smpi/simulate-computation:no",
                           "--cfg=smpi/tmpdir:" + copies.string(), "--cfg=contexts/stack-size:8192",
                           "--log=ker_lmm.thres:error"}); // of what is left at the end
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
    const fs::path program = simulator(m.nodes > 1);
    const TemporaryFolder folder;
    write_platform(m, folder.path());
    std::vector<std::string> words{program.string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    words.emplace_back("--log=root.thres:warning"); // SimGrid's, which takes it away
    if (m.nodes > 1) words = on_all_nodes(m, folder.path(), words);
    std::vector<std::string> variables = environment(m, folder.path());
    pid_t child = 0;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (!said.empty())
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, said.c_str(),
                                         O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int failed = posix_spawnp(&child, words.front().c_str(), &actions, nullptr,
                                    pointers(words).data(), pointers(variables).data());
    posix_spawn_file_actions_destroy(&actions);
    if (failed == ENOENT && m.nodes > 1)
        throw DeviceError(
            "simulate: smpirun, which starts the nodes, is not here (libsimgrid-dev)");
    if (failed) throw Error("{}: cannot be run: {}", program.string(), std::strerror(failed));
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    throw Error(fmt::format("{}: ended by signal {}", program.string(), WTERMSIG(status)),
                exit_not_converged);
}

} // namespace qcd
