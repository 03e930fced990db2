#include "drivers/lines.hpp"
#include "drivers/simulation/simulated_run.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ostream>

namespace qcd
{

namespace
{

std::string described(const SimulatedMachine& m)
{
    std::string text = fmt::format("{}: {} cores", m.name, m.cores);
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
    for (const char* key : {"guess",      "resumed",          "checkpoint",    "stencil",
                            "split",      "launch_shapes",    "cg_iterations", "messages",
                            "sloppy",     "ending",           "residual",      "converged",
                            "verified",   "residual_history", "solution",      "energy",
                            "peak_bytes", "load_average",     "peaks",         "triad_gb_per_s"})
        j.erase(key);
    j["gauge"].erase("plaquette");
    j["gauge"].erase("link_trace");
    j["seconds"] = {{"solve", r.seconds.solve}, {"simulation", r.seconds.setup}};
    j["machine"] = {{"name", m.name},
                    {"about", m.about},
                    {"cores", m.cores},
                    {"cuda", m.cuda.count},
                    {"opencl", m.opencl.count}};
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
    lines.add("workers", "{} CPU, {} CUDA, {} OpenCL; scheduler {}", r.workers.cpu, r.workers.cuda,
              r.workers.opencl, r.plan->scheduler);
    lines.add("tiles", "{} = {}", to_string(r.plan->tiles()), volume(r.plan->tiles()));
    print_plan(out, *r.plan, r.command);
    out << "predicted\n";
    lines.add("time", "solve {:.4f} s, {} iterations; simulated in {:.2f} s", r.seconds.solve,
              r.iterations, r.seconds.setup);
    lines.add("speed", "{:.2f} GFLOPS in the solve (1320 flop per site of a hopping term)",
              r.gflops);
    lines.add("tasks", "{}; {:.3f} MB moved between memories", r.tasks,
              double(r.bytes_moved) / 1e6);
    out << fmt::format("  {:<28}{:<7}{:>8}{:>11}{:>10}{:>10}\n", "kernel", "worker", "calls",
                       "mean us", "GFLOPS", "GB/s");
    for (const KernelRate& k : r.kernels)
        out << fmt::format("  {:<28}{:<7}{:>8}{:>11.1f}{:>10.2f}{:>10.2f}\n", k.name, k.worker,
                           k.count, k.mean_us, k.gflops, k.gb_per_s);
}

} // namespace qcd
