#include "drivers/plan/ladder_plan.hpp"

#include "base/error.hpp"
#include "drivers/spec/dirac_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace qcd
{

namespace
{

/// What a stencil task on the thickest slab reads and writes; its faces are small beside it.
std::size_t task_bytes(const RunPlan& p, const LadderProblem& problem)
{
    const auto& slabs = p.thickness[3];
    const std::size_t all =
        2 * LadderField::bytes(p.lattice, problem.precision) +
        LadderDirac::bytes(p.lattice, 1, problem.precision, problem.stencil.version);
    return all / std::size_t(p.lattice[3]) *
           std::size_t(*std::max_element(slabs.begin(), slabs.end()));
}

/// The share of the lattice that the device with the largest one has; 0: nobody owns slabs.
double largest_share(const RunPlan& p, const Workers& w)
{
    std::map<int, int> slices;
    for (std::size_t tile = 0; tile < p.owners.size(); ++tile)
        if (const int worker = p.owners[tile];
            std::find(w.cpu.begin(), w.cpu.end(), worker) == w.cpu.end())
            slices[worker] += p.thickness[3][tile];
    int most = 0;
    for (const auto& [worker, n] : slices) most = std::max(most, n);
    return double(most) / p.lattice[3];
}

void require_memory(const RunPlan& p, const RunSpec& o, const Workers& w)
{
    const LadderProblem problem = ladder_problem_of(o);
    const int tiles = int(p.thickness[3].size());
    if (w.counts.devices() > 0)
        require_device_memory(w, tiles, task_bytes(p, problem),
                              LadderSolve::bytes(p.lattice, tiles, problem), largest_share(p, w));
}

/// Several GPUs alone have a slab each.
PlanKind chosen(const Workers& w, int slabs)
{
    const bool only_gpus = w.counts.all() > 1 && w.counts.cuda == w.counts.all();
    return only_gpus && slabs == w.counts.all() && !w.scheduler_was_asked_for ? PlanKind::pinned
                                                                              : PlanKind::graph;
}

/// One a worker; in a graph that cores take part in two, so that there is something to choose.
int slabs_for(const RunSpec& o, const Extents& lattice, const Workers& w)
{
    if (o.execution.tiles()) return (*o.execution.tiles())[3];
    const bool pinned = o.execution.plan() && o.execution.plan()->kind == PlanKind::pinned;
    const int each = w.counts.cpu > 0 && w.counts.all() > 1 && !pinned ? 2 : 1;
    return std::min(lattice[3], each * w.counts.all());
}

} // namespace

RunPlan make_ladder_plan(const RunSpec& o, const Extents& lattice, const Workers& w,
                         const SplitLayout* layout)
{
    if (layout && o.execution.plan() && o.execution.plan()->kind != PlanKind::pinned)
        throw Error(fmt::format("--plan {}: with --split each slab has its worker, which is plan "
                                "pinned",
                                to_string(o.execution.plan()->kind)));
    const int slabs = layout ? int(layout->workers.size()) : slabs_for(o, lattice, w);
    if (slabs > lattice[3])
        throw Error(fmt::format("--tiles: {} slabs of {} time slices", slabs, lattice[3]));
    const PlanKind kind = layout               ? PlanKind::pinned
                          : o.execution.plan() ? o.execution.plan()->kind
                                               : chosen(w, slabs);
    RunPlan p = begin_plan(kind, lattice, w);
    if (layout) {
        p.thickness = layout->thickness;
        p.owners = layout->workers;
        p.why = "--split gives each worker its slab";
    } else {
        for (int mu = 0; mu < 3; ++mu) p.thickness[mu] = {lattice[mu]};
        p.thickness[3] = even_split(lattice[3], slabs, 1);
        if (kind == PlanKind::pinned) {
            if (const std::string why = why_not_pinned(w, slabs); !why.empty())
                throw Error(fmt::format("--plan pinned: {}", why));
            p.owners = w.all();
        }
        if (kind == PlanKind::replay) {
            if (const std::string why = why_not_replayed_by(w.counts); !why.empty())
                throw Error(fmt::format("--plan replay: {}", why));
            p.schedules = schedules_for(w, o.execution.plan()->file);
            p.iterations = iterations_for(lattice, w.counts);
        }
    }
    require_memory(p, o, w);
    return p;
}

} // namespace qcd
