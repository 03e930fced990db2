// Batches on CUDA devices: in one stream, or in several, whose iterations are CUDA graphs.

#include "runtime/running_batch.hpp"

#include "runtime/device_failure.hpp"
#include "runtime/events.hpp"

#include <starpu_cuda.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <unordered_map>

namespace qcd
{

namespace
{

/// An operation as it is to be launched.
struct Launch {
    RunningBatch::Call call;
    unsigned zero; // CudaCall
    bool is_zero;

    void in(cudaStream_t stream) const
    {
        call.codelet.kernels.cuda(call.args, call.slots,
                                  {.stream = stream,
                                   .downwards = call.manner.downwards,
                                   .zero = zero,
                                   .is_zero = is_zero,
                                   .layers = call.manner.layers});
    }
};

/// What a worker makes once. CUDA ends it with the process.
struct Kept {
    std::vector<cudaStream_t> streams; // besides StarPU's
    std::vector<cudaEvent_t> events;
};

Kept& kept()
{
    static thread_local Kept of_this_worker;
    return of_this_worker;
}

/// The next one of this worker; `used` have been recorded since it began.
cudaEvent_t next_event(std::size_t& used)
{
    std::vector<cudaEvent_t>& events = kept().events;
    if (used == events.size()) {
        events.emplace_back();
        check_cuda(cudaEventCreateWithFlags(&events.back(), cudaEventDisableTiming));
    }
    return events[used++];
}

/// The streams of a worker, each in the order in which it is given operations; the first is
/// StarPU's. They begin when what is in that one has ended, and it goes on when they have.
/// Operations of other streams are waited for by events.
class Streams
{
public:
    /// executed: operations of each that came before. No event is there of them: they have ended.
    explicit Streams(const std::vector<std::uint32_t>& executed) : streams_(executed.size())
    {
        std::vector<cudaStream_t>& others = kept().streams;
        while (others.size() + 1 < executed.size()) {
            others.emplace_back();
            check_cuda(cudaStreamCreateWithFlags(&others.back(), cudaStreamNonBlocking));
        }
        for (std::size_t s = 0; s < executed.size(); ++s) {
            streams_[s].stream = s == 0 ? starpu_cuda_get_local_stream() : others[s - 1];
            streams_[s].operations = executed[s];
        }
        for (std::size_t s = 1; s < executed.size(); ++s) wait(s, record(0));
    }
    ~Streams()
    {
        for (std::size_t s = 1; s < streams_.size(); ++s) wait(0, record(s));
    }
    Streams(const Streams&) = delete;
    Streams& operator=(const Streams&) = delete;

    /// Where this operation is to be launched: behind what it waits for.
    cudaStream_t stream_for(const RunningBatch::Call& o)
    {
        const auto s = std::size_t(o.stream);
        for (const ListWait& w : o.waits) {
            const auto& events = streams_[std::size_t(w.list)].events;
            if (const auto event = events.find(w.operations); event != events.end())
                wait(s, event->second);
        }
        return streams_[s].stream;
    }
    /// It has been launched.
    void launched(const RunningBatch::Call& o)
    {
        OfStream& of = streams_[std::size_t(o.stream)];
        ++of.operations;
        if (o.awaited) of.events.emplace(of.operations, record(std::size_t(o.stream)));
    }

private:
    struct OfStream {
        cudaStream_t stream = nullptr;
        std::uint32_t operations = 0;
        std::unordered_map<std::uint32_t, cudaEvent_t> events{}; // after so many operations
    };

    /// An event that is waited for keeps what it was recorded for, even if it is recorded again.
    cudaEvent_t record(std::size_t s)
    {
        const cudaEvent_t event = next_event(used_);
        check_cuda(cudaEventRecord(event, streams_[s].stream));
        return event;
    }
    void wait(std::size_t s, cudaEvent_t event)
    {
        check_cuda(cudaStreamWaitEvent(streams_[s].stream, event, 0));
    }

    std::vector<OfStream> streams_;
    std::size_t used_ = 0;
};

/// The node that a captured stream would wait for next, if it is one.
cudaGraphNode_t last_node(cudaStream_t stream)
{
    cudaStreamCaptureStatus status{};
    const cudaGraphNode_t* nodes = nullptr;
    const cudaGraphEdgeData* edges = nullptr;
    std::size_t count = 0;
#if CUDART_VERSION >= 13000
    const cudaError_t error =
        cudaStreamGetCaptureInfo(stream, &status, nullptr, nullptr, &nodes, &edges, &count);
#else
    const cudaError_t error =
        cudaStreamGetCaptureInfo_v3(stream, &status, nullptr, nullptr, &nodes, &edges, &count);
#endif
    return error == cudaSuccess && count == 1 ? nodes[0] : nullptr;
}

/// An iteration as a CUDA graph: a launch takes the host as long as that of a kernel or two, where
/// its operations one by one would take it longer than the device. What differs from the iteration
/// that was captured is set in its nodes: arguments, and data that take turns (Slot::turns).
class CapturedIteration
{
public:
    /// Null graph: CUDA cannot capture it.
    CapturedIteration(const std::vector<Launch>& launches, const std::vector<std::uint32_t>& before)
    {
        const cudaStream_t own = starpu_cuda_get_local_stream();
        if (cudaStreamBeginCapture(own, cudaStreamCaptureModeThreadLocal) != cudaSuccess) return;
        {
            Streams streams(before);
            for (const Launch& l : launches) {
                const cudaStream_t stream = streams.stream_for(l.call);
                l.in(stream);
                operations_.push_back({l, last_node(stream)});
                streams.launched(l.call);
            }
        }
        if (cudaStreamEndCapture(own, &captured_) != cudaSuccess || !captured_) return;
        if (cudaGraphInstantiate(&graph_, captured_, 0) != cudaSuccess) graph_ = nullptr;
    }
    /// CUDA ends it when it is not under way any more. No destructor: CUDA may end before it.
    void end()
    {
        if (graph_) cudaGraphExecDestroy(graph_);
        if (captured_) cudaGraphDestroy(captured_);
    }
    CapturedIteration(const CapturedIteration&) = delete;
    CapturedIteration& operator=(const CapturedIteration&) = delete;

    /// False: nothing has been launched.
    bool launch(const std::vector<Launch>& launches)
    {
        if (!graph_) return false;
        for (std::size_t o = 0; o < launches.size(); ++o)
            if (operations_[o].differs(launches[o]) && !set(operations_[o], launches[o])) {
                cudaGraphExecDestroy(std::exchange(graph_, nullptr));
                return false;
            }
        check_cuda(cudaGraphLaunch(graph_, starpu_cuda_get_local_stream()));
        return true;
    }

private:
    struct Operation {
        Operation(const Launch& l, cudaGraphNode_t n)
            : args(static_cast<const char*>(l.call.args),
                   static_cast<const char*>(l.call.args) + l.call.codelet.operation.args_size),
              slots(std::begin(l.call.slots), std::end(l.call.slots)), node(n)
        {
        }
        bool differs(const Launch& l) const
        {
            return std::memcmp(args.data(), l.call.args, args.size()) != 0 ||
                   !std::equal(slots.begin(), slots.end(), std::begin(l.call.slots));
        }
        std::vector<char> args;
        std::vector<void*> slots;
        cudaGraphNode_t node; // its kernel; null: not known
    };

    /// From now on the graph launches this in place of the operation.
    bool set(Operation& o, const Launch& l)
    {
        const cudaStream_t own = starpu_cuda_get_local_stream();
        if (!o.node || cudaStreamBeginCapture(own, cudaStreamCaptureModeThreadLocal) != cudaSuccess)
            return false;
        l.in(own);
        const cudaGraphNode_t node = last_node(own);
        cudaGraph_t alone = nullptr;
        if (cudaStreamEndCapture(own, &alone) != cudaSuccess || !alone) return false;
        cudaKernelNodeParams params{};
        const bool is_set =
            node && cudaGraphKernelNodeGetParams(node, &params) == cudaSuccess &&
            cudaGraphExecKernelNodeSetParams(graph_, o.node, &params) == cudaSuccess;
        cudaGraphDestroy(alone);
        if (is_set) o = {l, o.node};
        return is_set;
    }

    std::vector<Operation> operations_;
    cudaGraph_t captured_ = nullptr; // its nodes are the names of those of graph_
    cudaGraphExec_t graph_ = nullptr;
};

/// The iterations that a worker has captured, by what cannot be set.
class CapturedIterations
{
public:
    /// Launches it, if it was there before; false: nothing has been launched.
    bool launch(const std::vector<Launch>& launches, const std::vector<std::uint32_t>& before)
    {
        constexpr std::size_t most = 64;
        const std::vector<std::uint64_t> key = key_of(launches, before);
        const auto known = all_.find(key);
        if (known != all_.end()) {
            std::optional<CapturedIteration>& captured = known->second;
            if (!captured) captured.emplace(launches, before); // it has been there once
            return captured->launch(launches);
        }
        if (all_.size() == most) { // of solves whose memory was given back, too
            for (auto& [of, iteration] : all_)
                if (iteration) iteration->end();
            all_.clear();
        }
        all_.try_emplace(key);
        return false;
    }

private:
    struct Hash {
        std::size_t operator()(const std::vector<std::uint64_t>& key) const
        {
            return XXH64(key.data(), key.size() * sizeof key[0], 0);
        }
    };
    static std::vector<std::uint64_t> key_of(const std::vector<Launch>& launches,
                                             const std::vector<std::uint32_t>& before)
    {
        std::vector<std::uint64_t> key;
        const auto add = [&](const void* p) {
            key.push_back(std::uint64_t(reinterpret_cast<std::uintptr_t>(p)));
        };
        for (const Launch& l : launches) {
            const std::vector<Slot>& slots = l.call.codelet.slots;
            add(&l.call.codelet);
            for (std::size_t s = 0; s < slots.size(); ++s)
                if (slots[s].turns)
                    key.push_back(l.call.slots[s] != nullptr);
                else
                    add(l.call.slots[s]);
            key.push_back(std::uint64_t(l.zero) << 32 | unsigned(l.call.stream) << 2 |
                          unsigned(l.is_zero) << 1 | unsigned(l.call.manner.downwards));
            for (const ListWait& w : l.call.waits) {
                const std::uint32_t base = before[std::size_t(w.list)];
                if (w.operations > base)
                    key.push_back(std::uint64_t(w.list) << 32 | (w.operations - base));
            }
        }
        return key;
    }

    std::unordered_map<std::vector<std::uint64_t>, std::optional<CapturedIteration>, Hash> all_;
};

/// The operations of an iteration, in several streams.
void launch(const std::vector<Launch>& launches, std::vector<std::uint32_t>& executed,
            bool may_capture, Laps& laps)
{
    static thread_local CapturedIterations captured;
    if (!may_capture || !captured.launch(launches, executed)) {
        Streams streams(executed);
        for (const Launch& l : launches) {
            const cudaStream_t stream = streams.stream_for(l.call);
            laps.next_in(stream);
            l.in(stream);
            streams.launched(l.call);
            laps.lap(l.call.origin);
        }
    }
    for (const Launch& l : launches) ++executed[std::size_t(l.call.stream)];
}

/// A worker's stream, to which a list of several is given.
class CudaQueue
{
public:
    using Mark = cudaEvent_t;
    void launch(const RunningBatch::Call& o, unsigned zero, bool is_zero)
    {
        Launch{o, zero, is_zero}.in(stream_);
    }
    void copy(const CopyArgs& c, const void* from, void* to)
    {
        constexpr cudaMemcpyKind kinds[] = {cudaMemcpyDeviceToHost, cudaMemcpyHostToDevice,
                                            cudaMemcpyDeviceToDevice};
        check_cuda(cudaMemcpyAsync(to, from, c.bytes, kinds[c.way], stream_));
    }
    Mark mark()
    {
        const cudaEvent_t event = next_event(used_);
        check_cuda(cudaEventRecord(event, stream_));
        return event;
    }
    /// Other GPUs may wait for it.
    void publish(Mark event, Together& together, int list, std::uint32_t n)
    {
        together.enqueued(list, n, event);
    }
    void wait_for(Mark event) { check_cuda(cudaEventSynchronize(event)); }
    bool has_passed(Mark event)
    {
        const cudaError_t status = cudaEventQuery(event);
        if (status != cudaErrorNotReady) check_cuda(status);
        return status == cudaSuccess;
    }
    /// What waits for another GPU's operation is enqueued behind it there.
    template <class Meanwhile>
    bool follow(const Together& together, const ListWait& wait, Meanwhile meanwhile)
    {
        if (!together.is_cuda(wait.list)) return false;
        const auto event = static_cast<cudaEvent_t>(together.event(wait, meanwhile));
        check_cuda(cudaStreamWaitEvent(stream_, event, 0));
        return true;
    }

private:
    cudaStream_t stream_ = starpu_cuda_get_local_stream();
    std::size_t used_ = 0;
};

} // namespace

void execute_on_cuda(const RunningBatch& batch)
{
    const BatchHeader& header = batch.header();
    const cudaStream_t own = starpu_cuda_get_local_stream();
    Laps laps(header.events, Laps::Task::of_many, header.ready, own);
    if (header.together) {
        execute_on_device(
            batch, CudaQueue(), [&] { laps.next_in(own); }, laps);
        check_cuda(cudaGetLastError());
        return;
    }
    std::vector<std::uint32_t> executed(std::size_t(header.streams), 0);
    std::vector<Launch> iteration;
    batch.for_each_on_device([&](const RunningBatch::Call& o, unsigned zero, bool is_zero) {
        const Launch l{o, zero, is_zero};
        if (header.streams == 1) {
            l.in(own);
            laps.lap(o.origin);
            return;
        }
        if (!iteration.empty() && iteration.back().call.origin.iteration != o.origin.iteration) {
            launch(iteration, executed, !header.events, laps);
            iteration.clear();
        }
        iteration.push_back(l);
    });
    if (!iteration.empty()) launch(iteration, executed, !header.events, laps);
    check_cuda(cudaGetLastError());
}

} // namespace qcd
