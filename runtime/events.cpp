#include "runtime/events.hpp"

#include "runtime/codelet.hpp"
#include "runtime/graph.hpp"
#include "runtime/simulation.hpp"
#include "runtime/task_times.hpp"

#include <starpu.h>

#include <algorithm>
#include <deque>
#include <map>
#include <tuple>
#include <utility>

#ifdef QCD_WITH_CUDA
#include <cuda_runtime_api.h>
#endif

namespace qcd
{

#ifdef QCD_WITH_CUDA

namespace
{

/// Enqueued, and not looked at.
struct Launch {
    Event event;
    cudaEvent_t begin, end;
};

} // namespace

#endif

struct Events::OfWorker {
    explicit OfWorker(int n) : number(n) {}
    int number;
    int tasks_of_many = 0;
    std::map<const Codelet*, KernelTime> sums{}; // without names
    std::deque<Event> log{};                     // of which none moves when it grows
    bool lost = false;                           // some that are not in the log

    void add(const Event& e, double seconds, Keep keep)
    {
        if (keep == Keep::all && log.size() < most_kept)
            log.push_back(e);
        else if (keep == Keep::all)
            lost = true;
        if (!e.origin.codelet || e.idle) return;
        KernelTime& t = sums[e.origin.codelet];
        ++t.count;
        t.seconds += seconds;
        t.work.bytes += e.origin.work.bytes;
        t.work.flops += e.origin.work.flops;
    }

#ifdef QCD_WITH_CUDA
    std::deque<Launch> launches{};
    std::vector<cudaEvent_t> free{};
    cudaEvent_t base = nullptr; // recorded at base_seconds
    double base_seconds = 0;

    cudaEvent_t record(cudaStream_t stream)
    {
        cudaEvent_t e = nullptr;
        if (free.empty()) {
            cudaEventCreate(&e);
        } else {
            e = free.back();
            free.pop_back();
        }
        cudaEventRecord(e, stream);
        return e;
    }
    /// Failures show in the tasks themselves: here they cost a figure.
    void look_at_launches(std::size_t leave, double began, Keep keep)
    {
        for (; launches.size() > leave; launches.pop_front()) {
            Launch& l = launches.front();
            float before = 0, milliseconds = 0;
            if (cudaEventSynchronize(l.end) == cudaSuccess &&
                cudaEventElapsedTime(&before, base, l.begin) == cudaSuccess &&
                cudaEventElapsedTime(&milliseconds, l.begin, l.end) == cudaSuccess) {
                l.event.started = base_seconds - began + 1e-3 * before;
                l.event.ended = l.event.started + 1e-3 * milliseconds;
                add(l.event, 1e-3 * milliseconds, keep);
            }
            // The end of one may be the beginning of the next.
            if (launches.size() == 1 || launches[1].begin != l.end) free.push_back(l.end);
            free.push_back(l.begin);
        }
    }
    ~OfWorker()
    {
        for (const cudaEvent_t e : free) cudaEventDestroy(e);
        if (base) cudaEventDestroy(base);
    }
#else
    void look_at_launches(std::size_t, double, Keep) {}
#endif
};

double Events::now()
{
    if (is_simulated) return 1e-6 * starpu_timing_now();
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

Events::Events(Graph& graph, Keep keep, int every)
    : graph_(graph), keep_(keep), every_(every), began_(now())
{
    for (unsigned w = 0; w < starpu_worker_get_count(); ++w)
        workers_.push_back(std::make_unique<OfWorker>(int(w)));
    graph.record(this);
}

Events::~Events()
{
    wait();
    graph_.record(nullptr);
}

void Events::wait()
{
    graph_.wait();
    for (const auto& w : workers_) w->look_at_launches(0, began_, keep_);
}

/// On devices StarPU's beginning of a task is that of the way to its queue.
void Events::add_simulated(const starpu_task& task, const TaskHeader& h)
{
    starpu_profiling_task_info* const p = task.profiling_info;
    if (!p || !h.times) return;
    const double ended = 1e-6 * starpu_timing_timespec_to_us(&p->end_time);
    const double seconds = h.times->seconds(*h.origin.codelet, h.origin.present,
                                            h.origin.work.bytes, kind_of_worker(p->workerid));
    Event e{.origin = h.origin, .worker = p->workerid, .ready = h.ready - began_};
    e.origin.submitted -= began_;
    e.started = ended - seconds - began_;
    e.ended = ended - began_;
    if (task.predicted > 0) e.predicted = 1e-6f * float(task.predicted);
    if (starpu_memory_nodes_get_count() > 1)
        e.fetching =
            std::max(0.f, 1e-6f * float(starpu_timing_timespec_delay_us(
                                      &p->acquire_data_start_time, &p->acquire_data_end_time)));
    workers_[p->workerid]->add(e, seconds, keep_);
}

std::vector<KernelTime> Events::times()
{
    wait();
    std::map<std::pair<std::string, std::string>, KernelTime> all;
    for (const auto& w : workers_)
        for (const auto& [codelet, t] : std::exchange(w->sums, {})) {
            KernelTime& sum = all[{codelet->name, kind_of_worker(w->number)}];
            sum.count += t.count;
            sum.seconds += t.seconds;
            sum.work.bytes += t.work.bytes;
            sum.work.flops += t.work.flops;
        }
    std::vector<KernelTime> times;
    for (auto& [key, t] : all) {
        std::tie(t.name, t.worker) = key;
        times.push_back(t);
    }
    return times;
}

std::vector<Event> Events::take()
{
    wait();
    std::vector<Event> all;
    std::size_t n = 0;
    for (const auto& w : workers_) n += w->log.size();
    all.reserve(n);
    for (const auto& w : workers_)
        for (; !w->log.empty(); w->log.pop_front()) all.push_back(w->log.front());
    return all;
}

bool Events::kept_all() const
{
    return std::none_of(workers_.begin(), workers_.end(), [](const auto& w) { return w->lost; });
}

bool Laps::begin(Events* events, Task task)
{
    if (!events) return false;
    Events::OfWorker& w = *events->workers_[starpu_worker_get_id_check()];
    if (task == Task::of_many) {
        batch_ = w.tasks_of_many++;
        as_a_whole_ = batch_ % events->every_ != 0;
        if (as_a_whole_ && events->keep_ == Events::Keep::sums) return false;
    }
    events_ = events;
    worker_ = &w;
    if (events->keep_ == Events::Keep::all) look_at_task();
    return true;
}

/// What StarPU knows of it before it begins.
void Laps::look_at_task()
{
    const starpu_task& task = *starpu_task_get_current();
    // In one memory nothing is fetched.
    starpu_profiling_task_info* const p =
        starpu_memory_nodes_get_count() > 1 ? task.profiling_info : nullptr;
    if (p)
        fetching_ =
            std::max(0.f, 1e-6f * float(starpu_timing_timespec_delay_us(
                                      &p->acquire_data_start_time, &p->acquire_data_end_time)));
    if (batch_ < 0 && task.predicted > 0)
        predicted_ = 1e-6f * float(task.predicted); // else 0, or no number
}

Laps::Laps(Events* events, Task task, double ready) : ready_(ready)
{
    if (begin(events, task)) last_ = Events::now();
}

Laps::Laps(Events* events, Task task, double ready, void (*finish_queue)())
    : ready_(ready), finish_queue_(finish_queue)
{
    if (!begin(events, task)) return;
    finish_queue();
    last_ = Events::now();
}

#ifdef QCD_WITH_CUDA
Laps::Laps(Events* events, Task task, double ready, CUstream_st* stream)
    : ready_(ready), stream_(stream)
{
    if (!begin(events, task)) return;
    constexpr std::size_t most_launches = 4096; // before it looks at some, which may wait
    worker_->look_at_launches(most_launches, events_->began_, events_->keep_);
    if (!worker_->base) {
        worker_->base = worker_->record(stream);
        cudaEventSynchronize(worker_->base);
        worker_->base_seconds = Events::now();
    }
    last_event_ = worker_->record(stream);
}
#endif

Laps::~Laps()
{
    if (as_a_whole_ && worker_) end(whole_, false);
#ifdef QCD_WITH_CUDA
    free_last_event();
#endif
}

#ifdef QCD_WITH_CUDA
/// Unless an operation ends there: it belongs to the last launch, if there is one.
void Laps::free_last_event()
{
    if (last_event_ && (worker_->launches.empty() || worker_->launches.back().end != last_event_))
        worker_->free.push_back(static_cast<cudaEvent_t>(last_event_));
}

void Laps::next_in(CUstream_st* stream)
{
    if (!worker_ || as_a_whole_) return;
    free_last_event();
    stream_ = stream;
    last_event_ = worker_->record(stream);
}
#endif

void Laps::lap(const Origin& origin, void* const* slots)
{
    if (!worker_) return;
    if (as_a_whole_) {
        if (whole_.submitted == 0) {
            whole_.number = origin.number;
            whole_.iteration = origin.iteration;
            whole_.submitted = origin.submitted;
        }
        whole_.work.bytes += origin.work.bytes;
        whole_.work.flops += origin.work.flops;
        return;
    }
    const Operation& operation = origin.codelet->operation;
    end(origin, slots && operation.idle && operation.idle(slots, origin.layers));
}

/// What has been executed, or enqueued, since the last look.
void Laps::end(const Origin& origin, bool idle)
{
    Event e{.origin = origin,
            .worker = worker_->number,
            .batch = batch_,
            .idle = idle,
            .ready = ready_ - events_->began_,
            .fetching = std::exchange(fetching_, 0),
            .predicted = predicted_};
    if (idle) e.origin.work = {};
    e.origin.submitted -= events_->began_;
#ifdef QCD_WITH_CUDA
    if (stream_) {
        const cudaEvent_t end = worker_->record(stream_);
        worker_->launches.push_back({e, static_cast<cudaEvent_t>(last_event_), end});
        last_event_ = end;
        return;
    }
#endif
    if (finish_queue_) finish_queue_();
    const double end = Events::now();
    e.started = last_ - events_->began_;
    e.ended = end - events_->began_;
    worker_->add(e, end - last_, events_->keep_);
    last_ = end;
}

} // namespace qcd
