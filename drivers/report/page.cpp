#include "drivers/report/page.hpp"

#include "traces/palette.hpp"
#include "traces/text_file.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

// page.html (cmake/QcdPage.cmake)
extern const char qcd_page_before_data[], qcd_page_after_data[];

namespace qcd
{

namespace
{

using Json = nlohmann::ordered_json;

/// JSON for a script element, which a "<" in a string could end or seem to begin anew.
std::string text_of(const Json& json)
{
    // A file's name need not be UTF-8.
    const std::string plain = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    std::string text;
    text.reserve(plain.size());
    for (const char c : plain)
        if (c == '<')
            text += "\\u003c";
        else
            text += c;
    return text;
}

/// What the views need to know of the tasks' numbers.
Json names_of(const Trace& t)
{
    Json workers = Json::array(), colours = Json::array(), marks = Json::array();
    for (const TraceWorker& w : t.workers)
        workers.push_back({{"name", w.name}, {"kind", w.kind}, {"device", w.device}});
    for (const Colour& c : palette(t.operations)) colours.push_back(c.hex());
    for (const IterationMark& m : t.marks)
        marks.push_back({{"iteration", m.iteration}, {"ms", 1e3 * (m.time - t.from)}});
    return {{"workers", workers}, {"memories", t.memories},           {"operations", t.operations},
            {"colours", colours}, {"idle_colour", idle_colour.hex()}, {"marks", marks}};
}

/// Seconds: what starts later is left out.
double last_start(const Trace& t)
{
    if (t.tasks.size() <= most_tasks_of_page) return std::numeric_limits<double>::infinity();
    std::vector<double> starts;
    starts.reserve(t.tasks.size());
    for (const TraceTask& task : t.tasks) starts.push_back(task.started);
    const auto last = starts.begin() + (most_tasks_of_page - 1);
    std::nth_element(starts.begin(), last, starts.end());
    return *last;
}

/// NAME: [...], a number of each.
template <class Rows, class Number>
void add_column(TextFile& file, const char* name, const Rows& rows, Number number)
{
    file.add("\"{}\":[", name);
    const char* between = "";
    for (const auto& row : rows) {
        file.add("{}{}", between, number(row));
        between = ",";
    }
    file.add("]");
}

/// Columns take a third of what an object for each takes. Times: nanoseconds since the first start.
void add_tasks(TextFile& file, const Trace& t)
{
    const double last = last_start(t);
    std::vector<TraceTask> tasks;
    std::copy_if(t.tasks.begin(), t.tasks.end(), std::back_inserter(tasks),
                 [&](const TraceTask& task) { return task.started <= last; });
    const auto ns = [&](double time) { return std::llround(1e9 * (time - t.from)); };
    const auto add = [&](const char* name, auto number) {
        add_column(file, name, tasks, number);
        file.add(",\n");
    };
    file.add("\"tasks\":{{");
    add("operation", [](const TraceTask& task) { return task.operation; });
    add("tile", [](const TraceTask& task) { return task.tile; });
    add("iteration", [](const TraceTask& task) { return task.iteration; });
    add("worker", [](const TraceTask& task) { return task.worker; });
    add("batch", [](const TraceTask& task) { return task.batch; });
    add("ready_ns", [&](const TraceTask& task) { return ns(task.ready); });
    add("started_ns", [&](const TraceTask& task) { return ns(task.started); });
    add("ended_ns", [&](const TraceTask& task) { return ns(task.ended); });
    add_column(file, "bytes", tasks,
               [](const TraceTask& task) { return std::llround(task.bytes); });
    file.add("}},\n\"transfers\":{{");
    const auto add_transfers = [&](const char* name, auto number) {
        add_column(file, name, t.transfers, number);
        file.add(",\n");
    };
    add_transfers("from", [](const Transfer& x) { return x.from; });
    add_transfers("to", [](const Transfer& x) { return x.to; });
    add_transfers("began_ns", [&](const Transfer& x) { return ns(x.began); });
    add_transfers("ended_ns", [&](const Transfer& x) { return ns(x.ended); });
    add_column(file, "bytes", t.transfers, [](const Transfer& x) { return std::llround(x.bytes); });
    file.add("}}");
}

} // namespace

void write_page(const std::string& file, const Page& page, const Trace& t)
{
    TextFile out(file);
    out.add("{}", qcd_page_before_data);
    out.add("{{\"run\":{},\n\"trace\":{},\n\"bound\":{},\n\"names\":{},\n", text_of(page.run),
            text_of(page.trace), text_of(page.bound), text_of(names_of(t)));
    add_tasks(out, t);
    out.add("}}{}", qcd_page_after_data);
    out.commit();
}

} // namespace qcd
