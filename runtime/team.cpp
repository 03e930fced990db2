#include "runtime/team.hpp"

#include <chrono>

namespace qcd
{

namespace
{

/// Who waits spins this long before it sleeps: as long as a few small tasks, because waking a
/// sleeper takes as long as one.
constexpr std::chrono::microseconds patience{500};

} // namespace

void Team::Queue::fill(unsigned turn, int shares)
{
    left.store(std::uint64_t(turn) << 32 | unsigned(shares), std::memory_order_release);
}

int Team::Queue::take(unsigned turn)
{
    std::uint64_t l = left.load(std::memory_order_acquire);
    while (l >> 32 == turn && unsigned(l) > 0)
        if (left.compare_exchange_weak(l, l - 1, std::memory_order_acq_rel)) return int(l);
    return 0;
}

Team::Team(int size, const std::function<void(int)>& begin) : queues_(size)
{
    helpers_.reserve(size);
    try {
        for (int i = 1; i < size; ++i)
            helpers_.emplace_back([this, begin, i] {
                begin(i);
                help(i);
            });
    } catch (...) { // there are no more threads: those that began wait for a turn
        end();
        throw;
    }
}

Team::~Team() { end(); }

void Team::end()
{
    ended_ = true;
    begin_turn(0);
    for (std::thread& h : helpers_) h.join();
}

void Team::execute(void (*run)(const void*, CpuShare), const void* context, int shares,
                   bool downwards)
{
    run_ = run;
    context_ = context;
    downwards_ = downwards;
    shares_ = shares;
    done_ = 0;
    begin_turn(shares_);
    work(0, turn_);
    spin_until([&] { return done_.load(std::memory_order_acquire) >= shares_ * size(); });
}

void Team::begin_turn(int shares)
{
    const unsigned turn = turn_ + 1;
    for (Queue& q : queues_) q.fill(turn, shares);
    turn_ = turn;
    turn_.notify_all();
}

/// Who has a share may read what belongs to the turn: it cannot end before the share is done.
void Team::work(int member, unsigned turn)
{
    for (int i = 0; i < size(); ++i) {
        const int owner = (member + i) % size();
        while (const int left = queues_[owner].take(turn)) {
            const int taken = downwards_ ? left - 1 : shares_ - left;
            run_(context_, {owner * shares_ + taken, size() * shares_, downwards_});
            done_.fetch_add(1, std::memory_order_release);
        }
    }
}

/// Returns the turn after `seen`, or a later one.
unsigned Team::await_turn(unsigned seen)
{
    const auto end = std::chrono::steady_clock::now() + patience;
    do
        for (int i = 0; i < 64; ++i) {
            if (const unsigned turn = turn_.load(std::memory_order_acquire); turn != seen)
                return turn;
            __builtin_ia32_pause();
        }
    while (std::chrono::steady_clock::now() < end);
    turn_.wait(seen, std::memory_order_acquire);
    return turn_;
}

void Team::help(int member)
{
    for (unsigned turn = await_turn(0); !ended_; turn = await_turn(turn)) work(member, turn);
}

} // namespace qcd
