#include "tasks/submit.hpp"

#include "tasks/linked_workers.hpp"
#include "tasks/starpu_task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace qcd
{

namespace
{

std::vector<int> tile_workers;

/// Operations that become one task, and how they use their data, taken together.
class Collected
{
public:
    void add(const Codelet& codelet, const void* args, const std::vector<Access>& slots,
             const Work& work)
    {
        std::vector<BatchRecipe::Slot> in_recipe;
        for (const Access& s : slots)
            in_recipe.push_back({s.data.handle ? buffer_of(s) : -1, s.data.peer});
        recipe_.add(codelet, args, in_recipe, work);
        flops_ += work.flops;
        if (!operations_.empty()) operations_ += '+';
        operations_ += codelet.family->name;
    }
    /// Must the operation come after those collected?
    bool conflicts_with(const std::vector<Access>& slots) const
    {
        return std::any_of(slots.begin(), slots.end(), [&](const Access& s) {
            const auto it = buffers_.find(s.data.handle);
            return s.data && it != buffers_.end() &&
                   (s.mode != STARPU_R || uses_[it->second].mode != STARPU_R);
        });
    }
    /// `iterations`: how many were collected; 0: parts of one.
    void insert_as_task(int iterations) const
    {
        static std::set<std::string> names; // StarPU keeps pointers to them
        const std::string name =
            iterations > 0 ? fmt::format("iterations_x{}", iterations) : operations_;
        insert({&batch_codelet(), names.insert(name).first->c_str(), uses_, flops_,
                iterations > 0 ? Priority::normal : Priority::early, recipe_.bytes()});
    }

    /// A task that brings the data to the worker and does nothing, if some were never there.
    bool fetch(std::set<starpu_data_handle_t>& known) const
    {
        bool all_known = true;
        for (const Access& use : uses_) all_known &= !known.insert(use.data.handle).second;
        if (!all_known) insert({&batch_codelet(), "fetch", uses_});
        return !all_known;
    }

private:
    /// What is written before it is read needs no value from before; what is only read stays so.
    int buffer_of(const Access& use)
    {
        const auto [it, isnew] = buffers_.try_emplace(use.data.handle, int(uses_.size()));
        if (isnew)
            uses_.push_back(use);
        else if (uses_[it->second].mode == STARPU_R && use.mode != STARPU_R)
            uses_[it->second].mode = STARPU_RW;
        return it->second;
    }

    BatchRecipe recipe_;
    std::vector<Access> uses_;
    std::map<starpu_data_handle_t, int> buffers_;
    std::string operations_;
    double flops_ = 0;
};

bool separate_tasks = false;
bool batch_open = false;
int batch_iterations = 0;           // marked since the last flush
std::map<int, Collected> collected; // by worker; no two of them conflict

std::set<starpu_data_handle_t> fetched; // to linked workers

/// Linked workers wait for each other inside of their tasks. While one does, another must not
/// allocate memory: CUDA could wait for the first.
void fetch_before_linked_tasks()
{
    bool some = false;
    for (const auto& [worker, operations] : collected) some |= operations.fetch(fetched);
    if (some) starpu_task_wait_for_all();
}

void flush_collected()
{
    if (!linked_workers().empty()) fetch_before_linked_tasks();
    for (const auto& [worker, operations] : std::exchange(collected, {}))
        operations.insert_as_task(batch_open ? batch_iterations : 0);
    batch_iterations = 0;
}

void collect(const Codelet& codelet, const void* args, const std::vector<Access>& slots,
             const Work& work)
{
    const int worker = worker_of_writes(slots);
    for (auto it = collected.begin(); it != collected.end();)
        if (it->first != worker && it->second.conflicts_with(slots)) {
            it->second.insert_as_task(0);
            it = collected.erase(it);
        } else
            ++it;
    collected[worker].add(codelet, args, slots, work);
}

Work work_of(const std::vector<Access>& slots, double flops)
{
    Work work{0, flops};
    for (const Access& s : slots)
        if (s.data.handle && !s.in_part)
            work.bytes +=
                double(starpu_data_get_size(s.data.handle)) * (s.mode == STARPU_RW ? 2 : 1);
    return work;
}

} // namespace

void assign_tiles(std::vector<int> workers, bool link)
{
    flush_collected();
    tile_workers = std::move(workers);
    link_workers(link ? tile_workers : std::vector<int>());
}

int worker_of(int tile, int tile_count)
{
    return tile_workers.empty()
               ? -1
               : tile_workers[std::size_t(tile) * tile_workers.size() / tile_count];
}

void submit_task(const Codelet& codelet, const void* args, const std::vector<Access>& slots,
                 double flops, Priority priority)
{
    const Work work = work_of(slots, flops);
    if (batch_open || (!tile_workers.empty() && !separate_tasks))
        return collect(codelet, args, slots, work);
    std::vector<char> argument(task_header_bytes + codelet.family->args_size);
    TaskHeader header{0, work};
    std::vector<Access> uses;
    for (std::size_t s = 0; s < slots.size(); ++s)
        if (slots[s].data) {
            header.present |= 1u << s;
            uses.push_back(slots[s]);
        }
    std::memcpy(argument.data(), &header, sizeof header);
    std::memcpy(argument.data() + task_header_bytes, args, codelet.family->args_size);
    insert({&codelet.cl, codelet.name, std::move(uses), flops, priority, std::move(argument)});
}

SeparateTasks::SeparateTasks()
{
    flush_collected();
    separate_tasks = true;
}

SeparateTasks::~SeparateTasks() { separate_tasks = false; }

TaskBatch::TaskBatch(bool open)
{
    const bool several = std::adjacent_find(tile_workers.begin(), tile_workers.end(),
                                            std::not_equal_to<>()) != tile_workers.end();
    open_ = open && (!several || !linked_workers().empty());
    if (!open_) return;
    flush_collected();
    batch_open = true;
    batch_iterations = 0;
}

TaskBatch::~TaskBatch()
{
    if (!open_) return;
    collected.clear();
    batch_open = false;
}

void TaskBatch::flush()
{
    if (open_) flush_collected();
}

void hand_over()
{
    if (!batch_open && linked_workers().empty()) flush_collected();
}

void acquire(const Data& data, starpu_data_access_mode mode)
{
    flush_collected();
    starpu_data_acquire(data.handle, mode);
}

void release(const Data& data) { starpu_data_release(data.handle); }

void unregister(const Data& data)
{
    flush_collected();
    fetched.erase(data.handle);
    starpu_data_unregister_no_coherency(data.handle);
}

void wait_for_all()
{
    flush_collected();
    starpu_task_wait_for_all();
}

IterationMark::IterationMark(int iteration)
{
    ++batch_iterations;
    starpu_iteration_push(iteration);
}

IterationMark::~IterationMark() { starpu_iteration_pop(); }

} // namespace qcd
