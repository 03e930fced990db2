#include "traces/profile.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <istream>
#include <map>
#include <ostream>
#include <string_view>

namespace qcd
{

namespace
{

double median(std::vector<double>& values)
{
    std::sort(values.begin(), values.end());
    return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

ProfileRow make_row(const std::string& name, const std::string& kind, std::vector<double>& us)
{
    ProfileRow row;
    row.name = name;
    row.worker_kind = kind;
    row.count = long(us.size());
    double sum = 0;
    for (const double t : us) sum += t;
    row.total_ms = sum / 1000;
    row.mean_us = sum / double(us.size());
    row.median_us = median(us);
    row.min_us = *std::min_element(us.begin(), us.end());
    row.max_us = *std::max_element(us.begin(), us.end());
    return row;
}

/// What is known of it is no more than there is: StarPU counts from the first submission on, and on
/// devices the host's time beside kernels, too.
void share_out(WorkerRow& row, const TraceWorker& w, double wall_ms)
{
    double left = std::max(0.0, wall_ms - row.busy_ms);
    const auto take = [&](const std::optional<double>& seconds) -> std::optional<double> {
        if (!seconds) return std::nullopt;
        const double ms = std::clamp(1e3 * *seconds, 0.0, left);
        left -= ms;
        return ms;
    };
    row.waiting_ms = take(w.waiting);
    row.overhead_ms = take(w.overhead);
    row.idle_ms = left;
}

std::vector<WorkerRow> rows_of_workers(const Trace& t)
{
    std::vector<WorkerRow> rows;
    for (const TraceWorker& w : t.workers) rows.push_back({.name = w.name, .device = w.device});
    for (const TraceTask& task : t.tasks) {
        ++rows[task.worker].tasks;
        rows[task.worker].busy_ms += 1e3 * (task.ended - task.started);
    }
    for (std::size_t w = 0; w < rows.size(); ++w)
        share_out(rows[w], t.workers[w], 1e3 * (t.to - t.from));
    return rows;
}

std::vector<MessageRow> rows_of_messages(const Trace& t)
{
    std::map<std::string, std::pair<std::vector<double>, std::vector<double>>> us; // received, sent
    std::map<std::string, double> bytes;
    for (const TraceMessage& m : t.messages) {
        us[m.what].first.push_back(1e6 * (m.received - m.made));
        us[m.what].second.push_back(1e6 * (m.sent - m.made));
        bytes[m.what] += m.bytes;
    }
    std::vector<MessageRow> rows;
    for (auto& [what, times] : us)
        rows.push_back({what, long(times.first.size()), bytes[what], median(times.first),
                        times.first.back(), median(times.second)});
    return rows;
}

double number_after(const std::string& line, std::size_t key)
{
    const auto number = parse_number<double>(trim(std::string_view(line).substr(key)));
    if (!number) throw Error("tasks.rec: no number in {}", qcd::quoted(line));
    return *number;
}

} // namespace

Profile make_profile(const Trace& trace)
{
    Profile profile;
    profile.tasks = long(trace.tasks.size());
    profile.workers = int(trace.workers.size());
    profile.of_workers = rows_of_workers(trace);
    profile.of_messages = rows_of_messages(trace);
    if (trace.tasks.empty()) return profile;
    profile.start_ms = 1e3 * trace.from;
    profile.end_ms = 1e3 * trace.to;
    std::map<std::pair<std::string, std::string>, std::vector<double>> durations;
    std::vector<double> all;
    all.reserve(trace.tasks.size());
    for (const TraceTask& t : trace.tasks) {
        all.push_back(1e6 * (t.ended - t.started));
        durations[{trace.operations[t.operation], trace.workers[t.worker].kind}].push_back(
            all.back());
    }
    profile.median_task_us = median(all);
    const double worker_ms = profile.workers * (profile.end_ms - profile.start_ms);
    profile.idle_share = 1;
    for (auto& [key, us] : durations) {
        ProfileRow row = make_row(key.first, key.second, us);
        row.share = worker_ms > 0 ? row.total_ms / worker_ms : 0;
        profile.idle_share -= row.share;
        profile.rows.push_back(row);
    }
    constexpr double rounding = 1e-9;
    if (std::abs(profile.idle_share) < rounding) profile.idle_share = 0; // not "-0.0%"
    std::stable_sort(profile.rows.begin(), profile.rows.end(),
                     [](const ProfileRow& a, const ProfileRow& b) { return a.share > b.share; });
    return profile;
}

void print_text(std::ostream& out, const Profile& p)
{
    std::size_t width = 9;
    for (const ProfileRow& r : p.rows) width = std::max(width, r.name.size());
    out << fmt::format(
        "{} tasks on {} worker{} in {:.3f} ms (start of the first task to end of the last);\n"
        "share: of worker time, {} x {:.3f} ms; median task {:.1f} us\n"
        "overhead: StarPU chooses, begins and ends tasks; data: waiting for them; idle: the rest; "
        "-: not known\n\n",
        p.tasks, p.workers, p.workers == 1 ? "" : "s", p.end_ms - p.start_ms, p.workers,
        p.end_ms - p.start_ms, p.median_task_us);
    out << fmt::format("{:<{}}  {:<7}{:>9}{:>11}{:>11}{:>11}{:>11}{:>12}{:>8}\n", "task", width,
                       "worker", "count", "mean us", "median us", "min us", "max us", "total ms",
                       "share");
    for (const ProfileRow& r : p.rows)
        out << fmt::format(
            "{:<{}}  {:<7}{:>9}{:>11.2f}{:>11.2f}{:>11.2f}{:>11.2f}{:>12.3f}{:>7.2f}%\n", r.name,
            width, r.worker_kind, r.count, r.mean_us, r.median_us, r.min_us, r.max_us, r.total_ms,
            100 * r.share);
    out << fmt::format("{:<{}}  {:<72}{:>7.2f}%\n", "idle", width,
                       "outside tasks: waiting, runtime, transfers", 100 * p.idle_share);
    out << '\n';
    print_workers(out, p, "");
    print_messages(out, p, "");
}

void print_messages(std::ostream& out, const Profile& p, const std::string& margin)
{
    if (p.of_messages.empty()) return;
    out << '\n'
        << margin
        << "messages between ranks: us from when the data were made until MPI had sent, and the "
           "other rank received them\n"
        << fmt::format("{}{:<8}{:>9}{:>12}{:>16}{:>20}{:>14}\n", margin, "message", "count", "MB",
                       "median to sent", "median to received", "max");
    for (const MessageRow& m : p.of_messages)
        out << fmt::format("{}{:<8}{:>9}{:>12.3f}{:>16.1f}{:>20.1f}{:>14.1f}\n", margin, m.what,
                           m.count, 1e-6 * m.bytes, m.sending_us, m.median_us, m.max_us);
}

void print_workers(std::ostream& out, const Profile& p, const std::string& margin)
{
    std::size_t longest = 6;
    for (const WorkerRow& w : p.of_workers) longest = std::max(longest, w.name.size());
    const auto known = [](const std::optional<double>& ms) {
        return ms ? fmt::format("{:.3f}", *ms) : "-";
    };
    const double wall = p.end_ms - p.start_ms;
    out << fmt::format("{}{:<{}}{:>10}{:>12}{:>14}{:>12}{:>12}{:>9}  device\n", margin, "worker",
                       longest, "tasks", "busy ms", "overhead ms", "data ms", "idle ms", "busy");
    for (const WorkerRow& w : p.of_workers)
        out << fmt::format("{}{:<{}}{:>10}{:>12.3f}{:>14}{:>12}{:>12.3f}{:>8.2f}%  {}\n", margin,
                           w.name, longest, w.tasks, w.busy_ms, known(w.overhead_ms),
                           known(w.waiting_ms), w.idle_ms, wall > 0 ? 100 * w.busy_ms / wall : 0,
                           w.device);
}

void print_csv(std::ostream& out, const Profile& p)
{
    out << "task,worker,count,mean_us,median_us,min_us,max_us,total_ms,share\n";
    for (const ProfileRow& r : p.rows)
        out << fmt::format("{},{},{},{:.3f},{:.3f},{:.3f},{:.3f},{:.6f},{:.6f}\n", r.name,
                           r.worker_kind, r.count, r.mean_us, r.median_us, r.min_us, r.max_us,
                           r.total_ms, r.share);
    out << fmt::format("idle,,,,,,,{:.6f},{:.6f}\n",
                       p.idle_share * p.workers * (p.end_ms - p.start_ms), p.idle_share);
}

Trace read_task_records(std::istream& in, const std::vector<std::string>& worker_kinds)
{
    // Records are lines "Key: value", with an empty line behind each.
    Trace trace;
    for (std::size_t w = 0; w < worker_kinds.size(); ++w)
        trace.workers.push_back({std::to_string(w), worker_kinds[w], ""});
    std::map<std::string, int> numbers; // of operations
    std::string name;
    TraceTask task;
    bool started = false, ended = false;
    const auto value_of = [](const std::string& line, std::string_view key) {
        return line.starts_with(key) ? key.size() : 0;
    };
    for (std::string line; std::getline(in, line);) {
        if (line.empty()) {
            if (started && ended && !name.empty()) {
                if (task.worker < 0 || task.worker >= int(worker_kinds.size()))
                    throw Error("tasks.rec: task {} ran on worker {} of {}", qcd::quoted(name),
                                task.worker, worker_kinds.size());
                const auto [known, isnew] = numbers.try_emplace(name, int(numbers.size()));
                if (isnew) trace.operations.push_back(name);
                task.operation = known->second;
                trace.tasks.push_back(task);
            }
            name.clear();
            task = {};
            started = ended = false;
        } else if (const auto of_name = value_of(line, "Name: "))
            name = line.substr(of_name);
        else if (const auto worker = value_of(line, "WorkerId: "))
            task.worker = int(number_after(line, worker));
        else if (const auto start = value_of(line, "StartTime: ")) {
            task.started = 1e-3 * number_after(line, start);
            started = true;
        } else if (const auto end = value_of(line, "EndTime: ")) {
            task.ended = 1e-3 * number_after(line, end);
            ended = true;
        }
    }
    finish(trace);
    return trace;
}

} // namespace qcd
