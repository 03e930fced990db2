#include "traces/chrome_trace.hpp"

#include "traces/text_file.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace qcd
{

namespace
{

/// The text in quotes, as in JSON; names of devices need not be UTF-8.
std::string text_of(const std::string& text)
{
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

class ChromeWriter
{
public:
    ChromeWriter(TextFile& out, const Trace& t) : out_(out), trace_(t)
    {
        for (const std::string& name : t.operations) names_.push_back(text_of(name));
    }

    void write()
    {
        out_.add("{{\"displayTimeUnit\":\"ms\",\"otherData\":{{");
        for (std::size_t i = 0; i < trace_.about.size(); ++i)
            out_.add("{}{}:{}", i ? "," : "", text_of(trace_.about[i].first),
                     text_of(trace_.about[i].second));
        out_.add("}},\"traceEvents\":[\n");
        name("process_name", run, 0, "run");
        name_workers();
        for (const TraceTask& task : trace_.tasks) write(task);
        for (const IterationMark& m : trace_.marks)
            event(R"("ph":"i","s":"g","name":"iteration {}","pid":{},"tid":0,"ts":{:.3f})",
                  m.iteration, int(run), us(m.time));
        write_counter("ready tasks", "tasks", ready_tasks(trace_), 1);
        write_counter("bytes of operations", "GB/s", bytes_per_second(trace_), 1e-9);
        write_copies();
        write_messages();
        out_.add("\n]}}\n");
    }

private:
    enum Process { run = 1, copies = 2, first_device = 3 };

    double us(double time) const { return 1e6 * (time - trace_.from); }

    template <class... Args>
    void event(fmt::format_string<Args...> members, Args&&... args)
    {
        out_.add("{}{{{}}}", first_ ? "" : ",\n",
                 fmt::format(members, std::forward<Args>(args)...));
        first_ = false;
    }

    void name(const char* what, int process, std::size_t thread, const std::string& text)
    {
        event(R"("ph":"M","name":"{}","pid":{},"tid":{},"args":{{"name":{}}})", what, process,
              thread, text_of(text));
    }

    void name_workers()
    {
        std::map<std::string, int> devices;
        for (std::size_t w = 0; w < trace_.workers.size(); ++w) {
            const TraceWorker& worker = trace_.workers[w];
            const auto [device, isnew] =
                devices.try_emplace(worker.device, first_device + int(devices.size()));
            if (isnew) name("process_name", device->second, 0, worker.device);
            name("thread_name", device->second, w, worker.name);
            process_of_.push_back(device->second);
        }
        messages_ = first_device + int(devices.size());
    }

    void write(const TraceTask& t)
    {
        event(R"("ph":"X","name":{},"cat":"{}","pid":{},"tid":{},"ts":{:.3f},"dur":{:.3f},)"
              R"("args":{{"tile":{},"iteration":{},"submitted":{:.3f},"ready":{:.3f},)"
              R"("bytes":{:.0f},"batch":{}}})",
              names_[t.operation], t.batch < 0 ? "task" : "batch", process_of_[t.worker], t.worker,
              us(t.started), 1e6 * (t.ended - t.started), t.tile, t.iteration, us(t.submitted),
              us(t.ready), t.bytes, t.batch);
    }

    void write_counter(const char* name, const char* unit, const std::vector<Step>& steps,
                       double factor)
    {
        for (const Step& s : steps)
            event(R"("ph":"C","name":"{}","pid":{},"tid":0,"ts":{:.3f},"args":{{"{}":{:.6g}}})",
                  name, int(run), us(s.time), unit, factor * s.value);
    }

    /// They may overlap: asynchronous events, each with a number. What was copied before the first
    /// task is at its start, as the format has no times below 0.
    void write_copies()
    {
        if (trace_.transfers.empty()) return;
        name("process_name", copies, 0, "copies between memories");
        for (std::size_t i = 0; i < trace_.transfers.size(); ++i) {
            const Transfer& t = trace_.transfers[i];
            const std::string what =
                text_of(trace_.memories[t.from] + " to " + trace_.memories[t.to]);
            event(R"("ph":"b","cat":"copy","name":{},"id":{},"pid":{},"tid":0,"ts":{:.3f},)"
                  R"("args":{{"bytes":{:.0f},"end is expected":{}}})",
                  what, i, int(copies), us(std::max(t.began, trace_.from)), t.bytes, t.expected);
            event(R"("ph":"e","cat":"copy","name":{},"id":{},"pid":{},"tid":0,"ts":{:.3f})", what,
                  i, int(copies), us(std::max(t.ended, trace_.from)));
        }
    }

    /// Writes each message as an event from when it was made until it was received.
    void write_messages()
    {
        if (trace_.messages.empty()) return;
        name("process_name", messages_, 0, "messages between ranks");
        for (std::size_t i = 0; i < trace_.messages.size(); ++i) {
            const TraceMessage& m = trace_.messages[i];
            const std::string what = text_of(fmt::format("{} {} to {}", m.what, m.from, m.to));
            event(R"("ph":"b","cat":"message","name":{},"id":{},"pid":{},"tid":0,"ts":{:.3f},)"
                  R"("args":{{"from rank":{},"to rank":{},"bytes":{:.0f},"sent":{:.3f}}})",
                  what, i, messages_, us(std::max(m.made, trace_.from)), m.from, m.to, m.bytes,
                  us(m.sent));
            event(R"("ph":"e","cat":"message","name":{},"id":{},"pid":{},"tid":0,"ts":{:.3f})",
                  what, i, messages_, us(std::max({m.received, m.made, trace_.from})));
        }
    }

    TextFile& out_;
    const Trace& trace_;
    int messages_ = 0;               // the process of messages
    std::vector<std::string> names_; // of operations, in quotes
    std::vector<int> process_of_;    // by worker
    bool first_ = true;
};

} // namespace

void write_chrome_trace(const std::string& path, const Trace& trace)
{
    TextFile file(path);
    ChromeWriter(file, trace).write();
    file.commit();
}

} // namespace qcd
