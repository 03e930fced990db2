#include "runtime/lists.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace qcd
{

/// The uses of data in the iterations, in the order in which operations are executed.
struct Lists::Piece {
    Data data{};
    bool written = false;
    std::uint32_t memories = 0;              // in which it is used, a bit each
    starpu_data_access_mode mode = STARPU_R; // of all uses together
    std::uint32_t latest = 0;                // in which what was written last is
    std::size_t version = 0;
    std::vector<std::uint32_t> readers{0}; // the memories in which each version is read

    bool is_shared() const { return written && std::popcount(memories) > 1; }
    int home() const { return std::countr_zero(memories); }
};

/// Memories are numbered as their first lists are.
class Lists::Maker
{
public:
    Maker(const Lists& lists, const std::function<Data(const Data&, unsigned)>& place)
        : all_(lists), place_(place), count_(std::max(lists.workers_.size(), lists.streams_)),
          lengths_(count_), known_(count_, std::vector<std::uint32_t>(count_))
    {
        for (const int worker : lists.workers_) {
            const unsigned node =
                worker < 0 ? STARPU_MAIN_RAM : starpu_worker_get_memory_node(unsigned(worker));
            const auto it = std::find(nodes_.begin(), nodes_.end(), node);
            memory_of_.push_back(int(it - nodes_.begin()));
            const int list = int(made_.lists.size());
            if (it == nodes_.end()) {
                nodes_.push_back(node);
                made_.tasks.push_back({.list = list});
            }
            made_.lists.push_back({worker, made_.tasks[std::size_t(memory_of_.back())].list,
                                   BatchRecipe(int(lists.streams_))});
        }
        buffers_.resize(nodes_.size());
        if (nodes_.size() == 1) return;
        for (std::size_t m = 0; m < nodes_.size(); ++m)
            made_.tasks[m].uses.push_back({place_({}, nodes_[m]), STARPU_W});
    }

    MadeLists make()
    {
        for (const Iteration& i : all_.iterations_) look_at_uses(i);
        for (Piece& p : pieces_) {
            p.latest = 1u << p.home();
            p.version = 0;
        }
        uses_.resize(pieces_.size() * nodes_.size());
        for (const Iteration& i : all_.iterations_) for_each(i, [&](std::size_t o) { add(i, o); });
        const Iteration& last = all_.iterations_.back();
        for (std::size_t p = 0; p < pieces_.size(); ++p)
            if (pieces_[p].is_shared()) bring(p, pieces_[p].home(), last, last.operations.back());
        for (const auto& [list, n] : awaited_) made_.lists[list].recipe.await(n);
        return std::move(made_);
    }

private:
    /// Uses of a place, by how many operations each list has executed when they are done.
    struct Use {
        ListWait writer{-1, 0};
        std::vector<std::uint32_t> readers{}; // since then, by list
    };
    struct PlaceUse {
        std::size_t piece;
        int memory;
        bool writes;
    };

    int worker_of(const Iteration& i, std::size_t o) const
    {
        return all_.workers_.size() == 1 ? 0 : i.entry->schedule.worker[o];
    }
    /// Calls f(operation) in an order in which they could be executed one by one.
    template <class F>
    static void for_each(const Iteration& i, F f)
    {
        for (std::size_t k = 0; k < i.operations.size(); ++k)
            f(i.entry ? std::size_t(i.entry->schedule.order[k]) : k);
    }
    int memory_of(const Iteration& i, std::size_t o) const
    {
        return memory_of_[std::size_t(worker_of(i, o))];
    }

    void look_at_uses(const Iteration& i)
    {
        for_each(i, [&](std::size_t o) {
            const std::vector<Access>& slots = i.operations[o].slots;
            const std::uint32_t memory = 1u << memory_of(i, o);
            for (const Access& a : slots)
                if (a.data.handle && a.mode != STARPU_W)
                    piece_of(a, memory).readers.back() |= memory;
            for (const Access& a : slots) {
                if (!a.data.handle || a.mode == STARPU_R) continue;
                Piece& p = piece_of(a, memory);
                // What is written before it is read needs no value from before.
                if (p.mode == STARPU_R) p.mode = STARPU_RW;
                p.written = true;
                p.readers.push_back(0);
            }
        });
    }
    Piece& piece_of(const Access& a, std::uint32_t memory)
    {
        const auto [it, isnew] = numbers_.try_emplace(a.data.handle, pieces_.size());
        if (isnew) pieces_.push_back({.data = a.data, .mode = a.mode});
        Piece& p = pieces_[it->second];
        p.memories |= memory;
        return p;
    }

    /// The buffer that the task in this memory has for it.
    BatchRecipe::Slot slot_of(std::size_t piece, int memory)
    {
        const Piece& p = pieces_[piece];
        const auto [it, isnew] = buffers_[std::size_t(memory)].try_emplace(
            piece, int(made_.tasks[std::size_t(memory)].uses.size()));
        if (isnew) {
            Access use{p.data, p.mode};
            if (p.is_shared() && memory != p.home())
                use = {place_(p.data, nodes_[std::size_t(memory)]), STARPU_W};
            made_.tasks[std::size_t(memory)].uses.push_back(use);
        }
        return {.buffer = it->second, .copied = p.is_shared()};
    }

    void add(const Iteration& i, std::size_t o)
    {
        const Submitted& op = i.operations[o];
        const int memory = memory_of(i, o);
        std::vector<PlaceUse> uses;
        std::vector<BatchRecipe::Slot> slots;
        for (const Access& a : op.slots) {
            slots.push_back({.memory = a.data.peer});
            if (!a.data.handle) continue;
            const std::size_t piece = numbers_.at(a.data.handle);
            const int there = read_in(piece, memory, a.mode);
            if (a.mode != STARPU_W && pieces_[piece].is_shared()) bring(piece, there, i, op);
            slots.back() = slot_of(piece, there);
            if (there != memory) slots.back().list = made_.tasks[std::size_t(there)].list;
            uses.push_back({piece, there, a.mode != STARPU_R});
        }
        const std::size_t list = all_.streams_ > 1
                                     ? std::size_t(std::max(0, op.origin.part)) % count_
                                     : std::size_t(worker_of(i, o));
        add(list, op.origin, op.args.data(), slots, op.manner, uses);
        made_.tasks[std::size_t(memory)].flops += op.origin.work.flops;
        ++made_.operations;
        for (const PlaceUse& use : uses) {
            Piece& p = pieces_[use.piece];
            if (!use.writes) continue;
            p.latest = 1u << memory;
            ++p.version;
            const std::uint32_t others = p.readers[p.version] & ~p.latest;
            if (is_host(memory)) continue;
            for (int m = 0; m < int(nodes_.size()); ++m)
                if (is_host(m) && (others >> m & 1)) bring(use.piece, m, i, op);
        }
    }

    /// Where an operation in this memory uses it.
    int read_in(std::size_t piece, int memory, starpu_data_access_mode mode) const
    {
        const Piece& p = pieces_[piece];
        if (mode != STARPU_R || !p.is_shared() || (p.latest >> memory & 1) || !is_cuda(memory) ||
            !all_.gpus_reach_)
            return memory;
        for (int m = 0; m < int(nodes_.size()); ++m)
            if (is_cuda(m) && (p.latest >> m & 1)) return m;
        return memory;
    }

    bool is_host(int memory) const
    {
        return starpu_node_get_kind(nodes_[std::size_t(memory)]) == STARPU_CPU_RAM;
    }
    /// There is one: OpenCL devices alone are refused (why_not_replayed_by).
    int host_memory() const
    {
        int m = 0;
        while (!is_host(m)) ++m;
        return m;
    }
    bool is_cuda(int memory) const
    {
        return starpu_node_get_kind(nodes_[std::size_t(memory)]) == STARPU_CUDA_RAM;
    }

    /// What was written last is in this memory from now on.
    void bring(std::size_t piece, int memory, const Iteration& i, const Submitted& by)
    {
        const Piece& p = pieces_[piece];
        if (p.latest >> memory & 1) return;
        int from = std::countr_zero(p.latest);
        const bool direct = is_host(from) || is_host(memory) || (is_cuda(from) && is_cuda(memory));
        if (!direct) {
            const int host = host_memory();
            copy(piece, from, host, i, by);
            from = host;
        }
        copy(piece, from, memory, i, by);
    }

    void copy(std::size_t piece, int from, int to, const Iteration& i, const Submitted& by)
    {
        Piece& p = pieces_[piece];
        const int mine = is_host(to) ? from : to;
        const std::size_t list = std::size_t(made_.tasks[std::size_t(mine)].list);
        const CopyArgs args{starpu_data_get_size(p.data.handle), is_host(to) ? CopyArgs::to_host
                                                                 : is_host(from)
                                                                     ? CopyArgs::from_host
                                                                     : CopyArgs::between_devices};
        std::vector<BatchRecipe::Slot> slots{slot_of(piece, from), slot_of(piece, to)};
        for (const auto& [slot, memory] : {std::pair{&slots[0], from}, std::pair{&slots[1], to}})
            if (memory != mine) slot->list = made_.tasks[std::size_t(memory)].list;
        const Origin origin{.codelet = &copy_codelet(),
                            .number = -1,
                            .part = p.data.part,
                            .iteration = by.origin.iteration,
                            .present = 3,
                            .submitted = by.origin.submitted,
                            .work = {.bytes = 2 * double(args.bytes)}};
        add(list, origin, &args, slots, {}, {{piece, from, false}, {piece, to, true}});
        p.latest |= 1u << to;
        ++i.entry->copies;
        i.entry->copied_bytes += double(args.bytes);
    }

    /// Adds an operation or a copy to the end of a list, with what it waits for.
    void add(std::size_t list, const Origin& origin, const void* args,
             const std::vector<BatchRecipe::Slot>& slots, const Manner& manner,
             const std::vector<PlaceUse>& uses)
    {
        const std::uint32_t mine = ++lengths_[list];
        std::vector<std::uint32_t> needed(count_);
        const auto need = [&](std::size_t other, std::uint32_t least) {
            needed[other] = std::max(needed[other], least);
        };
        if (count_ > 1)
            for (const PlaceUse& u : uses) {
                Use& use = uses_[u.piece * nodes_.size() + std::size_t(u.memory)];
                use.readers.resize(count_);
                if (use.writer.list >= 0) need(std::size_t(use.writer.list), use.writer.operations);
                if (!u.writes) {
                    use.readers[list] = mine;
                    continue;
                }
                for (std::size_t r = 0; r < count_; ++r) need(r, use.readers[r]);
                use.writer = {int(list), mine};
                std::fill(use.readers.begin(), use.readers.end(), 0);
            }
        std::vector<ListWait> waits;
        for (std::size_t other = 0; other < count_; ++other) {
            if (other == list || needed[other] <= known_[list][other]) continue;
            waits.push_back({int(other), needed[other]});
            known_[list][other] = needed[other];
            if (all_.streams_ > 1)
                made_.lists.front().recipe.await(needed[other], int(other));
            else
                awaited_.push_back({other, needed[other]});
        }
        if (all_.streams_ > 1)
            made_.lists.front().recipe.add(origin, args, slots, manner, waits, int(list));
        else
            made_.lists[list].recipe.add(origin, args, slots, manner, waits);
    }

    const Lists& all_;
    const std::function<Data(const Data&, unsigned)>& place_;
    std::size_t count_;           // of lists
    std::vector<unsigned> nodes_; // of memories: StarPU's numbers
    std::vector<int> memory_of_;  // each worker's
    MadeLists made_{};
    std::unordered_map<starpu_data_handle_t, std::size_t> numbers_;
    std::vector<Piece> pieces_;
    std::vector<std::unordered_map<std::size_t, int>> buffers_; // of each memory's task, by piece
    std::vector<Use> uses_;                                     // by piece and memory
    std::vector<std::uint32_t> lengths_;                        // of lists
    std::vector<std::vector<std::uint32_t>> known_;             // of each, how far others are
    std::vector<std::pair<std::size_t, std::uint32_t>> awaited_;
};

Lists::Lists(std::vector<int> workers, std::size_t streams, bool gpus_reach)
    : workers_(std::move(workers)), streams_(streams), gpus_reach_(gpus_reach)
{
}

void Lists::add(std::vector<Submitted> operations, Schedules::Entry& entry)
{
    iterations_.push_back({std::move(operations), &entry});
}

void Lists::add(Submitted operation)
{
    if (iterations_.empty()) iterations_.push_back({{}, nullptr});
    iterations_.back().operations.push_back(std::move(operation));
}

MadeLists Lists::make(const std::function<Data(const Data&, unsigned)>& place)
{
    return Maker(*this, place).make();
}

} // namespace qcd
