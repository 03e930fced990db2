#pragma once
// What a session shows of itself to somebody who wants to know whether it hangs.

#include <atomic>

namespace qcd
{

/// Beats wherever a kernel begins or a wait for StarPU ends. Any thread may use it.
class Pulse
{
public:
    /// The pulse of the session that lives, where StarPU keeps it; null: none has started.
    static Pulse* of_session();
    /// From now on, until StarPU ends, of_session() is this one.
    void hand_to_starpu();

    void beat() { kernels_.fetch_add(1, std::memory_order_relaxed); }
    /// Kernels that have begun, and waits that have ended.
    unsigned long beats() const
    {
        return kernels_.load(std::memory_order_relaxed) + waited_.load(std::memory_order_relaxed);
    }
    /// Does somebody wait for StarPU? Otherwise the host is at work.
    bool is_awaited() const { return waiting_.load(std::memory_order_relaxed) > 0; }

    /// Lives while its thread waits for StarPU.
    class Wait
    {
    public:
        explicit Wait(Pulse* pulse = of_session()) : pulse_(pulse)
        {
            if (pulse_) pulse_->waiting_.fetch_add(1, std::memory_order_relaxed);
        }
        ~Wait()
        {
            if (!pulse_) return;
            pulse_->waited_.fetch_add(1, std::memory_order_relaxed);
            pulse_->waiting_.fetch_sub(1, std::memory_order_relaxed);
        }
        Wait(const Wait&) = delete;
        Wait& operator=(const Wait&) = delete;

    private:
        Pulse* pulse_;
    };

private:
    alignas(64) std::atomic<unsigned long> kernels_{0}; // the workers' own line
    alignas(64) std::atomic<unsigned long> waited_{0};
    std::atomic<int> waiting_{0};
};

/// A kernel begins.
inline void beat()
{
    if (Pulse* const pulse = Pulse::of_session()) pulse->beat();
}

} // namespace qcd
