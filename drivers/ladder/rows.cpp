#include "drivers/ladder/rows.hpp"

#include "drivers/compare/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace qcd
{

namespace
{

void set_workers(ExecutionSpec& m, LadderDevice device, int cores)
{
    m.cpus = 0, m.cuda = 0, m.opencl = 0;
    m.cores_per_worker = 1;
    switch (device) {
    case LadderDevice::core:
        m.cpus = 1;
        break;
    case LadderDevice::cores:
        m.cpus = cores;
        break;
    case LadderDevice::opencl:
        m.opencl = 1;
        break;
    case LadderDevice::cuda:
        m.cuda = 1;
        break;
    }
}

} // namespace

std::vector<LadderRow> ladder_rows(const LadderSpec& o, const std::vector<LadderDevice>& devices,
                                   int cores)
{
    std::vector<LadderRow> rows;
    for (const LadderDevice device : devices) {
        const bool on_device = device == LadderDevice::opencl || device == LadderDevice::cuda;
        for (const LadderVersion* version : o.versions()) {
            if (version && on_device && !version->on_devices) continue;
            const bool choice = version && on_device && version->full_groups;
            for (const int multiple : choice ? o.multiples() : std::vector<int>{0}) {
                LadderRow row{device, o.run, {}};
                row.options.output.quiet = true;
                row.options.output.json = std::string();
                row.options.method.ladder = version;
                if (version) row.options.method.links = LinkStorage::full;
                if (choice) row.options.method.multiple = multiple;
                set_workers(row.options.execution, device, cores);
                row.name = row.version();
                if (choice && o.multiples().size() > 1) row.name += fmt::format(" x{}", multiple);
                rows.push_back(std::move(row));
            }
        }
    }
    return rows;
}

int ladder_iterations(const Extents& lattice, int rows, int rounds)
{
    constexpr int of_the_study = 143;
    // Seconds of an iteration on a site: on two cores with other work beside, rows took 0.2e-6 to
    // 3e-6, PoCL's most.
    constexpr double budget = 240, site = 2e-6;
    const double iteration = site * double(volume(lattice)) * rows * (rounds + 1);
    return int(std::clamp(budget / iteration, 1.0, double(of_the_study)));
}

const std::vector<std::string>& ladder_quantities()
{
    static const std::vector<std::string> names{
        "setup_seconds",   "gflops",    "version_gflops", "stencil_gb_per_s",
        "stencil_percent", "registers", "local_bytes",    "occupancy_percent"};
    return names;
}

experiment::Outcome ladder_outcome(const RunReport& r)
{
    double all = 0, stencil = 0, bytes = 0;
    for (const KernelRate& k : r.kernels) {
        const double seconds = k.mean_us * double(k.count);
        all += seconds;
        if (!is_stencil(k.name)) continue;
        stencil += seconds;
        bytes += seconds * k.gb_per_s;
    }
    const auto& facts = r.stencil ? r.stencil->facts : std::nullopt;
    const double own = r.stencil ? r.stencil->flops_a_site / 1320 : 1;
    return {r.seconds.solve,
            {r.seconds.setup, r.gflops, r.gflops * own, stencil > 0 ? bytes / stencil : unknown,
             all > 0 ? 100 * stencil / all : unknown, facts ? facts->registers : unknown,
             facts ? double(facts->local_bytes) : unknown,
             facts ? 100 * facts->occupancy : unknown},
            digest_of(r),
            failure_of(r)};
}

} // namespace qcd
