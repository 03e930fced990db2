#pragma once
// The end of a run that hangs: in a driver, in a kernel, in StarPU.

#include "runtime/pulse.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace qcd
{

/// Once its owner is asked to stop, looks whether what is waited for still moves. A run that hangs
/// without being asked to stop goes on hanging: nothing tells a hang from a long kernel but a
/// user's patience.
class StallWatch
{
public:
    using Duration = std::chrono::steady_clock::duration;

    /// `stop` is set from outside. `end` is called, by a thread of its own, when after that the
    /// pulse has been awaited for so long without a beat; it does not return.
    StallWatch(const Pulse&, const std::atomic<bool>& stop, Duration patience, void (*end)());
    ~StallWatch();
    StallWatch(const StallWatch&) = delete;
    StallWatch& operator=(const StallWatch&) = delete;

private:
    void watch(const Pulse&, const std::atomic<bool>& stop, Duration patience, void (*end)());

    std::mutex mutex_;
    std::condition_variable over_;
    bool is_over_ = false;
    std::thread thread_; // last: it uses the others
};

} // namespace qcd
