#pragma once
// How far workers are that execute the lists of a schedule at the same time. No StarPU.

#include "runtime/team.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace qcd
{

/// An operation waits until the worker with this list has executed so many of its own.
struct ListWait {
    int list;
    std::uint32_t operations;
};

/// Each list's worker counts what it has executed; who has waited for a count sees what was written
/// before it.
class ListProgress
{
public:
    explicit ListProgress(std::size_t lists) : counts_(lists) {}

    void executed(int list, std::uint32_t operations)
    {
        counts_[std::size_t(list)].executed.store(operations, std::memory_order_release);
    }
    /// Its worker looks at nothing any more.
    void end(int list) { executed(list, all); }
    void await(const ListWait& wait) const
    {
        await(wait, [] {});
    }
    /// meanwhile: done again and again.
    template <class Meanwhile>
    void await(const ListWait& wait, Meanwhile meanwhile) const
    {
        const auto& executed = counts_[std::size_t(wait.list)].executed;
        spin_until([&] {
            meanwhile();
            return executed.load(std::memory_order_acquire) >= wait.operations;
        });
    }
    void await_end(int list) const { await({list, all}); }

private:
    static constexpr std::uint32_t all = UINT32_MAX;
    struct alignas(64) Count {
        std::atomic<std::uint32_t> executed{0};
    };
    std::vector<Count> counts_;
};

} // namespace qcd
