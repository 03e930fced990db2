#include "drivers/recorders.hpp"

#include "drivers/commands.hpp"
#include "drivers/machine/devices.hpp"
#include "drivers/machine/starpu_facts.hpp"
#include "drivers/provenance.hpp"
#include "runtime/machine_probe.hpp"
#include "traces/recording.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <iostream>

namespace qcd
{

namespace
{

/// What a trace tells of the run that it is of.
std::vector<std::pair<std::string, std::string>> describe(const RunReport& r,
                                                          const cli::OutputOptions& o)
{
    std::vector<std::pair<std::string, std::string>> about{
        {"command", r.command},
        {"arguments", fmt::format("{}", fmt::join(o.arguments, " "))},
        {"program", cli::version_line()},
        {"date", utc(o.started)},
        {"cpu", probe_machine().cpu_model}};
    if (r.workers.devices() > 0)
        about.emplace_back("gpus", fmt::format("{}", fmt::join(gpu_names(find_devices()), ", ")));
    about.emplace_back("starpu", starpu_build().version);
    about.emplace_back("lattice", to_string(r.plan->lattice));
    about.emplace_back("tiles", to_string(r.plan->tiles()));
    about.emplace_back("plan", to_string(*r.plan));
    return about;
}

} // namespace

Recorders::Recorders(const cli::OutputOptions& o)
{
    if (!o.trace.empty()) folder_.emplace(o.trace);
    if (!o.trace_fxt.empty()) fxt_.emplace(o.trace_fxt);
}

std::optional<int> Recorders::every_batch(const WorkerCounts& w) const
{
    if (!folder_) return std::nullopt;
    return w.only_cores() ? 1 : every_batch_on_devices;
}

void Recorders::begin(Graph&, const Session&)
{
    if (folder_) transfers_.emplace();
    if (fxt_) fxt_->start();
}

void Recorders::end(const std::vector<WorkDone>&, const WorkerCounts&, Events* events)
{
    if (fxt_) fxt_->stop();
    if (!folder_ || !events) return;
    all_events_ = events->kept_all();
    const std::vector<Event> recorded = events->take();
    trace_ = make_trace(recorded, transfers_->take(), events->began());
    transfers_.reset();
}

void Recorders::write(const RunReport& r, const cli::OutputOptions& o,
                      const std::function<void(const std::function<void()>&)>& attempt)
{
    attempt([&] {
        if (!folder_) return;
        trace_.about = describe(r, o);
        if (!all_events_)
            note(fmt::format("{}: of each worker the first {} events alone", o.trace,
                             Events::most_kept),
                 o);
        const Profile profile = make_profile(trace_);
        folder_->write(trace_, profile);
        if (!o.quiet) print_text(std::cout, profile);
    });
    attempt([&] {
        if (!fxt_) return;
        const Profile profile = fxt_->convert(r.all_tasks);
        if (!o.quiet && !folder_) print_text(std::cout, profile);
    });
}

} // namespace qcd
