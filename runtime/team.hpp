#pragma once
// Threads that compute shares of a task together. No StarPU.

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace qcd
{

/// Returns when it is true, which another thread makes soon: it looks again and again, and lets
/// others have the core now and then.
template <class Is>
void spin_until(const Is& is)
{
    for (int i = 1; !is(); ++i)
        if (i % 64)
            __builtin_ia32_pause();
        else
            std::this_thread::yield();
}

/// A share of a task: an even part of its blocks, in memory order.
struct CpuShare {
    int index = 0, count = 1;
    bool downwards = false; ///< from its last blocks to its first ones
    int layers = 1;         ///< of Manner: the share is of each
    /// The first block of this share, or the next one's, of `blocks` in all.
    int first(int blocks) const { return int(long(blocks) * index / count); }
    int end(int blocks) const { return int(long(blocks) * (index + 1) / count); }
};

/// The calling thread and so many others that one task needs.
class Team
{
public:
    /// `begin` is called by each other thread, with its number from 1 on, before it works. Throws
    /// std::system_error where there are no more threads.
    Team(int size, const std::function<void(int member)>& begin);
    ~Team();
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    int size() const { return int(queues_.size()); }

    /// Calls run(context, share) for each of so many shares of each member; returns when all are
    /// done. Each member has shares of its own, the same ones for all tasks of as many shares, and
    /// takes others' when it has none left: a thread that is busy with something else delays
    /// nobody. From the last ones on, if `downwards`.
    void execute(void (*run)(const void* context, CpuShare), const void* context, int shares,
                 bool downwards);

private:
    /// A member's shares that nobody has taken yet: the turn they belong to, and how many they are.
    /// None are left of a turn that is over, so that who comes late to it gets none.
    struct alignas(64) Queue {
        std::atomic<std::uint64_t> left{0};
        void fill(unsigned turn, int shares);
        /// How many were left, the one taken included; 0: none of this turn.
        int take(unsigned turn);
    };

    void end(); ///< of the helpers
    void begin_turn(int shares);
    void work(int member, unsigned turn);
    unsigned await_turn(unsigned seen);
    void help(int member);

    // The work of the turn.
    void (*run_)(const void*, CpuShare) = nullptr;
    const void* context_ = nullptr;
    bool downwards_ = false;
    int shares_ = 0; // of each member
    std::atomic<bool> ended_ = false;
    alignas(64) std::atomic<unsigned> turn_{0};
    alignas(64) std::atomic<int> done_{0};
    std::vector<Queue> queues_;
    std::vector<std::thread> helpers_;
};

} // namespace qcd
