#include "runtime/ranks.hpp"

#include <dlfcn.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace qcd
{

namespace
{

namespace fs = std::filesystem;

/// Where there is one process, nothing has to go anywhere.
class OneRank final : public Ranks
{
};

const char* first_of(std::initializer_list<const char*> names)
{
    for (const char* name : names)
        if (const char* value = std::getenv(name)) return value;
    return nullptr;
}

[[noreturn]] void throw_no_mpi(const std::string& why)
{
    throw DeviceError("mpirun: this program cannot share a run with other processes: " + why);
}

/// Bits of CPUs that this process may run on, to be compared with those of others.
cpu_set_t own_cpus()
{
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    sched_getaffinity(0, sizeof cpus, &cpus);
    return cpus;
}

/// Has OpenMPI bound this process without being asked to? It gives each of two ranks one core, of
/// however many the host has.
bool bound_by_default()
{
    if (!std::getenv("OMPI_MCA_orte_bound_at_launch")) return false;
    for (char** variable = environ; *variable; ++variable)
        for (const char* asks :
             {"OMPI_MCA_hwloc_base_", "OMPI_MCA_rmaps_", "OMPI_MCA_orte_rankfile"})
            if (std::strncmp(*variable, asks, std::strlen(asks)) == 0) return false;
    return true;
}

/// Returns to the launcher's CPUs, which ranks of a host then share (take_share_of_cores()).
void leave_default_binding()
{
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    if (bound_by_default() && sched_getaffinity(getppid(), sizeof cpus, &cpus) == 0)
        sched_setaffinity(0, sizeof cpus, &cpus);
}

} // namespace

Ranks& one_rank()
{
    static OneRank one;
    return one;
}

bool launched_as_one_of_several()
{
    const char* size = first_of({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"});
    return size ? std::atoi(size) > 1 : std::getenv("PMIX_RANK") != nullptr;
}

int launched_rank()
{
    const char* rank = first_of({"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"});
    return rank ? std::atoi(rank) : 0;
}

std::string launched_apart(const Ranks* ranks)
{
    if (ranks && ranks->several()) return "";
    const char* const step = first_of({"OMPI_COMM_WORLD_SIZE", "PMIX_RANK"})
                                 ? nullptr // of an mpirun in that step
                                 : std::getenv("SLURM_STEP_NUM_TASKS");
    for (const auto& [name, value] :
         {std::pair("SLURM_STEP_NUM_TASKS", step),
          std::pair("PMI_SIZE", static_cast<const char*>(std::getenv("PMI_SIZE")))})
        if (value && std::atoi(value) > 1) return std::string(name) + "=" + value;
    return "";
}

std::string mpi_library()
{
    std::error_code none;
    const fs::path program = fs::read_symlink("/proc/self/exe", none);
    for (const char* folder : {".", "../lib", "../lib64"})
        if (const fs::path file = program.parent_path() / folder / QCD_MPI_LIBRARY;
            fs::exists(file, none))
            return file.lexically_normal();
    return {};
}

std::unique_ptr<Ranks> start_ranks(void (*print)(const std::string&))
{
    if (!launched_as_one_of_several()) return nullptr;
    const std::string file = mpi_library();
    if (file.empty())
        throw_no_mpi(QCD_MPI_LIBRARY " is neither beside it nor in ../lib (StarPU with MPI, and "
                                     "OpenMPI, were not there when it was built)");
    leave_default_binding(); // before MPI's threads begin
    // OpenMPI loads parts of itself that look for its names among the global ones. It stays.
    void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (!library) throw_no_mpi(dlerror());
    void* const make = dlsym(library, make_ranks_name);
    if (!make) throw_no_mpi(file + " is not of this version");
    return std::unique_ptr<Ranks>(reinterpret_cast<MakeRanks*>(make)(print));
}

void take_share_of_cores(Ranks& ranks)
{
    struct Place {
        std::array<char, 64> host{};
        cpu_set_t cpus;
    };
    Place mine{{}, own_cpus()};
    gethostname(mine.host.data(), mine.host.size() - 1);
    const std::vector<Place> places = ranks.all(mine);
    const bool shared = std::all_of(places.begin(), places.end(), [&](const Place& p) {
        return p.host != mine.host || CPU_EQUAL(&p.cpus, &mine.cpus);
    });
    const int count = CPU_COUNT(&mine.cpus), ranks_here = ranks.local_size();
    if (!shared || ranks_here == 1) return;
    const int first =
                  count * ranks.local_rank() / ranks_here, // at least one, of several if need be
        last = std::max(first + 1, count * (ranks.local_rank() + 1) / ranks_here);
    cpu_set_t share;
    CPU_ZERO(&share);
    for (int cpu = 0, i = 0; cpu < CPU_SETSIZE; ++cpu)
        if (CPU_ISSET(cpu, &mine.cpus)) {
            if (i >= first && i < last) CPU_SET(cpu, &share);
            ++i;
        }
    sched_setaffinity(0, sizeof share, &share);
}

} // namespace qcd
