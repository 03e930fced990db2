#include "traces/tables.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "traces/text_file.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <utility>

namespace qcd
{

namespace
{

using Json = nlohmann::ordered_json;

constexpr const char* tasks_head = "operation,tile,iteration,worker,submitted_us,ready_us,"
                                   "started_us,ended_us,bytes,batch,flop,job,depends_on,data";
/// The head of tasks.csv in traces of earlier versions.
constexpr const char* earlier_tasks_head = "operation,tile,iteration,worker,submitted_us,ready_us,"
                                           "started_us,ended_us,bytes,batch";
constexpr const char* data_head = "name,tile,bytes,rank";
constexpr const char* transfers_head =
    "from_memory,to_memory,began_us,ended_us,bytes,end_is_expected";
constexpr const char* evictions_head = "memory,time_us,bytes";
constexpr const char* messages_head = "what,from_rank,to_rank,made_us,sent_us,received_us,bytes";
constexpr const char* format_name = "qcd_starpu trace";
constexpr int format_version = 1;

/// None: an empty field.
std::string or_empty(long number) { return number < 0 ? "" : std::to_string(number); }

/// The lines of a table, each cut into fields.
class Table
{
public:
    /// earlier_head: of tables of earlier versions, where it was another one.
    Table(const std::string& path, const char* head, const char* earlier_head = nullptr)
        : path_(path), in_(path)
    {
        if (!in_) throw Error("trace: cannot read {}", qcd::quoted(path));
        if (!std::getline(in_, line_) ||
            (line_ != head && (!earlier_head || line_ != earlier_head)))
            throw Error("trace: {} is no table of a trace: its first line is not {}",
                        qcd::quoted(path), head);
        columns_ = split(line_, ',').size();
    }
    std::size_t columns() const { return columns_; }
    bool next()
    {
        ++number_;
        // The last line of a file that is whole ends, too.
        if (!std::getline(in_, line_)) return false;
        if (in_.eof()) fail("the file is cut off in it");
        fields_ = split(line_, ',');
        if (fields_.size() != columns_)
            fail(fmt::format("{} fields for {} columns", fields_.size(), columns_));
        return true;
    }
    std::string_view text(int column)
    {
        if (fields_[column].empty()) fail("an empty name");
        for (const char c : fields_[column])
            if (static_cast<unsigned char>(c) < ' ') fail("a name with a control character");
        return fields_[column];
    }
    double bytes(int column)
    {
        const double value = real(column);
        if (value < 0) fail_at(column);
        return value;
    }
    double real(int column, double factor = 1)
    {
        constexpr double most = 1e18; // microseconds and bytes are fewer
        const auto value = parse_number<double>(fields_[column]);
        if (!value || !(std::abs(*value) <= most)) fail_at(column);
        return factor * *value;
    }
    /// A number from 0 to below `end`; -1: an empty field.
    int index(int column, std::size_t end, bool may_be_empty = false)
    {
        if (may_be_empty && fields_[column].empty()) return -1;
        return number<int>(column, fields_[column], end);
    }
    /// The number of a job in this column; -1: the field is empty.
    long job(int column)
    {
        return fields_[column].empty() ? -1 : number<long>(column, fields_[column], most_jobs);
    }
    /// What is between blanks; nothing in an empty field.
    std::vector<std::string_view> words(int column) const
    {
        if (fields_[column].empty()) return {};
        return split(fields_[column], ' ');
    }
    /// A number in a field, from 0 to below `end`.
    template <class Number>
    Number number(int column, std::string_view text, std::size_t end) const
    {
        const auto value = parse_number<Number>(text);
        if (!value || *value < 0 || std::size_t(*value) >= end) fail_at(column);
        return *value;
    }
    static constexpr std::size_t most_jobs = std::size_t(1) << 53;
    [[noreturn]] void fail(const std::string& what) const
    {
        throw Error("trace: {}: line {}: {}", qcd::quoted(path_), number_ + 1, what);
    }
    [[noreturn]] void fail_at(int column) const
    {
        fail(fmt::format("column {}: {} is not what it holds", column + 1,
                         qcd::quoted(fields_[column])));
    }

private:
    std::string path_;
    std::ifstream in_;
    std::string line_;
    long number_ = 0;
    std::size_t columns_ = 0;
    std::vector<std::string_view> fields_;
};

constexpr std::size_t any = std::size_t(1) << 31;
constexpr double us = 1e-6;

Json parse_json(const std::string& path)
{
    std::ifstream in(path);
    if (!in) throw Error("trace: cannot read {}", qcd::quoted(path));
    Json j = Json::parse(in, nullptr, false);
    if (j.is_discarded()) throw Error("trace: {} is no JSON", qcd::quoted(path));
    return j;
}

/// Throws what nlohmann's library throws.
void read_meta_json(const Json& j, Trace& t)
{
    for (const auto& [key, value] : j.at("about").items())
        t.about.emplace_back(one_line(key), one_line(value.get<std::string>()));
    const auto text = [](const Json& of, const char* key) {
        return one_line(of.at(key).get<std::string>());
    };
    const auto seconds = [](const Json& of, const char* key) -> std::optional<double> {
        const auto found = of.find(key);
        if (found == of.end() || found->is_null()) return std::nullopt;
        return us * found->get<double>();
    };
    for (const Json& w : j.at("workers"))
        t.workers.push_back({text(w, "name"), text(w, "kind"), text(w, "device"),
                             seconds(w, "overhead_us"), seconds(w, "waiting_us"),
                             w.value("rank", 0), w.value("memory", 0)}); // earlier ones lack them
    for (const Json& m : j.at("memories")) t.memories.push_back(one_line(m.get<std::string>()));
    for (const TraceWorker& w : t.workers)
        if (w.memory < 0 || (w.memory > 0 && std::size_t(w.memory) >= t.memories.size()))
            throw Error("trace: {} has no memory {}", qcd::quoted(w.name), w.memory);
}

/// How data are used, in tables.
constexpr const char* use_words[] = {"R", "W", "RW"};

/// "R:3 RW:5": the use and the number of each piece of data.
void read_uses(Table& table, int column, long job, Trace& trace)
{
    for (const std::string_view word : table.words(column)) {
        const std::size_t colon = word.find(':');
        const auto mode = std::find(std::begin(use_words), std::end(use_words),
                                    word.substr(0, std::min(colon, word.size())));
        if (colon == word.npos || mode == std::end(use_words)) table.fail_at(column);
        trace.uses.push_back({job,
                              table.number<int>(column, word.substr(colon + 1), trace.data.size()),
                              TraceUse::Mode(mode - std::begin(use_words))});
    }
}

/// What belongs to jobs, in the order in which a table has them.
template <class T>
class OfJobs
{
public:
    explicit OfJobs(const std::vector<T>& all) : all_(all) {}
    /// Calls f for each of the job's.
    template <class F>
    void for_each(long job, const F& f) const
    {
        const auto begin = std::lower_bound(all_.begin(), all_.end(), job,
                                            [](const T& t, long j) { return t.job < j; });
        for (auto at = begin; at != all_.end() && at->job == job; ++at) f(*at);
    }

private:
    const std::vector<T>& all_;
};

} // namespace

void write_tasks(const std::string& path, const Trace& trace)
{
    TextFile file(path);
    file.add("{}\n", tasks_head);
    const OfJobs dependencies(trace.dependencies);
    const OfJobs uses(trace.uses);
    for (const TraceTask& t : trace.tasks) {
        const std::string& operation = trace.operations[t.operation];
        file.add("{},{},{},{},{:.3f},{:.3f},{:.3f},{:.3f},{:.0f},{},{:.0f},{},", operation,
                 or_empty(t.tile), or_empty(t.iteration), t.worker, t.submitted / us, t.ready / us,
                 t.started / us, t.ended / us, t.bytes, or_empty(t.batch), t.flops,
                 or_empty(t.job));
        // A batch that was not looked into has those of no operation.
        const long job = operation == whole_batch ? -1 : t.job;
        const char* between = "";
        dependencies.for_each(job, [&](const TraceDependency& d) {
            file.add("{}{}", std::exchange(between, " "), d.on);
        });
        between = ",";
        uses.for_each(job, [&](const TraceUse& u) {
            file.add("{}{}:{}", std::exchange(between, " "), use_words[u.mode], u.data);
        });
        file.add("{}\n", *between == ',' ? "," : "");
    }
    file.commit();
}

void write_data(const std::string& path, const Trace& trace)
{
    TextFile file(path);
    file.add("{}\n", data_head);
    for (const TraceData& d : trace.data)
        file.add("{},{},{:.0f},{}\n", d.name, or_empty(d.tile), d.bytes, d.rank);
    file.commit();
}

void write_transfers(const std::string& path, const Trace& trace)
{
    TextFile file(path);
    file.add("{}\n", transfers_head);
    for (const Transfer& t : trace.transfers)
        file.add("{},{},{:.3f},{:.3f},{:.0f},{}\n", t.from, t.to, t.began / us, t.ended / us,
                 t.bytes, int(t.expected));
    file.commit();
}

void write_evictions(const std::string& path, const Trace& trace)
{
    TextFile file(path);
    file.add("{}\n", evictions_head);
    for (const Eviction& e : trace.evictions)
        file.add("{},{:.3f},{:.0f}\n", e.memory, e.time / us, e.bytes);
    file.commit();
}

void write_messages(const std::string& path, const Trace& trace)
{
    TextFile file(path);
    file.add("{}\n", messages_head);
    for (const TraceMessage& m : trace.messages)
        file.add("{},{},{},{:.3f},{:.3f},{:.3f},{:.0f}\n", m.what, m.from, m.to, m.made / us,
                 m.sent / us, m.received / us, m.bytes);
    file.commit();
}

void write_meta(const std::string& path, const Trace& trace)
{
    Json j{{"format", format_name}, {"version", format_version}};
    j["about"] = Json::object();
    for (const auto& [key, value] : trace.about) j["about"][key] = value;
    const auto in_us = [](const std::optional<double>& seconds) {
        return seconds ? Json(*seconds / us) : Json();
    };
    j["workers"] = Json::array();
    for (const TraceWorker& w : trace.workers)
        j["workers"].push_back({{"name", w.name},
                                {"kind", w.kind},
                                {"device", w.device},
                                {"rank", w.rank},
                                {"memory", w.memory},
                                {"overhead_us", in_us(w.overhead)},
                                {"waiting_us", in_us(w.waiting)}});
    j["memories"] = trace.memories;
    TextFile file(path);
    file.add("{}\n", j.dump(2, ' ', false, Json::error_handler_t::replace));
    file.commit();
}

bool is_meta(const std::string& path)
{
    std::error_code none;
    if (!std::filesystem::is_regular_file(path, none)) return false;
    std::ifstream in(path);
    const Json j = Json::parse(in, nullptr, false);
    return j.is_object() && j.value("format", Json()) == format_name;
}

void read_meta(const std::string& path, Trace& trace)
{
    const Json j = parse_json(path);
    try {
        if (j.at("format") != format_name || j.at("version") != format_version)
            throw Error("trace: {} is of another format or version", qcd::quoted(path));
        read_meta_json(j, trace);
    } catch (const Json::exception& e) {
        throw Error("trace: {}: {}", qcd::quoted(path), one_line(e.what()));
    }
}

void read_tasks(const std::string& path, Trace& trace)
{
    Table table(path, tasks_head, earlier_tasks_head);
    const bool has_jobs = table.columns() > 10;
    std::map<std::string, int, std::less<>> numbers;
    while (table.next()) {
        TraceTask t;
        const std::string_view name = table.text(0);
        auto known = numbers.find(name);
        if (known == numbers.end()) {
            known = numbers.emplace(name, int(trace.operations.size())).first;
            trace.operations.emplace_back(name);
        }
        t.operation = known->second;
        t.tile = table.index(1, any, true);
        t.iteration = table.index(2, any, true);
        t.worker = table.index(3, trace.workers.size());
        t.submitted = table.real(4, us);
        t.ready = table.real(5, us);
        t.started = table.real(6, us);
        t.ended = table.real(7, us);
        t.bytes = table.bytes(8);
        t.batch = table.index(9, any, true);
        if (t.ended < t.started) table.fail("it ends before it starts");
        if (has_jobs) {
            t.flops = table.bytes(10);
            t.job = table.job(11);
            for (const std::string_view on : table.words(12))
                trace.dependencies.push_back({t.job, table.number<long>(12, on, Table::most_jobs)});
            read_uses(table, 13, t.job, trace);
        }
        trace.tasks.push_back(t);
    }
}

void read_data(const std::string& path, Trace& trace)
{
    Table table(path, data_head);
    while (table.next())
        trace.data.push_back({std::string(table.text(0)), table.index(1, any, true), table.bytes(2),
                              table.index(3, any)});
}

void read_transfers(const std::string& path, Trace& trace)
{
    Table table(path, transfers_head);
    while (table.next()) {
        Transfer t;
        t.from = table.index(0, trace.memories.size());
        t.to = table.index(1, trace.memories.size());
        t.began = table.real(2, us);
        t.ended = table.real(3, us);
        t.bytes = table.bytes(4);
        t.expected = table.index(5, 2) == 1;
        if (t.ended < t.began) table.fail("it ends before it begins");
        trace.transfers.push_back(t);
    }
}

void read_evictions(const std::string& path, Trace& trace)
{
    Table table(path, evictions_head);
    while (table.next())
        trace.evictions.push_back(
            {table.index(0, trace.memories.size()), table.bytes(2), table.real(1, us)});
}

void read_messages(const std::string& path, Trace& trace)
{
    Table table(path, messages_head);
    while (table.next()) {
        TraceMessage m;
        m.what = table.text(0);
        m.from = table.index(1, any);
        m.to = table.index(2, any);
        m.made = table.real(3, us);
        m.sent = table.real(4, us);
        m.received = table.real(5, us);
        m.bytes = table.bytes(6);
        trace.messages.push_back(std::move(m));
    }
}

} // namespace qcd
