#include "drivers/trace/trace_report.hpp"

#include "base/text.hpp"
#include "program/lines.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <ostream>

namespace qcd
{

namespace
{

using Json = nlohmann::ordered_json;

/// A bar whose length is the share of the longest possible one.
std::string bar(double share)
{
    constexpr double width = 40;
    return std::string(std::size_t(std::lround(width * std::clamp(share, 0.0, 1.0))), '#');
}

void print_moved(std::ostream& out, const TraceReport& r)
{
    if (r.moved.empty()) return;
    out << "copies between memories\n";
    for (const TraceReport::Moved& m : r.moved)
        out << fmt::format("  {} to {}: {} of {} MB in all\n", m.from, m.to, m.count,
                           figure(1e-6 * m.bytes));
}

void print_evicted(std::ostream& out, const TraceReport& r)
{
    if (r.evicted.empty()) return;
    out << "evictions: buffers that gave way to others\n";
    for (const TraceReport::Evicted& e : r.evicted)
        out << fmt::format("  {}: {} of {} MB in all\n", e.memory, e.count, figure(1e-6 * e.bytes));
}

void print_kernels(std::ostream& out, const Profile& p)
{
    std::size_t longest = 6;
    for (const ProfileRow& row : p.rows) longest = std::max(longest, row.name.size());
    const double worker_ms = p.workers * (p.end_ms - p.start_ms);
    out << fmt::format("kernels: share of worker time, {} x {:.3f} ms; all of it: 40 #\n"
                       "  {:<{}}  {:<7}{:>9}{:>11}{:>12}{:>9}\n",
                       p.workers, p.end_ms - p.start_ms, "kernel", longest, "worker", "count",
                       "mean us", "total ms", "share");
    for (const ProfileRow& row : p.rows)
        out << fmt::format("  {:<{}}  {:<7}{:>9}{:>11}{:>12}{:>8.1f}% {}\n", row.name, longest,
                           row.worker_kind, row.count, figure(row.mean_us), figure(row.total_ms),
                           100 * row.share, bar(row.share));
    constexpr double clock = 1e-6; // ms: less is rounding
    const double idle_ms = p.idle_share * worker_ms;
    out << fmt::format("  {:<{}}  {:<7}{:>9}{:>11}{:>12}{:>8.1f}% {}\n", "no task", longest, "", "",
                       "", idle_ms < clock ? "0" : figure(idle_ms), 100 * p.idle_share,
                       bar(p.idle_share));
}

} // namespace

TraceReport report_of(const Trace& t, const std::string& folder)
{
    TraceReport r;
    r.folder = folder;
    r.about = t.about;
    r.from_ms = 1e3 * t.from;
    r.to_ms = 1e3 * t.to;
    for (const TraceTask& task : t.tasks) {
        if (task.iteration < 0) continue;
        r.first_iteration =
            r.first_iteration < 0 ? task.iteration : std::min(r.first_iteration, task.iteration);
        r.last_iteration = std::max(r.last_iteration, task.iteration);
    }
    std::map<std::pair<int, int>, TraceReport::Moved> moved;
    for (const Transfer& transfer : t.transfers) {
        TraceReport::Moved& m = moved[{transfer.from, transfer.to}];
        ++m.count;
        m.bytes += transfer.bytes;
    }
    for (auto& [nodes, m] : moved) {
        m.from = t.memories[nodes.first];
        m.to = t.memories[nodes.second];
        r.moved.push_back(m);
    }
    std::map<int, TraceReport::Evicted> evicted;
    for (const Eviction& e : t.evictions) {
        ++evicted[e.memory].count;
        evicted[e.memory].bytes += e.bytes;
    }
    for (auto& [memory, e] : evicted) {
        e.memory = t.memories[memory];
        r.evicted.push_back(e);
    }
    r.profile = make_profile(t);
    return r;
}

void print_text(std::ostream& out, const TraceReport& r)
{
    Lines lines(out);
    out << "trace " << r.folder << '\n';
    for (const auto& [key, value] : r.about) lines.add(key.c_str(), "{}", value);
    lines.add("shown", "{:.3f} ms, from {:.3f} to {:.3f} ms after the recording began{}",
              r.wall_ms(), r.from_ms, r.to_ms,
              r.last_iteration < 0
                  ? ""
                  : fmt::format("; iterations {} to {}", r.first_iteration, r.last_iteration));
    lines.add("tasks", "{}, operations inside of batches one by one; median {:.1f} us",
              r.profile.tasks, r.profile.median_task_us);
    out << "workers: overhead is StarPU's, which chooses, begins and ends tasks; data: waiting for "
           "them; idle: the rest\n";
    print_workers(out, r.profile, "  ");
    print_moved(out, r);
    print_evicted(out, r);
    print_messages(out, r.profile, "  ");
    print_kernels(out, r.profile);
}

Json to_json(const TraceReport& r)
{
    Json about = Json::object();
    for (const auto& [key, value] : r.about) about[key] = value;
    const auto iteration = [](int i) { return i < 0 ? Json() : Json(i); };
    Json j{{"folder", r.folder},
           {"about", about},
           {"from_ms", r.from_ms},
           {"to_ms", r.to_ms},
           {"first_iteration", iteration(r.first_iteration)},
           {"last_iteration", iteration(r.last_iteration)},
           {"tasks", r.profile.tasks},
           {"median_task_us", r.profile.median_task_us},
           {"idle_share", r.profile.idle_share}};
    j["workers"] = Json::array();
    const auto known = [](const std::optional<double>& ms) { return ms ? Json(*ms) : Json(); };
    for (const WorkerRow& w : r.profile.of_workers)
        j["workers"].push_back({{"name", w.name},
                                {"device", w.device},
                                {"tasks", w.tasks},
                                {"busy_ms", w.busy_ms},
                                {"overhead_ms", known(w.overhead_ms)},
                                {"waiting_ms", known(w.waiting_ms)},
                                {"idle_ms", w.idle_ms}});
    j["moved"] = Json::array();
    for (const TraceReport::Moved& m : r.moved)
        j["moved"].push_back(
            {{"from", m.from}, {"to", m.to}, {"count", m.count}, {"bytes", m.bytes}});
    j["evicted"] = Json::array();
    for (const TraceReport::Evicted& e : r.evicted)
        j["evicted"].push_back({{"memory", e.memory}, {"count", e.count}, {"bytes", e.bytes}});
    j["messages"] = Json::array();
    for (const MessageRow& m : r.profile.of_messages)
        j["messages"].push_back({{"what", m.what},
                                 {"count", m.count},
                                 {"bytes", m.bytes},
                                 {"median_us", m.median_us},
                                 {"max_us", m.max_us},
                                 {"sending_us", m.sending_us}});
    j["kernels"] = Json::array();
    for (const ProfileRow& row : r.profile.rows)
        j["kernels"].push_back({{"name", row.name},
                                {"worker", row.worker_kind},
                                {"count", row.count},
                                {"mean_us", row.mean_us},
                                {"median_us", row.median_us},
                                {"total_ms", row.total_ms},
                                {"share", row.share}});
    return j;
}

} // namespace qcd
