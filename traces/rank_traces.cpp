#include "traces/rank_traces.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace qcd
{

namespace
{

constexpr int rounds = 32; // to and fro

/// Identifies the kernel that this process runs on, since it was booted: processes of one kernel
/// have one clock.
std::array<char, 40> boot_id()
{
    std::array<char, 40> id{};
    std::ifstream("/proc/sys/kernel/random/boot_id").read(id.data(), id.size() - 1);
    return id;
}

/// Values one after the other, that another rank takes out in the same order.
template <class T>
void send(Ranks& ranks, const std::vector<T>& values)
{
    static_assert(std::is_trivially_copyable_v<T>);
    const std::size_t count = values.size();
    ranks.send_bytes(std::as_bytes(std::span(&count, 1)), 0);
    if (count > 0) ranks.send_bytes(std::as_bytes(std::span(values)), 0);
}

template <class T>
std::vector<T> receive(Ranks& ranks, int from)
{
    std::size_t count = 0;
    ranks.receive_bytes(std::as_writable_bytes(std::span(&count, 1)), from);
    std::vector<T> values(count);
    if (count > 0) ranks.receive_bytes(std::as_writable_bytes(std::span(values)), from);
    return values;
}

/// All that has names.
std::vector<char> names_of(const Trace& t)
{
    nlohmann::json j{{"memories", t.memories}, {"operations", t.operations}};
    for (const TraceWorker& w : t.workers)
        j["workers"].push_back({w.name, w.kind, w.device, w.overhead.value_or(-1),
                                w.waiting.value_or(-1), w.memory}); // -1: not known
    for (const TraceData& d : t.data) j["data"].push_back({d.name, d.tile, d.bytes});
    const std::string text = j.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return {text.begin(), text.end()};
}

void read_names(const std::vector<char>& text, Trace& t)
{
    const nlohmann::json j = nlohmann::json::parse(text);
    j.at("memories").get_to(t.memories);
    j.at("operations").get_to(t.operations);
    const auto known = [](double seconds) {
        return seconds < 0 ? std::nullopt : std::optional(seconds);
    };
    for (const auto& w : j.at("workers"))
        t.workers.push_back(
            {w.at(0), w.at(1), w.at(2), known(w.at(3)), known(w.at(4)), 0, w.at(5)});
    if (j.contains("data"))
        for (const auto& d : j.at("data")) t.data.push_back({d.at(0), d.at(1), d.at(2)});
}

void send(Ranks& ranks, const RankRecord& r)
{
    send(ranks, names_of(r.trace));
    send(ranks, r.trace.tasks);
    send(ranks, r.trace.transfers);
    send(ranks, r.trace.evictions);
    send(ranks, r.trace.dependencies);
    send(ranks, r.trace.uses);
    send(ranks, r.messages);
}

RankRecord receive_record(Ranks& ranks, int from)
{
    RankRecord r;
    read_names(receive<char>(ranks, from), r.trace);
    r.trace.tasks = receive<TraceTask>(ranks, from);
    r.trace.transfers = receive<Transfer>(ranks, from);
    r.trace.evictions = receive<Eviction>(ranks, from);
    r.trace.dependencies = receive<TraceDependency>(ranks, from);
    r.trace.uses = receive<TraceUse>(ranks, from);
    r.messages = receive<MessageEnd>(ranks, from);
    return r;
}

/// Times as f says.
template <class F>
void move_times(RankRecord& r, const F& f)
{
    for (TraceTask& t : r.trace.tasks)
        for (double* time : {&t.submitted, &t.ready, &t.started, &t.ended})
            *time = f(r.began + *time);
    for (Transfer& t : r.trace.transfers)
        for (double* time : {&t.began, &t.ended}) *time = f(r.began + *time);
    for (Eviction& e : r.trace.evictions) e.time = f(r.began + e.time);
    for (MessageEnd& m : r.messages)
        for (double* time : {&m.made, &m.ended}) *time = f(*time);
}

/// The first number that no task has.
long jobs_of(const Trace& t)
{
    long end = 0;
    for (const TraceTask& task : t.tasks) end = std::max(end, task.job + 1);
    return end;
}

/// Its numbers of operations, workers, memories, jobs and data behind those of the whole.
void append(Trace& whole, Trace part, int rank)
{
    const int workers = int(whole.workers.size()), memories = int(whole.memories.size()),
              data = int(whole.data.size());
    const long jobs = jobs_of(whole);
    if (rank == 0) whole.about = part.about;
    std::vector<int> operations;
    for (const std::string& name : part.operations) {
        const auto known = std::find(whole.operations.begin(), whole.operations.end(), name);
        operations.push_back(int(known - whole.operations.begin()));
        if (known == whole.operations.end()) whole.operations.push_back(name);
    }
    for (TraceWorker& w : part.workers) {
        w.name = fmt::format("rank {} {}", rank, w.name);
        w.device = fmt::format("rank {} {}", rank, w.device);
        w.rank = rank;
        w.memory += memories;
        whole.workers.push_back(std::move(w));
    }
    for (const std::string& name : part.memories)
        whole.memories.push_back(fmt::format("rank {} {}", rank, name));
    for (TraceTask t : part.tasks) {
        t.operation = operations[t.operation];
        t.worker += workers;
        if (t.job >= 0) t.job += jobs;
        whole.tasks.push_back(t);
    }
    for (Transfer t : part.transfers) {
        t.from += memories;
        t.to += memories;
        whole.transfers.push_back(t);
    }
    for (Eviction e : part.evictions) {
        e.memory += memories;
        whole.evictions.push_back(e);
    }
    for (const TraceDependency& d : part.dependencies)
        whole.dependencies.push_back({d.job + jobs, d.on + jobs});
    for (const TraceUse& u : part.uses) whole.uses.push_back({u.job + jobs, u.data + data, u.mode});
    for (TraceData& d : part.data) {
        d.rank = rank;
        whole.data.push_back(std::move(d));
    }
}

/// The n-th that a rank has sent to another one with a tag is the n-th that this has received.
std::vector<TraceMessage> paired(std::vector<MessageEnd> sent, std::vector<MessageEnd> received)
{
    const auto order = [](const MessageEnd& a, const MessageEnd& b) {
        return std::tie(a.from, a.to, a.tag, a.ended) < std::tie(b.from, b.to, b.tag, b.ended);
    };
    std::sort(sent.begin(), sent.end(), order);
    std::sort(received.begin(), received.end(), order);
    const auto stream = [](const MessageEnd& m) { return std::tuple(m.from, m.to, m.tag); };
    std::vector<TraceMessage> messages;
    for (auto s = sent.begin(), r = received.begin(); s != sent.end() && r != received.end();) {
        if (stream(*s) < stream(*r)) {
            ++s;
        } else if (stream(*r) < stream(*s)) {
            ++r;
        } else {
            messages.push_back(
                {s->what.data(), s->from, s->to, s->bytes, s->made, s->ended, r->ended});
            ++s, ++r;
        }
    }
    std::sort(messages.begin(), messages.end(),
              [](const TraceMessage& a, const TraceMessage& b) { return a.made < b.made; });
    return messages;
}

} // namespace

RankClock::RankClock(Ranks& ranks) : ranks_(ranks), first_(compare()), last_(first_) {}

/// The first rank asks one after the other for its time. On one host it is the same.
RankClock::Comparison RankClock::compare() const
{
    const std::array<char, 40> here = boot_id(), first = ranks_.from_rank(0, here);
    const bool is_the_same = here[0] != 0 && here == first;
    Comparison mine;
    const auto bytes = [](double& time) { return std::as_writable_bytes(std::span(&time, 1)); };
    for (int rank = 1; rank < ranks_.size(); ++rank) {
        if (ranks_.rank() == rank) {
            double none = 0, now = 0;
            for (int i = 0; i < rounds; ++i) {
                ranks_.receive_bytes(bytes(none), 0);
                now = MessageLog::now();
                ranks_.send_bytes(bytes(now), 0);
            }
            std::array<double, 2> found{};
            ranks_.receive_bytes(std::as_writable_bytes(std::span(found)), 0);
            mine = is_the_same ? Comparison{now, 0, 0} : Comparison{now, found[0], found[1]};
        } else if (ranks_.rank() == 0) {
            std::array<double, 2> best{0, 1e9}; // behind, uncertainty
            for (int i = 0; i < rounds; ++i) {
                double before = MessageLog::now(), there = 0;
                ranks_.send_bytes(bytes(before), rank);
                ranks_.receive_bytes(bytes(there), rank);
                const double after = MessageLog::now(), half = (after - before) / 2;
                if (half < best[1]) best = {there - (before + half), half};
            }
            ranks_.send_bytes(std::as_bytes(std::span(best)), rank);
        }
    }
    return mine;
}

double RankClock::on_first(double time) const
{
    const double span = last_.time - first_.time;
    const double part = span > 0 ? (time - first_.time) / span : 0;
    return time - (first_.behind + part * (last_.behind - first_.behind));
}

Trace merged(Ranks& ranks, RankRecord mine, const RankClock& clock)
{
    const double began = ranks.from_rank(0, mine.began);
    move_times(mine, [&](double time) { return clock.on_first(time) - began; });
    const std::vector<double> uncertainties = ranks.all(clock.uncertainty());
    if (!ranks.speaks()) {
        send(ranks, mine);
        return {};
    }
    Trace whole;
    std::vector<MessageEnd> sent, received;
    for (int rank = 0; rank < ranks.size(); ++rank) {
        RankRecord r = rank == 0 ? std::move(mine) : receive_record(ranks, rank);
        append(whole, std::move(r.trace), rank);
        for (const MessageEnd& m : r.messages) (m.from == rank ? sent : received).push_back(m);
    }
    whole.messages = paired(std::move(sent), std::move(received));
    whole.about.emplace_back(
        "clocks", fmt::format("of {} ranks, right to {:.1f} us", ranks.size(),
                              1e6 * *std::max_element(uncertainties.begin(), uncertainties.end())));
    finish(whole);
    return whole;
}

} // namespace qcd
