#include "runtime/stall_watch.hpp"

namespace qcd
{

StallWatch::StallWatch(const Pulse& pulse, const std::atomic<bool>& stop, Duration patience,
                       void (*end)())
    : thread_([=, this, &pulse, &stop] { watch(pulse, stop, patience, end); })
{
}

StallWatch::~StallWatch()
{
    {
        const std::lock_guard lock(mutex_);
        is_over_ = true;
    }
    over_.notify_one();
    thread_.join();
}

void StallWatch::watch(const Pulse& pulse, const std::atomic<bool>& stop, Duration patience,
                       void (*end)())
{
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds between_looks(200);
    Clock::time_point moved = Clock::now();
    unsigned long beats = pulse.beats();
    std::unique_lock lock(mutex_);
    while (!over_.wait_for(lock, between_looks, [&] { return is_over_; })) {
        if (!stop || !pulse.is_awaited() || pulse.beats() != beats) {
            moved = Clock::now();
            beats = pulse.beats();
        } else if (Clock::now() - moved >= patience) {
            end();
        }
    }
}

} // namespace qcd
