#include "base/text.hpp"
#include "drivers/run/run_report.hpp"
#include "drivers/simulation/simulated_run.hpp"
#include "program/lines.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ostream>

namespace qcd
{

namespace
{

std::string described(const SimulatedMachine& m)
{
    std::string text = fmt::format(
        "{}: {}{} cores", m.name, m.nodes > 1 ? fmt::format("{} nodes of ", m.nodes) : "", m.cores);
    if (m.cuda.count > 0) text += fmt::format(", {} x {} (CUDA)", m.cuda.count, m.cuda.model);
    if (m.opencl.count > 0)
        text += fmt::format(", {} x {} (OpenCL)", m.opencl.count, m.opencl.model);
    return text;
}

} // namespace

nlohmann::ordered_json simulation_json(const RunReport& r, const SimulatedMachine& m)
{
    nlohmann::ordered_json j = to_json(r);
    // What no kernel has found, and what this machine is like.
    for (const char* key : {"asked",          "guess",         "guess_phases",
                            "resumed",        "checkpoint",    "stencil",
                            "split",          "cg_iterations", "messages",
                            "sloppy",         "ending",        "residual",
                            "converged",      "verified",      "residual_history",
                            "solution",       "rhs",           "energy",
                            "peak_bytes",     "load_average",  "peaks",
                            "triad_gb_per_s", "triad_in_cache"})
        j.erase(key);
    j["gauge"].erase("plaquette");
    j["gauge"].erase("link_trace");
    j["seconds"] = {{"solve", r.seconds.solve}, {"simulation", r.seconds.setup}};
    j["machine"] = {{"name", m.name},   {"about", m.about},     {"nodes", m.nodes},
                    {"cores", m.cores}, {"cuda", m.cuda.count}, {"opencl", m.opencl.count}};
    return j;
}

void print_simulation(std::ostream& out, const RunReport& r, const SimulatedMachine& m)
{
    Lines lines(out);
    out << "D x = b, simulated: no kernel has run\n";
    lines.add("machine", "{}", described(m));
    lines.add("lattice", "{} = {} sites", to_string(r.problem.lattice), volume(r.problem.lattice));
    lines.add("method", "{}{}, {} precision, {} reals per link", r.solver,
              r.even_odd ? ", even-odd preconditioned" : "", r.problem.precision, r.links);
    lines.add("workers", "{}; scheduler {}", to_string(r.workers), r.plan->scheduler);
    if (volume(r.plan->tiles()) > 1)
        lines.add("tiles", "{} = {}", to_string(r.plan->tiles()), volume(r.plan->tiles()));
    print_plan(out, *r.plan, r.command);
    out << "predicted\n";
    lines.add("time", "solve {} s, {} iterations; simulated in {} s", figure(r.seconds.solve, 4),
              r.iterations, figure(r.seconds.setup));
    lines.add("speed", "{} GFLOPS in the solve (1320 flop per site of a hopping term)",
              figure(r.gflops));
    lines.add("tasks", "{}", tasks_and_transfers(r));
    out << fmt::format("  {:<28}{:<7}{:>8}{:>11}{:>10}{:>10}\n", "kernel", "worker", "calls",
                       "mean us", "GFLOPS", "GB/s");
    for (const KernelRate& k : r.kernels)
        out << fmt::format("  {:<28}{:<7}{:>8}{:>11.1f}{:>10.1f}{:>10.1f}\n", k.name, k.worker,
                           k.count, k.mean_us, k.gflops, k.gb_per_s);
}

} // namespace qcd
