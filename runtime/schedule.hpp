#pragma once
// Who executes which operation of an iteration, and in which order: a schedule that StarPU's
// scheduler made once, or somebody wrote, and that is executed again and again (PlanKind::replay).
// No StarPU.

#include "runtime/placed.hpp"
#include "runtime/worker_counts.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace qcd
{

/// The last uses of one piece of data: who reads waits for who wrote last, who writes also for
/// those that read since then.
struct LastUses {
    int writer = -1; ///< -1: none yet
    std::vector<int> readers{};
    /// One more use; adds to `before` whom it waits for.
    void note(int user, bool writes, std::vector<int>& before);
};
/// In ascending order, each once, and without the one that waits itself: its data may fill two of
/// its slots.
void keep_earlier(std::vector<int>& before, int than);

/// The operations of an iteration by what they are and which data they share, whatever memory and
/// whatever arguments they have in this one: iterations with equal periods can be executed alike.
struct Period {
    struct Use {
        int data; ///< numbered in the order in which operations first use them
        bool writes;
        bool operator==(const Use&) const = default;
    };
    struct Operation {
        std::string name; ///< of its codelet
        int part = -1;    ///< of the graph, that it writes; -1: of none
        std::vector<Use> uses;
        bool operator==(const Operation&) const = default;
    };
    std::vector<Operation> operations; ///< as they were submitted
    bool operator==(const Period&) const = default;

    /// For each operation those before it that it waits for, ascending.
    std::vector<std::vector<int>> dependencies() const;
    /// 16 hexadecimal digits, alike for equal periods.
    std::string fingerprint() const;
};

/// The schedule of one period. Each worker executes its operations in their order, and waits where
/// it needs what another one has not made yet.
struct Schedule {
    std::vector<int> worker;    ///< of each operation, from 0 on
    std::vector<int> order;     ///< all operations; those of each worker in the order of its list
    double seconds = 0;         ///< that the period took when it was taken down; 0: it was not
    std::vector<double> took{}; ///< of each operation then; 0: not known, as of devices
    bool operator==(const Schedule&) const = default;
};

/// Why workers that have so many lists could not execute it, in words; empty: they can. Otherwise
/// each operation stands in it once, and nobody waits for what comes behind.
std::string why_not(const Schedule&, const Period&, int workers);
/// The operations in an order in which they could be executed one by one, that of each list being
/// as it is. There is one, says why_not().
std::vector<int> one_by_one(const Schedule&, const Period&);

/// Why lists of such workers could not exchange what they compute, in words; empty: they can.
std::string why_not_replayed_by(const WorkerCounts&);

/// The schedules of a run: taken down from iterations that were executed as a graph, or given.
/// Only the thread that submits uses it, but for what workers write into a lesson.
class Schedules
{
public:
    /// How many iterations with a period are looked at before it has a schedule: that of median
    /// time.
    static constexpr int lessons_needed = 5;
    /// After so many without any that repeats, nothing does.
    static constexpr int most_without = 64;
    static constexpr int most_strange = 8;

    /// workers: StarPU's numbers, ascending. kinds: "CPU", ... of each.
    /// asks_models: the scheduler predicts by models; what it did before they were measured is no
    /// lesson, unless that is so in `most_uncalibrated` iterations of a period. Nor is what it did
    /// in the `settling` iterations after that: data are still where measuring had left them.
    Schedules(std::vector<int> workers, std::vector<std::string> kinds, bool asks_models);

    /// What is known of a period.
    struct Entry {
        Period period;
        std::string fingerprint{};
        std::vector<std::unique_ptr<std::vector<Placed>>> lessons{};
        int seen = 0;
        int settled = 0;    ///< lessons that were forgotten because it was settling
        bool known = false; ///< there is a schedule
        Schedule schedule{};
        double shortest = 0, longest = 0; ///< of the lessons
        int replayed = 0;                 ///< iterations that were executed by it
        long copies = 0;                  ///< between memories, in all of them
        double copied_bytes = 0;
    };
    /// words: what tells periods of this run apart, cheaper to make than a Period, which make()
    /// returns where the words are new.
    template <class Make>
    Entry& entry(const std::vector<std::uint64_t>& words, const Make& make)
    {
        const auto [it, isnew] = entries_.try_emplace(words);
        if (isnew) begin(it->second, make());
        return it->second;
    }

    /// Somebody's schedules, by fingerprint: no others are taken down then. Before any entry. An
    /// iteration that has none is executed as a graph, as the first one of a solve may be of a kind
    /// of its own; where `most_strange` more have none than have one they are of another graph,
    /// which ends it.
    void give(std::unordered_map<std::string, Schedule>);
    bool are_given() const { return !given_.empty(); }

    /// Do CUDA devices read each other's memory? If not, what one needs of another is copied.
    bool gpus_reach_each_other = false;

    /// An iteration is about to be executed as a graph: where its operations say who executed them;
    /// null: it is no lesson.
    std::vector<Placed>* lesson(Entry&);
    /// Are there enough lessons?
    bool is_due(const Entry&) const;
    /// It is about to be executed as its schedule says.
    void replay(Entry&);
    /// Takes the schedule down: no task of the lessons is under way.
    void take_down(Entry&);

    const std::vector<int>& workers() const { return workers_; }
    const std::vector<std::string>& kinds() const { return kinds_; }
    bool has_several_memories() const; ///< of these workers
    /// In which the list of a worker that has them is executed: operations on several small tiles
    /// fill a GPU together. Those on tile i have stream i modulo this.
    std::size_t streams(const Entry&) const;
    /// Those that have a schedule, in the order in which they got it.
    const std::vector<const Entry*>& known() const { return known_; }

private:
    static constexpr int most_uncalibrated = 200, settling = 10;
    struct Hash {
        std::size_t operator()(const std::vector<std::uint64_t>&) const;
    };
    void begin(Entry&, Period);
    void forget_early(Entry&) const;

    std::vector<int> workers_;
    std::vector<std::string> kinds_;
    bool asks_models_;
    std::unordered_map<std::vector<std::uint64_t>, Entry, Hash> entries_;
    std::unordered_map<std::string, Schedule> given_;
    std::vector<const Entry*> known_;
    int without_ = 0; // iterations with a new period since one was repeated; without a given
                      // schedule, and more than there are with one
};

/// Lines for people: the schedules that iterations had, and how many had them.
std::vector<std::string> in_words(const Schedules&);

} // namespace qcd
