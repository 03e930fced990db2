#include "program/starpu_facts.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "runtime/scheduler_library.hpp"
#include "runtime/session.hpp"

#include <fmt/format.h>
#include <starpu.h>

#include <algorithm>

namespace qcd
{

namespace
{

// Does StarPU's configuration define the macro (as 1)? One that is not defined stays its own name.
#define QCD_TEXT_OF(macro) #macro
#define QCD_HAS(macro) (QCD_TEXT_OF(macro)[0] == '1')

std::vector<std::pair<std::string, bool>> features()
{
    return {{"CUDA", QCD_HAS(STARPU_USE_CUDA)},    {"OpenCL", QCD_HAS(STARPU_USE_OPENCL)},
            {"FxT", QCD_HAS(STARPU_USE_FXT)},      {"MPI", QCD_HAS(STARPU_USE_MPI)},
            {"hwloc", QCD_HAS(STARPU_HAVE_HWLOC)}, {"GLPK", QCD_HAS(STARPU_HAVE_GLPK_H)},
            {"SimGrid", QCD_HAS(STARPU_SIMGRID)}};
}

std::string starpu_version()
{
    int major = 0, minor = 0, release = 0;
    starpu_get_version(&major, &minor, &release);
    return fmt::format("{}.{}.{}", major, minor, release);
}

std::vector<std::string> worker_names()
{
    std::vector<std::string> names;
    for (unsigned w = 0; w < starpu_worker_get_count(); ++w) {
        char name[128];
        starpu_worker_get_name(int(w), name, sizeof name);
        names.push_back(name);
    }
    return names;
}

} // namespace

bool StarpuBuild::has(const std::string& feature) const
{
    return std::find(features.begin(), features.end(), std::pair(feature, true)) != features.end();
}

StarpuBuild starpu_build()
{
    return {starpu_version(),
            features(),
            {{"workers", STARPU_NMAXWORKERS},
             {"CPU workers", STARPU_MAXCPUS},
             {"CUDA devices", STARPU_MAXCUDADEVS},
             {"OpenCL devices", STARPU_MAXOPENCLDEVS},
             {"memory nodes", STARPU_MAXNODES},
             {"data of a task", STARPU_NMAXBUFS}}};
}

std::vector<std::string> starpu_schedulers(const std::string& library)
{
    std::vector<std::string> names;
    for (starpu_sched_policy** p = starpu_sched_get_predefined_policies(); *p; ++p)
        names.emplace_back((*p)->policy_name);
    if (!library.empty())
        for (const std::string& name : policies_of_library(library)) names.push_back(name);
    return names;
}

void require_scheduler(const std::string& where, const std::string& name,
                       const std::string& library)
{
    const std::vector<std::string> known = starpu_schedulers(library);
    if (std::find(known.begin(), known.end(), name) != known.end()) return;
    if (!library.empty() && library_has_policy(library, name)) return; // not in its list
    throw Error("{}: {} {} (info lists them)", where,
                library.empty() ? "StarPU has no scheduler"
                                : "neither StarPU nor the library has a scheduler",
                qcd::quoted(name));
}

StarpuFacts probe_starpu()
{
    StarpuFacts facts{
        starpu_build(), starpu_schedulers(scheduler_library_of_environment()), {}, {}, {}};
    try {
        const Session session({});
        facts.workers = worker_names();
        facts.scheduler = session.scheduler();
    } catch (const DeviceError& e) {
        facts.failure = e.what();
    }
    return facts;
}

} // namespace qcd
