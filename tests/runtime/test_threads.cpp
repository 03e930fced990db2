// What threads of this process tell each other, under ThreadSanitizer: teams of cores, the flags
// and words of linked workers, the lists of a schedule, and who watches for a stall.

#include "codelets/launch/cpu_flags.hpp"
#include "runtime/device_failure.hpp"
#include "runtime/list_progress.hpp"
#include "runtime/stall_watch.hpp"
#include "runtime/team.hpp"

#include <array>
#include <cstdlib>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

namespace qcd
{

Pulse* Pulse::of_session() { return nullptr; } // without StarPU

void device_failed(const char*, const char*) { std::abort(); } // of a wait that takes an hour

namespace
{

struct Counts {
    std::vector<int> times; // of each share: no two threads have the same one
};

void count(const void* context, CpuShare share)
{
    auto& times = static_cast<Counts*>(const_cast<void*>(context))->times;
    ++times[share.index];
}

} // namespace

TEST_CASE("a team computes every share once, and its caller sees what all have written")
{
    constexpr int members = 4, tasks = 2000;
    std::atomic<int> begun{0};
    Team team(members, [&](int) { ++begun; });
    REQUIRE(team.size() == members);
    for (int task = 0; task < tasks; ++task) {
        const int shares = task % 3 ? 8 : 1;
        Counts counts{std::vector<int>(members * shares)};
        team.execute(count, &counts, shares, task % 2);
        for (const int n : counts.times) REQUIRE(n == 1);
    }
    CHECK(begun < members); // all but the caller, unless one has not begun yet
}

TEST_CASE("who has waited for another list sees what its operations have written")
{
    // Operation i of a list reads what all have made in operation i-1. It writes where operation
    // i-1 of the others has read: what they had made in i-2.
    constexpr int lists = 3, operations = 1000;
    ListProgress progress(lists);
    std::array<std::array<long, 2>, lists> data{}; // of even and odd operations
    const auto execute = [&](int list) {
        for (std::uint32_t i = 1; i <= operations; ++i) {
            long sum = 1;
            for (int other = 0; other < lists; ++other) {
                if (other != list) progress.await({other, i - 1});
                sum += data[std::size_t(other)][(i - 1) % 2];
            }
            data[std::size_t(list)][i % 2] = sum % 1000003;
            progress.executed(list, i);
        }
        progress.end(list);
    };
    std::vector<std::thread> threads;
    for (int list = 0; list < lists; ++list) threads.emplace_back(execute, list);
    for (int list = 0; list < lists; ++list) progress.await_end(list);
    long expected[2] = {0, 0};
    for (int i = 1; i <= operations; ++i)
        expected[i % 2] = (1 + lists * expected[(i - 1) % 2]) % 1000003;
    for (const auto& made : data) CHECK(made[operations % 2] == expected[operations % 2]);
    for (std::thread& thread : threads) thread.join();
}

TEST_CASE("what was written before a flag was raised is there when it is seen")
{
    constexpr int rounds = 2000;
    std::array<double, 2> data{}; // of each side, for the other
    std::array<i64, 2> flags{};
    const auto side = [&](int me) {
        for (int round = 1; round <= rounds; ++round) {
            data[me] = round + me;
            raise_flag(&flags[me], 2 * round);
            await_flag(&flags[1 - me], 2 * round);
            if (data[1 - me] != round + 1 - me) std::abort();
            // Read before the other writes again, as an exchange of sums between hops does.
            raise_flag(&flags[me], 2 * round + 1);
            await_flag(&flags[1 - me], 2 * round + 1);
        }
    };
    std::thread other(side, 1);
    side(0);
    other.join();
    CHECK(flags[0] == 2 * rounds + 1);
}

TEST_CASE("sent words arrive whole, and those of the exchange before are not taken for them")
{
    constexpr unsigned rounds = 2000;
    std::array<std::array<sent_word, 2>, 2> inbox{}; // of each side, in turn
    const auto value = [](unsigned round, int of) {
        return (i64(round) << 40) * (of ? -1 : 1) + of;
    };
    const auto side = [&](int me) {
        for (unsigned round = 1; round <= rounds; ++round) {
            send_word(&inbox[1 - me][round % 2], value(round, me), round);
            if (await_word(&inbox[me][round % 2], round) != value(round, 1 - me)) std::abort();
        }
    };
    std::thread other(side, 1);
    side(0);
    other.join();
}

namespace
{
std::atomic<int> ends{0};
}

TEST_CASE("who is asked to stop, waits, and sees no beat for a while, is ended")
{
    using namespace std::chrono_literals;
    constexpr auto patience = 300ms;
    Pulse pulse;
    std::atomic<bool> stop{false};
    const StallWatch watch(pulse, stop, patience, [] { ++ends; });
    std::this_thread::sleep_for(3 * patience); // not asked
    {
        const Pulse::Wait wait(&pulse);
        std::this_thread::sleep_for(3 * patience); // not asked
        CHECK(ends == 0);
    }
    stop = true;
    std::this_thread::sleep_for(3 * patience); // does not wait
    CHECK(ends == 0);
    const Pulse::Wait wait(&pulse);
    for (int i = 0; i < 30; ++i) {
        std::this_thread::sleep_for(patience / 10);
        pulse.beat();
    }
    CHECK(ends == 0);
    const auto begin = std::chrono::steady_clock::now();
    while (ends == 0) std::this_thread::sleep_for(10ms);
    CHECK(std::chrono::steady_clock::now() - begin >= patience / 2);
}

} // namespace qcd
