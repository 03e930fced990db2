#include "drivers/plan/command.hpp"

#include "drivers/spec/run_fields.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace qcd
{

RunSpec as_chosen(RunSpec s, const RunPlan& plan, std::optional<double> device_share)
{
    ExecutionSpec& e = s.execution;
    const bool replays = plan.kind == PlanKind::replay;
    e.plan = PlanChoice{.kind = plan.kind,
                        .file = replays && s.execution.plan() ? s.execution.plan()->file : ""};
    if (plan.collects() && !replays) e.plan.to_set()->iterations = plan.iterations;
    e.tiles = std::optional<Extents>();
    e.split = std::optional<Split>();
    e.sched = "";
    if (device_share) {
        e.split = Split{*device_share};
    } else {
        e.tiles = plan.tiles();
        if (plan.scheduler != "none") e.sched = plan.scheduler;
    }
    if (e.sched().empty())
        e.sched_lib = "";
    else if (const char* const library = std::getenv("STARPU_SCHED_LIB");
             library && e.sched_lib().empty())
        e.sched_lib = library;
    e.cpus = plan.workers.cpu;
    e.cores_per_worker =
        plan.workers.cpu > 0 ? std::optional(plan.workers.cores_per_cpu) : std::nullopt;
    e.cuda = plan.workers.cuda;
    e.opencl = plan.workers.opencl;
    return s;
}

std::string equivalent_command(const RunSpec& spec, const RunPlan* plan,
                               std::optional<double> device_share, int threads,
                               const std::string& words)
{
    RunSpec s = plan ? as_chosen(spec, *plan, device_share) : spec;
    s.problem.kappa = kappa_of(spec.problem);
    s.problem.mass = std::optional<double>();
    if (!plan) s.method.links = std::optional<LinkStorage>();
    if (s.execution.engine() == Engine::openmp) s.execution.cpus = threads;
    if (s.execution.rhs() == 1) s.execution.rhs = std::optional<int>();
    if (s.method.iterations())
        s.method.tolerance = std::optional<double>(),
        s.method.max_iterations = std::optional<int>();
    // A checkpoint is of the run that wrote it.
    for (auto* file : {&s.execution.checkpoint.to_set(), &s.execution.resume.to_set()})
        file->clear();
    s.execution.checkpoint_every = std::optional<CheckpointInterval>();
    const long ranks = plan ? volume(plan->rank_grid) : 1;
    std::string command =
        ranks > 1 ? fmt::format("mpirun -n {} qcd_starpu", ranks) : std::string("qcd_starpu");
    if (!words.empty()) command += " " + words;
    return command + " " +
           typed(s, {Role::identity, Role::execution},
                 words.empty() ? std::vector<std::string>{} : std::vector<std::string>{"--source"});
}

} // namespace qcd
