#include "runtime/schedule.hpp"

#include "base/error.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace qcd
{

namespace
{

/// The shortest time in which all of an iteration was executed.
double seconds_of(const std::vector<Placed>& lesson)
{
    double first = lesson.front().started, last = lesson.front().ended;
    for (const Placed& p : lesson) {
        first = std::min(first, p.started);
        last = std::max(last, p.ended);
    }
    return last - first;
}

} // namespace

void LastUses::note(int user, bool writes, std::vector<int>& before)
{
    if (writer >= 0) before.push_back(writer);
    if (!writes) return readers.push_back(user);
    before.insert(before.end(), readers.begin(), readers.end());
    *this = {.writer = user};
}

void keep_earlier(std::vector<int>& before, int than)
{
    std::sort(before.begin(), before.end());
    before.erase(std::unique(before.begin(), before.end()), before.end());
    if (!before.empty() && before.back() == than) before.pop_back();
}

std::vector<std::vector<int>> Period::dependencies() const
{
    std::map<int, LastUses> data;
    std::vector<std::vector<int>> all(operations.size());
    for (int i = 0; i < int(operations.size()); ++i) {
        for (const Use& use : operations[std::size_t(i)].uses)
            data[use.data].note(i, use.writes, all[std::size_t(i)]);
        keep_earlier(all[std::size_t(i)], i);
    }
    return all;
}

std::string Period::fingerprint() const
{
    std::string text;
    for (const Operation& o : operations) {
        text += fmt::format("{} {}", o.name, o.part);
        for (const Use& use : o.uses)
            text += fmt::format(" {}{}", use.writes ? "W" : "R", use.data);
        text += '\n';
    }
    return fmt::format("{:016x}", XXH64(text.data(), text.size(), 0));
}

std::string why_not(const Schedule& s, const Period& period, int workers)
{
    const int n = int(period.operations.size());
    if (int(s.worker.size()) != n || int(s.order.size()) != n)
        return fmt::format("it has {} operations, the iteration has {}", s.order.size(), n);
    for (const int worker : s.worker)
        if (worker < 0 || worker >= workers)
            return fmt::format("worker {} is none of the {} of this run", worker, workers);
    std::vector<bool> there(std::size_t(n), false);
    for (const int o : s.order) {
        if (o < 0 || o >= n) return fmt::format("operation {} is none of the {}", o, n);
        if (there[std::size_t(o)]) return fmt::format("operation {} stands in it twice", o);
        there[std::size_t(o)] = true;
    }
    for (const int o : one_by_one(s, period)) there[std::size_t(o)] = false;
    const auto never = std::find(there.begin(), there.end(), true);
    if (never == there.end()) return "";
    const int o = int(never - there.begin());
    return fmt::format("operation {} ({}) would wait for ever: what it needs is not before it", o,
                       period.operations[std::size_t(o)].name);
}

std::vector<int> one_by_one(const Schedule& s, const Period& period)
{
    const auto dependencies = period.dependencies();
    std::vector<bool> done(period.operations.size(), false);
    std::vector<int> all, left = s.order;
    for (bool moved = true; moved;) {
        std::set<int> waiting; // lists
        std::vector<int> still_left;
        for (const int o : left) {
            const std::vector<int>& needed = dependencies[std::size_t(o)];
            const int list = s.worker[std::size_t(o)];
            if (!waiting.count(list) && std::all_of(needed.begin(), needed.end(),
                                                    [&](int b) { return done[std::size_t(b)]; })) {
                done[std::size_t(o)] = true;
                all.push_back(o);
            } else {
                waiting.insert(list);
                still_left.push_back(o);
            }
        }
        moved = still_left.size() < left.size();
        left = std::move(still_left);
    }
    return all;
}

std::string why_not_replayed_by(const WorkerCounts& w)
{
    if (w.opencl > 0 && w.devices() > 1 && w.cpu == 0)
        return "OpenCL devices copy to each other by way of the host, where no worker is (--cpus)";
    // Workers begin their lists together: a list may not wait until those before it have ended.
    const char* const limit = std::getenv("STARPU_LIMIT_MIN_SUBMITTED_TASKS");
    if (limit && std::getenv("STARPU_LIMIT_MAX_SUBMITTED_TASKS") && std::atoi(limit) < w.all())
        return fmt::format("STARPU_LIMIT_MIN_SUBMITTED_TASKS={} is less than the lists of {} "
                           "workers, which begin together",
                           limit, w.all());
    return "";
}

std::size_t Schedules::Hash::operator()(const std::vector<std::uint64_t>& words) const
{
    return XXH64(words.data(), words.size() * sizeof words[0], 0);
}

Schedules::Schedules(std::vector<int> workers, std::vector<std::string> kinds, bool asks_models)
    : workers_(std::move(workers)), kinds_(std::move(kinds)), asks_models_(asks_models)
{
}

void Schedules::give(std::unordered_map<std::string, Schedule> given) { given_ = std::move(given); }

void Schedules::begin(Entry& e, Period period)
{
    e.period = std::move(period);
    e.fingerprint = e.period.fingerprint();
    if (given_.empty()) {
        if (++without_ > most_without)
            throw Error(fmt::format("--plan replay: none of {} iterations has the operations of "
                                    "one before it: there is nothing to replay",
                                    most_without));
        return;
    }
    const auto it = given_.find(e.fingerprint);
    if (it == given_.end()) return;
    if (const std::string why = why_not(it->second, e.period, int(workers_.size())); !why.empty())
        throw Error(fmt::format("--plan replay: schedule {}: {}", e.fingerprint, why));
    e.schedule = it->second;
    e.schedule.order = one_by_one(e.schedule, e.period);
    e.known = true;
    known_.push_back(&e);
}

void Schedules::replay(Entry& e)
{
    ++e.replayed;
    if (are_given()) --without_;
}

std::vector<Placed>* Schedules::lesson(Entry& e)
{
    if (are_given()) {
        if (++without_ > most_strange)
            throw Error(fmt::format("--plan replay: the file has no schedule of most iterations of "
                                    "this run ({}, {} operations): it is of another graph",
                                    e.fingerprint, e.period.operations.size()));
        return nullptr;
    }
    if (e.seen++ > 0) without_ = 0;
    e.lessons.push_back(std::make_unique<std::vector<Placed>>(e.period.operations.size()));
    return e.lessons.back().get();
}

bool Schedules::has_several_memories() const
{
    return kinds_.size() > 1 &&
           std::any_of(kinds_.begin(), kinds_.end(), [](const auto& k) { return k != "CPU"; });
}

std::size_t Schedules::streams(const Entry& e) const
{
    constexpr int most = 4;
    if (kinds_ != std::vector<std::string>{"CUDA"}) return 1;
    int tiles = 1;
    for (const Period::Operation& o : e.period.operations) tiles = std::max(tiles, o.part + 1);
    return std::size_t(std::min(tiles, most));
}

bool Schedules::is_due(const Entry& e) const
{
    return !e.known && int(e.lessons.size()) >= lessons_needed;
}

void Schedules::forget_early(Entry& e) const
{
    if (!asks_models_ || e.seen >= most_uncalibrated) return;
    std::erase_if(e.lessons, [](const auto& lesson) {
        return std::any_of(lesson->begin(), lesson->end(),
                           [](const Placed& p) { return !p.predicted; });
    });
    const int early = std::min(settling - e.settled, int(e.lessons.size()));
    e.lessons.erase(e.lessons.begin(), e.lessons.begin() + early);
    e.settled += early;
}

void Schedules::take_down(Entry& e)
{
    forget_early(e);
    if (!is_due(e)) return;
    std::sort(e.lessons.begin(), e.lessons.end(),
              [](const auto& a, const auto& b) { return seconds_of(*a) < seconds_of(*b); });
    const std::vector<Placed>& lesson = *e.lessons[e.lessons.size() / 2];
    Schedule& s = e.schedule;
    for (const Placed& p : lesson) {
        const auto list = std::find(workers_.begin(), workers_.end(), p.worker) - workers_.begin();
        s.worker.push_back(int(list));
        const bool on_cores = kinds_.at(std::size_t(list)) == "CPU"; // others are told to begin
        s.took.push_back(on_cores ? p.ended - p.started : 0);
    }
    s.order.resize(lesson.size());
    std::iota(s.order.begin(), s.order.end(), 0);
    std::stable_sort(s.order.begin(), s.order.end(), [&](int a, int b) {
        return lesson[std::size_t(a)].started < lesson[std::size_t(b)].started;
    });
    s.seconds = seconds_of(lesson);
    e.shortest = seconds_of(*e.lessons.front());
    e.longest = seconds_of(*e.lessons.back());
    if (const std::string why = why_not(s, e.period, int(workers_.size())); !why.empty())
        throw Error(fmt::format("--plan replay: what StarPU did cannot be replayed: {}", why));
    s.order = one_by_one(s, e.period);
    e.lessons.clear();
    e.known = true;
    known_.push_back(&e);
}

std::vector<std::string> in_words(const Schedules& schedules)
{
    if (schedules.known().empty())
        return {schedules.are_given()
                    ? "none: the file has those of other iterations, and all were a graph"
                    : "none: no iteration was repeated often enough, and all were a graph"};
    std::vector<std::string> lines;
    for (const Schedules::Entry* e : schedules.known())
        lines.push_back(fmt::format(
            "{}: {} operations, {} iterations replayed{}, {}", e->fingerprint,
            e->period.operations.size(), e->replayed,
            e->copies == 0 ? std::string()
                           : fmt::format(" with {:.3g} copies of {:.3g} MB in all between "
                                         "memories in each",
                                         double(e->copies) / e->replayed,
                                         1e-6 * e->copied_bytes / e->replayed),
            e->longest == 0
                ? std::string("from a file")
                : fmt::format("taken from the graph's iteration of median time, "
                              "{:.3g} ms ({:.3g} to {:.3g} ms)",
                              1e3 * e->schedule.seconds, 1e3 * e->shortest, 1e3 * e->longest)));
    return lines;
}

} // namespace qcd
