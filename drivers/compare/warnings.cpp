#include "drivers/compare/warnings.hpp"

#include "runtime/opencl_program.hpp"
#include "runtime/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace qcd
{

namespace
{

// Where a warning begins. A task costs StarPU some microseconds; transfers hide behind kernels
// where they take little; of a calibrated model the mean is within some percent.
constexpr double short_task = 100e-6;   // seconds
constexpr double too_many_bytes = 2;    // times what is needed ...
constexpr double long_transfers = 0.05; // ... that would take this share of the solve
constexpr double wrong_model = 1.5;     // measured over predicted, or the inverse
constexpr double scattered = 0.5;       // standard deviation over mean
constexpr double idle_load = 0.5;       // load average of a machine that does nothing else

/// How bad it is, in words; empty: not at all.
using Judge = std::function<std::string(const CaseFacts&)>;

/// The cases that it is said of, each with its words: three of them, and how many more.
std::string listed(const WarningsFor& w, const Judge& judge)
{
    constexpr int most = 3;
    std::string text;
    int count = 0;
    for (std::size_t i = 0; i < w.cases.size(); ++i) {
        const std::string words = w.cases[i] ? judge(*w.cases[i]) : "";
        if (words.empty() || ++count > most) continue;
        text += fmt::format("{}{} ({})", text.empty() ? "" : "; ", w.names[i], words);
    }
    if (count > most) text += fmt::format("; and {} more", count - most);
    return text;
}

std::string short_tasks(const CaseFacts& f)
{
    if (f.median_task <= 0 || f.median_task >= short_task) return "";
    return fmt::format("{:.0f} us", 1e6 * f.median_task);
}

std::string many_bytes(const CaseFacts& f)
{
    if (f.bus_gb_per_s <= 0 || f.bytes_moved <= too_many_bytes * f.bytes_needed) return "";
    const double share = f.bytes_moved / (1e9 * f.bus_gb_per_s) / f.seconds;
    if (share < long_transfers) return "";
    return fmt::format("{:.1f} MB, {:.1f} needed; {:.0f}% of the time at {:.1f} GB/s",
                       1e-6 * f.bytes_moved, 1e-6 * f.bytes_needed, 100 * share, f.bus_gb_per_s);
}

/// The model that is furthest off.
std::string models(const CaseFacts& f)
{
    const auto badness = [](const CaseFacts::Model& m) {
        return std::max(std::abs(std::log(m.ratio)) / std::log(wrong_model),
                        m.deviation / scattered);
    };
    const auto worst =
        std::max_element(f.models.begin(), f.models.end(),
                         [&](const auto& a, const auto& b) { return badness(a) < badness(b); });
    if (worst == f.models.end() || badness(*worst) <= 1) return "";
    return fmt::format("{} on {}: {:.2g} times what was predicted, +- {:.0f}%", worst->operation,
                       worst->kind, worst->ratio, 100 * worst->deviation);
}

std::string crowded(const WarningsFor& w, const CaseFacts& f)
{
    const int there = w.machine.cores;
    const int on_cores = std::max(0, f.workers.opencl - w.opencl_gpus);
    const int of_each = w.pocl_cores > 0 ? std::min(w.pocl_cores, there) : there;
    const int all = f.workers.cores() + on_cores * of_each;
    if (all <= there) return "";
    return fmt::format("{} for {}", all, there);
}

std::string nothing_to_choose(const CaseFacts& f)
{
    if (!f.scheduler_asked) return "";
    if (!has_scheduler(f.plan)) return fmt::format("plan {}", to_string(f.plan));
    return f.workers.all() == 1 ? "one worker" : "";
}

} // namespace

WarningsFor warnings_for(const experiment::Design& d, const Looks& looks)
{
    WarningsFor w{.load_before = looks.load_before(),
                  .machine = probe_machine(),
                  .opencl_gpus = opencl_devices(false),
                  .pocl_cores = pocl_cores()};
    for (std::size_t i = 0; i < d.cases.size(); ++i) {
        w.names.push_back(d.cases[i].name);
        std::optional<CaseFacts> facts = looks.facts(int(i));
        for (const experiment::Factor& f : d.cases[i].factors)
            if (facts && f.key == "sched") facts->scheduler_asked = !f.value.empty();
        w.cases.push_back(facts);
    }
    return w;
}

std::vector<std::string> warnings_of(const WarningsFor& w)
{
    std::vector<std::string> all;
    const auto add = [&](const Judge& judge, const std::string& what, const std::string& change) {
        const std::string cases = listed(w, judge);
        if (!cases.empty()) all.push_back(fmt::format("{}: {}: {}", what, cases, change));
    };
    add(short_tasks, "half of the tasks take less than 100 us",
        "what StarPU takes for a task counts: fewer tiles, or --plan batch");
    add(many_bytes, "more than twice the bytes needed moved over the bus",
        "tiles that stay where they are (--plan pinned, --split), or another scheduler (dmdar)");
    add(models, "a performance model is stale or scattered",
        "calibrate it again (STARPU_CALIBRATE=2) on a machine that does nothing else");
    add([&](const CaseFacts& f) { return crowded(w, f); }, "more threads than cores",
        "they take turns: fewer workers, and for OpenCL on cores POCL_MAX_PTHREAD_COUNT");
    if (w.load_before && *w.load_before > idle_load)
        all.push_back(fmt::format("the machine is busy: the load average was {:.1f} before the "
                                  "first run: end what else runs, or take more rounds",
                                  *w.load_before));
    add(nothing_to_choose, "the scheduler had nothing to choose",
        "such cases differ by chance alone: --plan graph and several workers");
    return all;
}

} // namespace qcd
