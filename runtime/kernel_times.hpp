#pragma once
// How long kernels take inside of a run, and what they move and compute by their contracts.

#include "runtime/work.hpp"

#include <memory>
#include <string>
#include <vector>

struct CUstream_st; // cudaStream_t without CUDA's headers

namespace qcd
{

struct Codelet;

/// All calls of one operation on one kind of worker.
struct KernelTime {
    std::string name;   ///< of the codelet
    std::string worker; ///< "CPU", "CUDA" or "OpenCL"
    long count = 0;
    double seconds = 0; ///< of one worker: what several do at the same time counts for each
    Work work;
};

/// While one lives, calls are timed: on cores from begin to end, two looks at the clock; on CUDA by
/// an event before and one after, which keeps kernels from overlapping; on OpenCL by waiting for
/// the queue. One at a time; made and destroyed while no task runs.
class KernelTimes
{
public:
    KernelTimes();
    ~KernelTimes();
    KernelTimes(const KernelTimes&) = delete;
    KernelTimes& operator=(const KernelTimes&) = delete;
    /// So far, when all tasks have ended.
    std::vector<KernelTime> take();
};

/// Times one call of a kernel, from its construction to its end, if somebody wants to know.
class TimedKernel
{
public:
    /// On cores, with the memory of its slots: not if the gate is closed and it does nothing.
    TimedKernel(const Codelet&, const Work&, void* const* slots);
    TimedKernel(const Codelet&, const Work&, CUstream_st*);           ///< what is enqueued there
    TimedKernel(const Codelet&, const Work&, void (*finish_queue)()); ///< OpenCL
    ~TimedKernel();
    TimedKernel(const TimedKernel&) = delete;
    TimedKernel& operator=(const TimedKernel&) = delete;

private:
    struct Call;
    std::unique_ptr<Call> call_; // null: nobody does
};

} // namespace qcd
