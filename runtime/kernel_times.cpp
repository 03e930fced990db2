#include "runtime/kernel_times.hpp"

#include "runtime/codelet.hpp"

#include <chrono>
#include <map>
#include <mutex>
#include <string_view>
#include <utility>

#ifdef QCD_WITH_CUDA
#include <cuda_runtime_api.h>
#endif

namespace qcd
{

namespace
{

using Clock = std::chrono::steady_clock;

bool wanted = false; // changes only while no task runs

std::mutex mutex;                                                        // of what follows
std::map<std::pair<const Codelet*, std::string_view>, KernelTime> times; // without their names

void add(const Codelet& codelet, std::string_view worker, const Work& work, double seconds)
{
    const std::lock_guard lock(mutex);
    KernelTime& t = times[{&codelet, worker}];
    ++t.count;
    t.seconds += seconds;
    t.work.bytes += work.bytes;
    t.work.flops += work.flops;
}

#ifdef QCD_WITH_CUDA
struct Launch {
    const Codelet* codelet;
    Work work;
    cudaEvent_t begin = nullptr, end = nullptr;
};
std::vector<Launch> launches; // that have not been looked at

/// Failures show in the tasks themselves: here they cost a figure.
void look_at_launches()
{
    for (const Launch& l : std::exchange(launches, {})) {
        float milliseconds = 0;
        if (cudaEventSynchronize(l.end) == cudaSuccess &&
            cudaEventElapsedTime(&milliseconds, l.begin, l.end) == cudaSuccess)
            add(*l.codelet, "CUDA", l.work, 1e-3 * milliseconds);
        cudaEventDestroy(l.begin);
        cudaEventDestroy(l.end);
    }
}
#else
void look_at_launches() {}
#endif

} // namespace

KernelTimes::KernelTimes() { wanted = true; }

KernelTimes::~KernelTimes()
{
    take();
    wanted = false;
}

std::vector<KernelTime> KernelTimes::take()
{
    look_at_launches();
    std::vector<KernelTime> all;
    for (auto& [key, t] : std::exchange(times, {})) {
        t.name = key.first->name;
        t.worker = key.second;
        all.push_back(t);
    }
    return all;
}

struct TimedKernel::Call {
    const Codelet* codelet;
    Work work;
    Clock::time_point begin{};
    void (*finish_queue)() = nullptr;
#ifdef QCD_WITH_CUDA
    cudaStream_t stream = nullptr;
    Launch launch{};
#endif
};

TimedKernel::TimedKernel(const Codelet& c, const Work& work, void* const* slots)
{
    if (!wanted) return;
    const int gate = c.family->gate_slot;
    const auto* scalars = gate < 0 ? nullptr : static_cast<const double*>(slots[gate]);
    if (scalars && scalars[0] != 0) return; // as in gate_closed() of device/solve_scalars.h
    call_ = std::make_unique<Call>(Call{&c, work, Clock::now()});
}

TimedKernel::TimedKernel(const Codelet& c, const Work& work, void (*finish_queue)())
{
    if (!wanted) return;
    finish_queue();
    call_ = std::make_unique<Call>(Call{&c, work, Clock::now(), finish_queue});
}

#ifdef QCD_WITH_CUDA
TimedKernel::TimedKernel(const Codelet& c, const Work& work, CUstream_st* stream)
{
    if (!wanted) return;
    call_ = std::make_unique<Call>(Call{&c, work});
    call_->stream = stream;
    call_->launch = {&c, work};
    cudaEventCreate(&call_->launch.begin);
    cudaEventCreate(&call_->launch.end);
    cudaEventRecord(call_->launch.begin, stream);
}
#endif

TimedKernel::~TimedKernel()
{
    if (!call_) return;
#ifdef QCD_WITH_CUDA
    if (call_->launch.codelet) {
        cudaEventRecord(call_->launch.end, call_->stream);
        const std::lock_guard lock(mutex);
        launches.push_back(call_->launch);
        return;
    }
#endif
    if (call_->finish_queue) call_->finish_queue();
    add(*call_->codelet, call_->finish_queue ? "OpenCL" : "CPU", call_->work,
        std::chrono::duration<double>(Clock::now() - call_->begin).count());
}

} // namespace qcd
