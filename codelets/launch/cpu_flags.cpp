#include "codelets/launch/cpu_flags.hpp"

#include "runtime/device_failure.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

namespace qcd
{

namespace
{

template <class Condition>
void await(const Condition& reached)
{
    using clock = std::chrono::steady_clock;
    constexpr clock::duration most = std::chrono::seconds(1);
    clock::duration waited{};
    for (auto last = clock::now(); !reached();) {
        std::this_thread::yield();
        const auto now = clock::now();
        waited += std::min(now - last, most); // the whole process may have stood still
        last = now;
        if (waited > std::chrono::hours(1))
            device_failed("CPU", "a worker waits for another for an hour");
    }
}

} // namespace

void raise_flag(i64* flag, i64 count)
{
    std::atomic_ref(*flag).store(count, std::memory_order_release);
}

void await_flag(i64* flag, i64 count)
{
    await([&] { return std::atomic_ref(*flag).load(std::memory_order_acquire) >= count; });
}

void send_word(sent_word* to, i64 value, unsigned number)
{
    const sent_word w = make_sent_word(value, number);
    std::atomic_ref(to->low).store(w.low, std::memory_order_relaxed);
    std::atomic_ref(to->high).store(w.high, std::memory_order_relaxed);
}

i64 await_word(sent_word* from, unsigned number)
{
    sent_word w;
    await([&] {
        w.low = std::atomic_ref(from->low).load(std::memory_order_relaxed);
        w.high = std::atomic_ref(from->high).load(std::memory_order_relaxed);
        return has_arrived(w, number);
    });
    return value_of_sent(w);
}

} // namespace qcd
