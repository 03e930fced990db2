#include "runtime/cpu_team.hpp"

#include "codelets/device/exact_sum.h"
#include "runtime/codelet.hpp"
#include "runtime/device_failure.hpp"
#include "runtime/machine_model.hpp"

#include <hwloc.h>
#include <starpu.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <thread>
#include <vector>

namespace qcd
{

namespace
{

/// Who waits spins this long before it sleeps: as long as a few small tasks, because waking a
/// sleeper takes as long as one.
constexpr std::chrono::microseconds patience{500};

/// The n-th core after the worker's own; null if there is none.
hwloc_obj_t core_after(int worker, int n)
{
    const hwloc_bitmap_t own = starpu_worker_get_hwloc_cpuset(worker); // a copy, ours to free
    hwloc_obj_t core = hwloc_get_next_obj_covering_cpuset_by_type(starpu_get_hwloc_topology(), own,
                                                                  HWLOC_OBJ_CORE, nullptr);
    hwloc_bitmap_free(own);
    for (; core && n > 0; --n) core = core->next_cousin;
    return core;
}

/// The calling thread stays on the n-th core after the worker's own.
void bind_to_core_after(int worker, int n)
{
    const hwloc_obj_t core = core_after(worker, n);
    if (!core) return;
    const hwloc_bitmap_t one = hwloc_bitmap_dup(core->cpuset);
    hwloc_bitmap_singlify(one);
    hwloc_set_cpubind(starpu_get_hwloc_topology(), one, HWLOC_CPUBIND_THREAD);
    hwloc_bitmap_free(one);
}

/// The cores of one worker: its own thread and one for each of the others.
class Team
{
public:
    explicit Team(int size) : queues_(size)
    {
        const int worker = starpu_worker_get_id();
        try {
            for (int i = 1; i < size; ++i)
                helpers_.emplace_back([this, worker, i] {
                    bind_to_core_after(worker, i);
                    help(i);
                });
        } catch (const std::exception& e) {
            device_failed("cores of a worker", e.what()); // in a task
        }
    }
    ~Team()
    {
        ended_ = true;
        begin_turn(0);
        for (std::thread& h : helpers_) h.join();
    }
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    int cores() const { return int(queues_.size()); }
    void execute(const Codelet& codelet, const void* args, void* const* slots, bool downwards)
    {
        const int blocks = codelet.family->blocks(args), cores = int(queues_.size());
        if (blocks < cores) return codelet.cpu(args, slots, {});
        start_shared_sums(codelet, slots);
        codelet_ = &codelet;
        args_ = args;
        slots_ = slots;
        downwards_ = downwards;
        shares_ = std::clamp(blocks / (cores * blocks_a_share), 1, most_shares);
        done_ = 0;
        begin_turn(shares_);
        work(0, turn_);
        for (int i = 1; done_.load(std::memory_order_acquire) < shares_ * cores; ++i)
            i % 64 ? pause() : std::this_thread::yield();
    }

private:
    /// Enough that summing up and taking a share do not count.
    static constexpr int blocks_a_share = 16;
    static constexpr int most_shares = 8; // of a core

    /// A core's shares that nobody has taken yet: the turn they belong to, and how many they are.
    /// None are left of a turn that is over, so that who comes late to it gets none.
    struct alignas(64) Queue {
        std::atomic<std::uint64_t> left{0};
        void fill(unsigned turn, int shares)
        {
            left.store(std::uint64_t(turn) << 32 | unsigned(shares), std::memory_order_release);
        }
        /// How many were left, the one taken included; 0: none of this turn.
        int take(unsigned turn)
        {
            std::uint64_t l = left.load(std::memory_order_acquire);
            while (l >> 32 == turn && unsigned(l) > 0)
                if (left.compare_exchange_weak(l, l - 1, std::memory_order_acq_rel)) return int(l);
            return 0;
        }
    };

    static void pause() { __builtin_ia32_pause(); }

    void begin_turn(int shares)
    {
        const unsigned turn = turn_ + 1;
        for (Queue& q : queues_) q.fill(turn, shares);
        turn_ = turn;
        turn_.notify_all();
    }
    /// Who has a share may read what belongs to the turn: it cannot end before the share is done.
    void work(int core, unsigned turn)
    {
        const int cores = int(queues_.size());
        for (int i = 0; i < cores; ++i) {
            const int owner = (core + i) % cores;
            while (const int left = queues_[owner].take(turn)) {
                const int taken = downwards_ ? left - 1 : shares_ - left;
                codelet_->cpu(args_, slots_,
                              {owner * shares_ + taken, cores * shares_, downwards_});
                done_.fetch_add(1, std::memory_order_release);
            }
        }
    }
    /// Returns the turn after `seen`, or a later one.
    unsigned await_turn(unsigned seen)
    {
        const auto end = std::chrono::steady_clock::now() + patience;
        do
            for (int i = 0; i < 64; ++i) {
                if (const unsigned turn = turn_.load(std::memory_order_acquire); turn != seen)
                    return turn;
                pause();
            }
        while (std::chrono::steady_clock::now() < end);
        turn_.wait(seen, std::memory_order_acquire);
        return turn_;
    }
    void help(int core)
    {
        for (unsigned turn = await_turn(0); !ended_; turn = await_turn(turn)) work(core, turn);
    }

    // Of the turn.
    const Codelet* codelet_ = nullptr;
    const void* args_ = nullptr;
    void* const* slots_ = nullptr;
    bool downwards_ = false;
    int shares_ = 0; // of each core
    std::atomic<bool> ended_ = false;
    alignas(64) std::atomic<unsigned> turn_{0};
    alignas(64) std::atomic<int> done_{0};
    std::vector<Queue> queues_;
    std::vector<std::thread> helpers_;
};

} // namespace

std::size_t level3_of_cpu_workers(int cores)
{
    std::vector<int> workers(starpu_cpu_worker_get_count());
    starpu_worker_get_ids_by_type(STARPU_CPU_WORKER, workers.data(), unsigned(workers.size()));
    const hwloc_bitmap_t used = hwloc_bitmap_alloc();
    for (const int worker : workers) {
        const hwloc_bitmap_t own = starpu_worker_get_hwloc_cpuset(worker);
        hwloc_bitmap_or(used, used, own);
        hwloc_bitmap_free(own);
        for (int n = 1; n < cores; ++n)
            if (const hwloc_obj_t core = core_after(worker, n))
                hwloc_bitmap_or(used, used, core->cpuset);
    }
    std::size_t bytes = 0;
    const hwloc_topology_t topology = starpu_get_hwloc_topology();
    for (hwloc_obj_t cache = nullptr;
         (cache = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_L3CACHE, cache)) != nullptr;)
        if (hwloc_bitmap_intersects(cache->cpuset, used)) bytes += cache->attr->cache.size;
    hwloc_bitmap_free(used);
    return bytes;
}

std::size_t cache_of_cpu_workers(int cores)
{
    constexpr std::size_t if_unknown = 32U << 20;
    const std::size_t level3 = level3_of_cpu_workers(cores);
    const std::size_t used = // without any nobody heeds the answer
        std::max(1u, starpu_cpu_worker_get_count() * cores);
    return std::min(level3 > 0 ? level3 : if_unknown, MachineModel::of_this_machine().cache_a_core * used);
}

void start_shared_sums(const Codelet& codelet, void* const* slots)
{
    const CodeletFamily& family = *codelet.family;
    if (family.sums_slot < 0 || !slots[family.sums_slot]) return;
    std::memset(slots[family.sums_slot], 0, QCD_TASK_SUM_WORDS * sizeof(i64));
}

void execute_on_cores(const Codelet& codelet, const void* args, void* const* slots,
                      const Manner& manner)
{
    if (manner.cores == 1) return codelet.cpu(args, slots, {.downwards = manner.downwards});
    // Ends with its worker's thread, as StarPU does.
    static thread_local std::unique_ptr<Team> team;
    if (!team || team->cores() != manner.cores) {
        team.reset();
        team = std::make_unique<Team>(manner.cores);
    }
    team->execute(codelet, args, slots, manner.downwards);
}

} // namespace qcd
