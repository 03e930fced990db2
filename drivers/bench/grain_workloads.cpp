#include "drivers/bench/grain_workloads.hpp"

#include "base/text.hpp"
#include "drivers/bench/bench_operations.hpp"
#include "drivers/bench/heat.hpp"
#include "drivers/run/problem.hpp"
#include "drivers/run/solve_case.hpp"
#include "program/stop.hpp"
#include "tasks/tiling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace qcd
{

namespace
{

constexpr int iterations = 20, hops = 100, heat_steps = 20;
/// On one core a step takes a few ms; parts of 16x16 cells, of which there are 2048, take about one
/// us.
constexpr std::array heat_plane{512, 1024};
constexpr int thinnest_heat = 16;

/// Even-odd CR on the problem of the section runtime_overhead, for so many iterations.
class SolveJob final : public GrainJob
{
public:
    SolveJob(const RunPlan& plan, Precision precision) : case_(made(plan, precision)) {}
    Graph& graph() override { return case_->graph(); }
    void prepare() override { case_->solve().prepare(); }
    void run() override
    {
        case_->solve().iterate(
            {.tol = 0, .max_iterations = iterations, .progress = {}, .stop = &stop_requested});
    }
    std::string digest() override { return fmt::format("{:016x}", case_->solve().y().digest()); }

private:
    static std::unique_ptr<Case> made(const RunPlan& plan, Precision precision)
    {
        const auto links = open_gauge("weak:0.2", plan.lattice);
        constexpr double mass = -0.15;
        return std::make_unique<Case>(DiracProblem{.dirac = {1 / (2 * (mass + 4)), 0},
                                                   .precision = precision,
                                                   .links = default_links(*links, precision)},
                                      plan, *links, *open_spinor_source("random:1", plan.lattice));
    }
    std::unique_ptr<Case> case_;
};

/// Hops to the even sites, with the faces that they need, one after another.
class HopJob final : public GrainJob
{
public:
    HopJob(const RunPlan& plan, Precision precision)
        : graph_(plan.tiling(), plan, plan.rank_grid, 1),
          fields_(graph_, precision, LinkStorage::full)
    {
    }
    Graph& graph() override { return graph_; }
    void run() override
    {
        for (int i = 0; i < hops; ++i) hop().submit(fields_);
        graph_.wait();
    }
    std::string digest() override { return result_of(hop(), fields_); }

private:
    static const BenchOperation& hop()
    {
        const auto& all = bench_operations();
        return *std::find_if(all.begin(), all.end(), [](const BenchOperation& op) {
            return std::string_view(op.name) == "hopping";
        });
    }
    LatticeGraph graph_;
    BenchFields fields_;
};

class HeatJob final : public GrainJob
{
public:
    HeatJob(int cores_per_worker, const std::vector<int>& parts)
        : graph_(Plan{.cores_per_worker = cores_per_worker}),
          heat_(graph_, {heat_plane, Grid<2>::Coord{parts[0], parts[1]}}, initial())
    {
    }
    Graph& graph() override { return graph_; }
    void run() override
    {
        for (int i = 1; i <= heat_steps; ++i) {
            const Graph::Iteration mark(graph_, i);
            heat_.step();
        }
        graph_.wait();
    }
    std::string digest() override
    {
        std::uint64_t digest = 14695981039346656037u; // FNV-1a
        for (const int cell : heat_.cells()) digest = (digest ^ unsigned(cell)) * 1099511628211u;
        return fmt::format("{:016x}", digest);
    }

private:
    static std::vector<int> initial()
    {
        std::vector<int> u(std::size_t(heat_plane[0]) * heat_plane[1]);
        for (std::size_t i = 0; i < u.size(); ++i) u[i] = int(i * 2654435761u >> 12 & 0xfffff);
        return u;
    }
    Graph graph_;
    Heat heat_;
};

std::vector<GrainWorkload> all_workloads(const BenchSpec& o)
{
    const Precision p = o.precisions().front();
    const Extents& l = o.lattices().front();
    const std::vector<int> lattice(l.begin(), l.end());
    const std::string in = fmt::format(" in {}", to_string(p));
    // Kernels take as long for a block whose lanes are empty as for a full one.
    const auto blocks = [l](const std::vector<int>& parts) {
        return double(Tiling(l, {parts[0], parts[1], parts[2], parts[3]}).shape(0).blocks);
    };
    const auto cells = [](const std::vector<int>& parts) {
        return double(heat_plane[0] / parts[0]) * (heat_plane[1] / parts[1]);
    };
    const auto plan = [l, p](const BenchSession& session) { return session.plan(l, p); };
    return {
        {.name = "solve",
         .what = "iterations of even-odd CR" + in,
         .steps = iterations,
         .extents = lattice,
         .thinnest = tile_granularity,
         .work = blocks,
         .make = [=](const BenchSession& s,
                     const std::vector<int>&) { return std::make_unique<SolveJob>(plan(s), p); }},
        {.name = "hop",
         .what = "hops to the even sites" + in,
         .steps = hops,
         .extents = lattice,
         .thinnest = tile_granularity,
         .work = blocks,
         .make = [=](const BenchSession& s,
                     const std::vector<int>&) { return std::make_unique<HopJob>(plan(s), p); }},
        {.name = "heat",
         .what = "steps of heat in whole numbers",
         .steps = heat_steps,
         .extents = {heat_plane.begin(), heat_plane.end()},
         .thinnest = thinnest_heat,
         .work = cells,
         .on_lattice = false,
         .on_devices = false,
         .make = [](const BenchSession& s, const std::vector<int>& parts) {
             return std::make_unique<HeatJob>(s.workers().counts.cores_per_cpu, parts);
         }}};
}

} // namespace

std::vector<GrainWorkload> grain_workloads(const BenchSpec& o)
{
    std::vector<GrainWorkload> all = all_workloads(o), chosen;
    const auto is_part_of = [](const std::string& part, const GrainWorkload& w) {
        return w.name.find(part) != std::string::npos;
    };
    for (const std::string& part : o.ops())
        if (std::none_of(all.begin(), all.end(),
                         [&](const GrainWorkload& w) { return is_part_of(part, w); }))
            throw Error("--ops: with --grain {} is in none of the names solve, hop, heat",
                        qcd::quoted(part));
    for (const GrainWorkload& w : all)
        if (o.ops().empty() || std::any_of(o.ops().begin(), o.ops().end(),
                                           [&](const auto& part) { return is_part_of(part, w); }))
            chosen.push_back(w);
    return chosen;
}

} // namespace qcd
