#include "codelets/runtime/flags.hpp"

#include "codelets/runtime/device_failure.hpp"

#include <atomic>
#include <chrono>
#include <thread>

namespace qcd
{

void raise_flag(i64* flag, i64 count)
{
    std::atomic_ref(*flag).store(count, std::memory_order_release);
}

void await_flag(i64* flag, i64 count)
{
    const auto start = std::chrono::steady_clock::now();
    while (std::atomic_ref(*flag).load(std::memory_order_acquire) < count) {
        std::this_thread::yield();
        if (std::chrono::steady_clock::now() - start > std::chrono::minutes(1))
            device_failed("CPU", "a worker waits for another for a minute");
    }
}

} // namespace qcd
