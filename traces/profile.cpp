#include "traces/profile.hpp"

#include "lattice/error.hpp"
#include "lattice/text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <istream>
#include <limits>
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

double number_after(const std::string& line, std::size_t key)
{
    const auto number = parse_number<double>(trim(std::string_view(line).substr(key)));
    if (!number) throw Error(fmt::format("tasks.rec: no number in {}", qcd::quoted(line)));
    return *number;
}

} // namespace

Profile make_profile(const std::vector<TaskRecord>& tasks,
                     const std::vector<std::string>& worker_kinds)
{
    Profile profile;
    profile.tasks = long(tasks.size());
    profile.workers = int(worker_kinds.size());
    if (tasks.empty()) return profile;
    profile.start_ms = std::numeric_limits<double>::max();
    profile.end_ms = std::numeric_limits<double>::lowest();
    std::map<std::pair<std::string, std::string>, std::vector<double>> durations;
    std::vector<double> all;
    for (const TaskRecord& t : tasks) {
        if (t.worker < 0 || t.worker >= profile.workers)
            throw Error(fmt::format("profile: task {} ran on worker {} of {}", t.name, t.worker,
                                    profile.workers));
        const double us = (t.end_ms - t.start_ms) * 1000;
        durations[{t.name, worker_kinds[t.worker]}].push_back(us);
        all.push_back(us);
        profile.start_ms = std::min(profile.start_ms, t.start_ms);
        profile.end_ms = std::max(profile.end_ms, t.end_ms);
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
        "share: of worker time, {} x {:.3f} ms; median task {:.1f} us\n\n",
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

std::vector<TaskRecord> read_task_records(std::istream& in)
{
    // Records are lines "Key: value", with an empty line behind each.
    std::vector<TaskRecord> tasks;
    TaskRecord task;
    bool started = false, ended = false;
    const auto value_of = [](const std::string& line, std::string_view key) {
        return line.starts_with(key) ? key.size() : 0;
    };
    for (std::string line; std::getline(in, line);) {
        if (line.empty()) {
            if (started && ended && !task.name.empty()) tasks.push_back(task);
            task = {};
            started = ended = false;
        } else if (const auto name = value_of(line, "Name: "))
            task.name = line.substr(name);
        else if (const auto worker = value_of(line, "WorkerId: "))
            task.worker = int(number_after(line, worker));
        else if (const auto start = value_of(line, "StartTime: ")) {
            task.start_ms = number_after(line, start);
            started = true;
        } else if (const auto end = value_of(line, "EndTime: ")) {
            task.end_ms = number_after(line, end);
            ended = true;
        }
    }
    return tasks;
}

} // namespace qcd
