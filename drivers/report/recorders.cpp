#include "drivers/report/recorders.hpp"

#include "drivers/compare/bound_report.hpp"
#include "drivers/report/page.hpp"
#include "drivers/spec/commands.hpp"
#include "drivers/trace/trace_report.hpp"
#include "program/complain.hpp"
#include "program/devices.hpp"
#include "program/provenance.hpp"
#include "program/starpu_facts.hpp"
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
std::vector<std::pair<std::string, std::string>> describe(const RunReport& r, const OutputSpec& o)
{
    std::vector<std::pair<std::string, std::string>> about{
        {"command", r.command},
        {"arguments", fmt::format("{}", fmt::join(o.call.arguments, " "))},
        {"program", version_line()},
        {"date", utc(o.call.started)},
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

Recorders::Recorders(const RunSpec& o, Ranks& ranks)
    : traces_(!o.output.trace().empty()), report_(!o.output.report().empty()),
      one_solve_(o.execution.repeat() == 1), ranks_(ranks)
{
    if (traces_ && ranks_.speaks()) folder_.emplace(o.output.trace());
    if (!o.output.trace_fxt().empty()) fxt_.emplace(o.output.trace_fxt());
}

std::optional<int> Recorders::every_batch(const WorkerCounts& w) const
{
    if (!records()) return std::nullopt;
    return w.only_cores() ? 1 : every_batch_on_devices;
}

void Recorders::begin(Graph& graph, const Session& session)
{
    if (records()) {
        transfers_.emplace();
        evictions_.emplace();
        profiling_.emplace();
        session.work(); // from now on
        // The bound is made of every operation: of batches on devices not all are looked into.
        bounds_ = report_ && one_solve_ && !ranks_.several() &&
                  (session.workers().only_cores() || !graph.plan().collects());
        record_.with_graph = traces_ || bounds_;
        if (ranks_.several()) {
            clock_.emplace(ranks_);
            ranks_.note_messages(&messages_);
        }
        record_.begin(graph, session);
    }
    if (fxt_) fxt_->start();
}

void Recorders::end(const std::vector<WorkDone>& work, const WorkerCounts& w, Events* events)
{
    if (fxt_) fxt_->stop();
    if (!records() || !events) return;
    if (clock_) {
        ranks_.note_messages(nullptr);
        ranks_.wait_for_messages();
        clock_->look_again();
    }
    record_.end(work, w, events);
    trace_ = make_trace(record_.events,
                        {transfers_->take(), evictions_->take(), work,
                         record_.graph ? &*record_.graph : nullptr, record_.first},
                        events->began());
    if (!bounds_) record_.graph.reset();
    if (clock_) merge_ranks(events->began());
    transfers_.reset();
    evictions_.reset();
    profiling_.reset();
    if (!record_.graph) record_.events = {}; // as large as the trace, and not needed any more
}

void Recorders::merge_ranks(double began)
{
    record_.all_events = !ranks_.any(!record_.all_events);
    trace_ = merged(ranks_, {std::move(trace_), began, messages_.take()}, *clock_);
}

void Recorders::write(const RunReport& r, const OutputSpec& o,
                      const std::function<void(const std::function<void()>&)>& attempt,
                      const nlohmann::ordered_json* result)
{
    if (!ranks_.speaks()) return;
    if (records()) {
        auto about = describe(r, o);
        about.insert(about.end(), trace_.about.begin(), trace_.about.end());
        trace_.about = std::move(about);
    }
    if (!record_.all_events)
        note(fmt::format("{}: of each worker the first {} events alone",
                         folder_ ? o.trace() : o.report(), Events::most_kept),
             o.quiet());
    attempt([&] {
        if (!report_) return;
        const Page page{result ? *result
                               : with_provenance(to_json(r), o, find_devices(), starpu_build()),
                        to_json(report_of(trace_, o.trace())),
                        record_.graph ? to_json(bound_of(r, record_)) : nlohmann::ordered_json()};
        write_page(o.report(), page, trace_);
    });
    attempt([&] {
        if (!folder_) return;
        const Profile profile = make_profile(trace_);
        folder_->write(trace_, profile);
        if (!o.quiet()) print_text(std::cout, profile);
    });
    attempt([&] {
        if (!fxt_) return;
        const Profile profile = fxt_->convert(r.all_tasks);
        if (!o.quiet() && !folder_) print_text(std::cout, profile);
    });
}

} // namespace qcd
