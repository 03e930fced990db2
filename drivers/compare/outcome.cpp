#include "drivers/compare/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace qcd
{

namespace
{

std::size_t group_of(const std::string& kernel)
{
    enum { hopping, faces, updates, sums, other };
    const auto is = [&](const char* name) { return kernel.starts_with(name); };
    const auto has = [&](const char* word) { return kernel.find(word) != std::string::npos; };
    if (is_stencil(kernel)) return hopping;
    if (is("pack_faces") || is("ladder_xcopy")) return faces;
    if (is("ladder_xaxpy") || is("ladder_xscal")) return updates;
    if (is("link_heatbath") || is("link_overrelax") || is("link_reunitarize")) return updates;
    if ((has("_update_") || has("_residual_f") || is("xpay")) && !is("last_")) return updates;
    return is("chiral_scale") ? other : sums;
}

/// Seconds of a solve by group of kernels. On cores all calls were timed. On devices some
/// iterations were timed apart, which gives shares of the seconds that the workers were busy.
std::vector<double> seconds_by_group(const RunReport& r, bool devices)
{
    std::vector<double> seconds(kernel_groups.size(), 0.0);
    for (const KernelRate& k : r.kernels)
        if ((k.worker != "CPU") == devices)
            seconds[group_of(k.name)] += 1e-6 * k.mean_us * double(k.count);
    const double busy = devices ? r.seconds.devices_busy : r.seconds.cores_busy;
    const double timed = std::accumulate(seconds.begin(), seconds.end(), 0.0);
    for (double& s : seconds) s = timed > 0 ? s * busy / timed : busy > 0 ? unknown : 0;
    return seconds;
}

/// What is measured of a run, by its name.
std::map<std::string, double> quantities_of(const RunReport& r)
{
    const double all = r.seconds.solve * r.workers.all();
    const double idle = std::max(0.0, all - r.seconds.cores_busy - r.seconds.devices_busy);
    std::map<std::string, double> q{{"setup_seconds", r.seconds.setup},
                                    {"allocation_seconds", r.seconds.allocation},
                                    {"bus_seconds", r.seconds.bus},
                                    {"bytes_moved", double(r.bytes_moved)},
                                    {"gflops", r.gflops},
                                    {"tasks", double(r.tasks)},
                                    {"cores_seconds", r.seconds.cores_busy},
                                    {"devices_seconds", r.seconds.devices_busy},
                                    {"idle_seconds", idle},
                                    {"idle_percent", all > 0 ? 100 * idle / all : unknown}};
    for (const bool devices : {false, true}) {
        const std::vector<double> seconds = seconds_by_group(r, devices);
        for (std::size_t g = 0; g < seconds.size(); ++g)
            q[quantity_of(devices ? "devices" : "cores", kernel_groups[g])] = seconds[g];
    }
    return q;
}

} // namespace

std::string quantity_of(const std::string& kind, const std::string& group)
{
    return fmt::format("{}_{}_seconds", kind, group);
}

std::vector<std::string> compare_quantities()
{
    std::vector<std::string> names{
        "setup_seconds", "allocation_seconds", "bus_seconds",    "bytes_moved", "gflops",
        "tasks",         "cores_seconds",      "devices_seconds"};
    for (const char* kind : {"cores", "devices"})
        for (const std::string& group : kernel_groups) names.push_back(quantity_of(kind, group));
    names.insert(names.end(), {"idle_seconds", "idle_percent"});
    return names;
}

bool is_stencil(const std::string& kernel)
{
    const auto is = [&](const char* name) { return kernel.starts_with(name); };
    return is("hopping") || is("hop_inside") || is("hop_border") || is("linked_hop") ||
           is("ladder_stencil") || is("ladder_xgemm");
}

std::string failure_of(const RunReport& r)
{
    const ExitStatus status = exit_status(r);
    if (status == exit_verify_failed)
        return fmt::format("not verified: |b - D x|/|b| is {:.2e}", r.residual.recomputed);
    return status == exit_converged ? ""
                                    : fmt::format("not converged in {} iterations", r.iterations);
}

std::string digest_of(const RunReport& r)
{
    const bool both = r.workers.cpu > 0 && r.workers.devices() > 0;
    return r.stencil && both ? "" : r.solution.digest;
}

experiment::Outcome outcome_of(const RunReport& r)
{
    experiment::Outcome o{r.seconds.solve, {}, digest_of(r), failure_of(r)};
    const std::map<std::string, double> quantities = quantities_of(r);
    for (const std::string& name : compare_quantities()) o.values.push_back(quantities.at(name));
    return o;
}

} // namespace qcd
