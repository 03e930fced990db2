#include "traces/starvz_writer.hpp"

#include "base/text.hpp"
#include "traces/gzip_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <span>

namespace qcd
{

namespace
{

namespace fs = std::filesystem;

constexpr double ms = 1e3;

/// A missing number.
std::string or_na(long number) { return number < 0 ? "NA" : std::to_string(number); }

/// Whole numbers beyond 2^31 are none for R.
std::string size_or_na(double bytes)
{
    constexpr double end = 2147483648.0;
    return bytes > 0 && bytes < end ? fmt::format("{:.0f}", bytes) : "NA";
}

/// How StarPU calls what a trace has: of several ranks with the rank before it.
class Names
{
public:
    explicit Names(const Trace& t) : trace_(t)
    {
        for (const TraceWorker& w : t.workers) several_ |= w.rank > 0;
        std::map<std::pair<int, std::string>, int> count;
        for (const TraceWorker& w : t.workers) {
            const int number = count[{w.rank, w.kind}]++;
            int device = number, of_device = 0; // "CUDA 0.1 (...)": the second one of device 0
            const std::size_t at = w.device.find("CUDA ");
            if (w.kind == "CUDA" && at != std::string::npos)
                std::sscanf(w.device.c_str() + at, "CUDA %d.%d", &device, &of_device);
            workers_.push_back(in_rank(w.rank, w.kind == "CUDA"
                                                   ? fmt::format("CUDA{}_{}", device, of_device)
                                                   : fmt::format("{}{}", w.kind, number)));
            if (w.rank >= int(first_worker_.size())) {
                first_worker_.resize(w.rank + 1, int(&w - t.workers.data()));
                first_memory_.resize(w.rank + 1, w.memory);
            }
            first_memory_[w.rank] = std::min(first_memory_[w.rank], w.memory);
        }
        for (int m = 0; m < int(t.memories.size()); ++m) rank_of_memory_.push_back(find_rank(m));
    }

    bool several_ranks() const { return several_; }
    int ranks() const { return int(first_worker_.size()); }
    int rank_of_memory(int m) const { return rank_of_memory_[m]; }
    const std::string& worker(int w) const { return workers_[w]; }
    int worker_of_rank(int w) const { return w - first_worker_[trace_.workers[w].rank]; }
    int memory_of_rank(int m) const { return m - first_memory_[rank_of_memory_[m]]; }
    std::string thread(int w) const
    {
        return in_rank(trace_.workers[w].rank, fmt::format("T{}", worker_of_rank(w)));
    }
    std::string memory(int m, const char* what) const
    {
        return in_rank(rank_of_memory_[m], fmt::format("{}{}", what, memory_of_rank(m)));
    }
    std::string of_rank(int rank, const char* what) const { return in_rank(rank, what); }

private:
    std::string in_rank(int rank, const std::string& name) const
    {
        return several_ ? fmt::format("{}_{}", rank, name) : name;
    }
    /// The memories of a rank follow each other.
    int find_rank(int memory) const
    {
        int rank = 0;
        if (!several_) return rank;
        std::sscanf(trace_.memories[memory].c_str(), "rank %d", &rank);
        return std::clamp(rank, 0, ranks() - 1);
    }

    const Trace& trace_;
    bool several_ = false;
    std::vector<std::string> workers_;
    std::vector<int> first_worker_, first_memory_, rank_of_memory_;
};

/// What a job uses, of a trace that is in order.
template <class T>
std::span<const T> of_job(const std::vector<T>& all, long job)
{
    const auto before = [](const T& t, long j) { return t.job < j; };
    const auto begin = std::lower_bound(all.begin(), all.end(), job, before);
    const auto end = std::lower_bound(begin, all.end(), job + 1, before);
    return {begin, end};
}

class StarvzWriter
{
public:
    StarvzWriter(const fs::path& folder, const Trace& t)
        : folder_(folder), trace_(t), names_(t),
          list_(t.about_of("plan").starts_with("replay") ? "replay" : "batch")
    {
    }

    void write() const
    {
        write_entities();
        write_worker_states();
        write_variables();
        write_memory_states();
        GzipFile none(file("paje.comm_state.csv.gz"));
        none.add("{}", state_head);
        none.commit();
        write_thread_states();
        write_links();
        write_dag();
        write_tasks();
        write_data_handles();
        write_events();
    }

private:
    static constexpr const char* state_head =
        "Nature,ResourceId,Type,Start,End,Duration,Depth,Value\n";

    std::string file(const char* name) const { return folder_ / name; }
    bool is_whole_batch(const TraceTask& t) const
    {
        return trace_.operations[t.operation] == whole_batch;
    }
    std::string times(double from, double to) const
    {
        return fmt::format("{:.6f},{:.6f},{:.6f}", ms * from, ms * to, ms * (to - from));
    }

    /// The tree of StarPU's containers as pj_dump names it: a rank's workers below the thread that
    /// each has, that below its memory.
    void write_entities() const
    {
        TextFile out(file("entities.csv"));
        const auto add = [&](const std::string& parent, const std::string& name,
                             const std::string& type, const char* nature = "Container") {
            out.add("{},{},{},{}\n", parent, name, type, nature);
        };
        out.add("Parent,Name,Type,Nature\n");
        add("0", "0", "0");
        add("0", "root", "MPI Program");
        if (names_.several_ranks()) add("root", "MPI communication", "MPI communication", "Link");
        for (int rank = 0; rank < names_.ranks(); ++rank) {
            const std::string program = names_.of_rank(rank, "program"),
                              scheduler = names_.of_rank(rank, "scheduler");
            add("root", program, "Program");
            add(program, fetch, fetch, "Link");
            add(program, "Iteration", "Iteration", "Event");
            add(program, scheduler, "Scheduler State");
            for (const char* variable : {submitted, ready})
                add(scheduler, variable, variable, "Variable");
            for (int m = 0; m < int(trace_.memories.size()); ++m)
                if (names_.rank_of_memory(m) == rank) add_memory(add, program, m);
        }
        out.commit();
    }

    template <class Add>
    void add_memory(const Add& add, const std::string& program, int m) const
    {
        const std::string node = names_.memory(m, "MEMNODE"),
                          manager = names_.memory(m, "MEMMANAGER");
        add(program, node, "Memory Node");
        add(node, manager, "Memory Manager");
        add(manager, memory_state, memory_state, "State");
        for (const char* variable : {bandwidth_in, bandwidth_out})
            add(manager, variable, variable, "Variable");
        for (int w = 0; w < int(trace_.workers.size()); ++w) {
            if (trace_.workers[w].memory != m) continue;
            const std::string thread = names_.thread(w), worker = names_.worker(w);
            add(node, thread, "Thread");
            add(thread, thread_state, thread_state, "State");
            add(thread, worker, "Worker");
            add(worker, worker_state, worker_state, "State");
            add(worker, gflops, gflops, "Variable");
        }
    }

    /// Tasks of each worker, and the time between them.
    void write_worker_states() const
    {
        GzipFile out(file("paje.worker_state.csv.gz"));
        out.add("Nature,ResourceId,Type,Start,End,Duration,Depth,Value,Size,Params,Footprint,Tag,"
                "JobId,GFlop,SubmitOrder,X,Y,Iteration,Subiteration,NumaNodes\n");
        const auto idle = [&](int worker, double from, double to) {
            if (to <= from) return;
            out.add("State,{},{},{},0,Idle,NA,NA,NA,NA,NA,NA,NA,NA,NA,NA,NA,NA\n",
                    names_.worker(worker), worker_state, times(from, to));
        };
        for_each_worker([&](int worker, std::span<const TraceTask> tasks) {
            double last = trace_.from;
            for (const TraceTask& t : tasks) {
                idle(worker, last, t.started);
                last = std::max(last, t.ended);
                out.add("State,{},{},{},0,{},{},{},NA,NA,{},{:.9f},{},{},{},{},NA,NA\n",
                        names_.worker(worker), worker_state, times(t.started, t.ended),
                        trace_.operations[t.operation], size_or_na(bytes_of_data(t)), params(t),
                        or_na(t.job), 1e-9 * t.flops, or_na(t.job), or_na(t.tile),
                        t.tile < 0 ? "NA" : "0", or_na(t.iteration));
            }
            idle(worker, last, trace_.to);
        });
        out.commit();
    }

    /// Calls f(worker, its tasks) for each.
    template <class F>
    void for_each_worker(const F& f) const
    {
        auto begin = trace_.tasks.begin();
        for (int w = 0; w < int(trace_.workers.size()); ++w) {
            const auto end = std::find_if(begin, trace_.tasks.end(),
                                          [&](const TraceTask& t) { return t.worker != w; });
            f(w, std::span<const TraceTask>(begin, end));
            begin = end;
        }
    }

    double bytes_of_data(const TraceTask& t) const
    {
        double bytes = 0;
        if (!is_whole_batch(t))
            for (const TraceUse& u : of_job(trace_.uses, t.job)) bytes += trace_.data[u.data].bytes;
        return bytes;
    }

    /// Which of its worker's batches or replays it is in.
    std::string params(const TraceTask& t) const
    {
        return t.batch < 0 ? "NA" : fmt::format("{}={}", list_, t.batch);
    }

    /// Steps, each until the next one.
    void add_variable(GzipFile& out, const std::string& container, const char* type,
                      const std::vector<Step>& steps, double factor = 1) const
    {
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const double end =
                i + 1 < steps.size() ? steps[i + 1].time : std::max(steps[i].time, trace_.to);
            out.add("Variable,{},{},{},{:.6g}\n", container, type, times(steps[i].time, end),
                    factor * steps[i].value);
        }
    }

    void write_variables() const
    {
        GzipFile out(file("paje.variable.csv.gz"));
        out.add("Nature,ResourceId,Type,Start,End,Duration,Value\n");
        for (int rank = 0; rank < names_.ranks(); ++rank) {
            const std::string scheduler = names_.of_rank(rank, "scheduler");
            add_variable(out, scheduler, submitted, submitted_operations(trace_, rank));
            add_variable(out, scheduler, ready, ready_tasks(trace_, rank));
        }
        for (int m = 0; m < int(trace_.memories.size()); ++m) {
            const std::string manager = names_.memory(m, "MEMMANAGER");
            const double mb = 1e-6;
            add_variable(out, manager, bandwidth_in, copied_per_second(trace_, Direction::to, m),
                         mb);
            add_variable(out, manager, bandwidth_out, copied_per_second(trace_, Direction::from, m),
                         mb);
        }
        for_each_worker([&](int worker, std::span<const TraceTask> tasks) {
            std::vector<Step> steps;
            for (const TraceTask& t : tasks) {
                if (!steps.empty() && steps.back().time >= t.started) steps.pop_back();
                const double seconds = t.ended - t.started;
                steps.push_back({t.started, seconds > 0 ? 1e-9 * t.flops / seconds : 0});
                steps.push_back({t.ended, 0});
            }
            add_variable(out, names_.worker(worker), gflops, steps);
        });
        out.commit();
    }

    /// Copies, by the memory that they go to.
    void write_memory_states() const
    {
        GzipFile out(file("paje.memory_state.csv.gz"));
        out.add("{}", state_head);
        for (const Transfer& t : trace_.transfers)
            out.add("State,{},{},{},0,{}\n", names_.memory(t.to, "MEMMANAGER"), memory_state,
                    times(t.began, t.ended), t.expected ? "DriverCopyAsync" : "DriverCopy");
        out.commit();
    }

    /// Batches and replays, which are a state of their worker's thread.
    void write_thread_states() const
    {
        GzipFile out(file("paje.other_state.csv.gz"));
        out.add("{}", state_head);
        for_each_worker([&](int worker, std::span<const TraceTask> tasks) {
            for (std::size_t i = 0; i < tasks.size();) {
                const std::size_t begin = i;
                double end = tasks[i].ended;
                while (++i < tasks.size() && tasks[i].batch == tasks[begin].batch)
                    end = std::max(end, tasks[i].ended);
                if (tasks[begin].batch < 0) continue;
                out.add("State,{},{},{},0,{}\n", names_.thread(worker), thread_state,
                        times(tasks[begin].started, end), list_);
            }
        });
        out.commit();
    }

    void write_links() const
    {
        GzipFile out(file("paje.link.csv.gz"));
        out.add("Nature,Container,Type,Start,End,Duration,Size,Origin,Dest,Key,Tag,MPIType,"
                "Priority,Handle\n");
        long key = 0;
        for (const Transfer& t : trace_.transfers)
            out.add("Link,{},{},{},{},{},{},copy_{},NA,NA,NA,NA\n",
                    names_.of_rank(names_.rank_of_memory(t.to), "program"), fetch,
                    times(t.began, t.ended), size_or_na(t.bytes),
                    names_.memory(t.from, "MEMMANAGER"), names_.memory(t.to, "MEMMANAGER"), key++);
        key = 0;
        for (const TraceMessage& m : trace_.messages)
            out.add("Link,root,MPI communication,{},{},{},{},mpicom_{},{},NA,NA,NA\n",
                    times(m.made, std::max(m.made, m.received)), size_or_na(m.bytes),
                    names_.of_rank(m.from, "program"), names_.of_rank(m.to, "program"), key++,
                    m.what);
        out.commit();
    }

    /// Twice the same: versions of StarVZ ask for other names of its columns.
    void write_dag() const
    {
        GzipFile out(file("dag.csv.gz"));
        out.add("Node,DependsOn,JobId,Dependent\n");
        for (const TraceDependency& d : trace_.dependencies)
            out.add("{0},{1},{0},{1}\n", d.job, d.on);
        out.commit();
    }

    void write_tasks() const
    {
        GzipFile out(file("rec.tasks.csv.gz"));
        out.add("Control,JobId,SubmitOrder,SubmitTime,Handles,MPIRank,DependsOn,Tag,Footprint,"
                "Iteration,Name,Model,Priority,WorkerId,MemoryNode,StartTime,EndTime,Parameters,"
                "Modes,Sizes\n");
        for (const TraceTask& t : trace_.tasks) {
            if (t.job < 0) continue;
            std::string handles, modes, sizes, before;
            const auto append = [](std::string& text, const std::string& word) {
                text += text.empty() ? word : " " + word;
            };
            constexpr const char* words[] = {"R", "W", "RW"};
            if (!is_whole_batch(t)) {
                for (const TraceDependency& d : of_job(trace_.dependencies, t.job))
                    append(before, std::to_string(d.on));
                for (const TraceUse& u : of_job(trace_.uses, t.job)) {
                    append(handles, handle(u.data));
                    append(modes, words[u.mode]);
                    append(sizes, fmt::format("{:.0f}", trace_.data[u.data].bytes));
                }
            }
            const auto na = [](const std::string& text) { return text.empty() ? "NA" : text; };
            const TraceWorker& w = trace_.workers[t.worker];
            out.add("NA,{},{},{:.6f},{},{},{},NA,NA,{},{},NA,NA,{},{},{:.6f},{:.6f},NA,{},{}\n",
                    t.job, t.job, ms * t.submitted, na(handles), w.rank, na(before),
                    or_na(t.iteration), trace_.operations[t.operation],
                    names_.worker_of_rank(t.worker), memory_of(w), ms * t.started, ms * t.ended,
                    na(modes), na(sizes));
        }
        out.commit();
    }

    std::string handle(int data) const { return fmt::format("d{}", data); }
    int memory_of(const TraceWorker& w) const
    {
        return w.memory < int(trace_.memories.size()) ? names_.memory_of_rank(w.memory) : 0;
    }

    void write_data_handles() const
    {
        GzipFile out(file("rec.data_handles.csv.gz"));
        out.add("Handle,HomeNode,MPIRank,Size,Description,Coordinates,MPIOwner,MPITag\n");
        for (int d = 0; d < int(trace_.data.size()); ++d) {
            const TraceData& data = trace_.data[d];
            out.add("{},NA,{},{},{},{},{},NA\n", handle(d), data.rank, size_or_na(data.bytes),
                    data.name, or_na(data.tile), data.rank);
        }
        out.commit();
    }

    void write_events() const
    {
        GzipFile out(file("paje.events.csv.gz"));
        out.add("Nature,Container,Type,Start,Value,Handle,Info,Size,Tid,Src\n");
        for (const IterationMark& m : trace_.marks)
            out.add("Event,{},Iteration,{:.6f},{},NA,NA,NA,NA,NA\n", names_.of_rank(0, "program"),
                    ms * m.time, m.iteration);
        out.commit();
    }

    static constexpr const char *worker_state = "Worker State", *thread_state = "Thread State",
                                *memory_state = "Memory Node State",
                                *submitted = "Number of Submitted Uncompleted Tasks",
                                *ready = "Number of Ready Tasks", *gflops = "GFlops",
                                *bandwidth_in = "Bandwidth In (MB/s)",
                                *bandwidth_out = "Bandwidth Out (MB/s)",
                                *fetch = "Intra-node data Fetch";

    fs::path folder_;
    const Trace& trace_;
    Names names_;
    std::string list_; // how its tasks of many operations are called
};

} // namespace

void write_starvz(const fs::path& folder, const Trace& trace)
{
    StarvzWriter(folder, trace).write();
}

} // namespace qcd
