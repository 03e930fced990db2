#include "runtime/graph.hpp"

#include "base/error.hpp"
#include "runtime/batch.hpp"
#include "runtime/lists.hpp"
#include "runtime/pulse.hpp"
#include "runtime/ranks.hpp"
#include "runtime/task_graph.hpp"
#include "runtime/task_stamps.hpp"
#include "runtime/task_times.hpp"
#include "runtime/worker_counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

namespace qcd
{

namespace
{

/// The text, kept for as long as the program runs: StarPU keeps pointers to the names of tasks.
const char* kept(const std::string& name)
{
    static std::mutex mutex;
    static std::set<std::string> names;
    const std::lock_guard lock(mutex);
    return names.insert(name).first->c_str();
}

enum class Priority { normal, early }; // early: others wait for it

/// How each slot of a call is used; absent ones have no data.
std::vector<Access> uses_of(const Codelet& codelet, const std::vector<Operand>& operands)
{
    constexpr starpu_data_access_mode modes[] = {STARPU_R, STARPU_W, STARPU_RW};
    if (operands.size() > codelet.slots.size())
        throw Error(fmt::format("{}: {} operands for {} slots", codelet.name, operands.size(),
                                codelet.slots.size()));
    std::vector<Access> uses(codelet.slots.size(), Access{{}, STARPU_R});
    for (std::size_t s = 0; s < uses.size(); ++s) {
        const Slot& slot = codelet.slots[s];
        if (s < operands.size() && operands[s].data)
            uses[s] = {operands[s].data, operands[s].updated ? STARPU_RW : modes[int(slot.mode)]};
        else if (!slot.optional)
            throw Error(fmt::format("{}: nothing fills slot {}, {}", codelet.name, s, slot.name));
    }
    return uses;
}

/// A bit for each slot that is filled.
unsigned present_in(const std::vector<Access>& uses)
{
    unsigned present = 0;
    for (std::size_t s = 0; s < uses.size(); ++s)
        if (uses[s].data) present |= 1u << s;
    return present;
}

Work work_of(const Codelet& codelet, const void* args, const std::vector<Access>& uses, int layers)
{
    Work work;
    for (std::size_t s = 0; s < uses.size(); ++s) {
        if (uses[s].data && uses[s].data.handle)
            work.bytes += double(starpu_data_get_size(uses[s].data.handle)) *
                          codelet.slots[s].share * (uses[s].mode == STARPU_RW ? 2 : 1) *
                          (codelet.operation.share ? codelet.operation.share(args, int(s)) : 1);
    }
    if (codelet.operation.flops)
        work.flops = layers * codelet.operation.flops(args, present_in(uses));
    return work;
}

/// The worker that owns what is written; -1: any.
int worker_of_writes(const std::vector<Access>& uses)
{
    for (const Access& use : uses)
        if (use.data && use.data.worker >= 0 && use.mode != STARPU_R) return use.data.worker;
    return -1;
}

/// The part that what is written belongs to; -1: none.
int part_of_writes(const std::vector<Access>& uses)
{
    for (const Access& use : uses)
        if (use.data && use.data.part >= 0 && use.mode != STARPU_R) return use.data.part;
    return -1;
}

/// Throws Error here, not in StarPU, where the machine has no time of an operation.
void require_times(const TaskTimes& times, const Origin& origin)
{
    const Kernels& k = origin.codelet->kernels;
    const auto require = [&](bool has, starpu_worker_archtype type, const char* kind) {
        if (has && starpu_worker_get_count_by_type(type) > 0)
            times.seconds(*origin.codelet, origin.present, origin.work.bytes, kind);
    };
    require(origin.codelet->cpu, STARPU_CPU_WORKER, "CPU");
    require(k.cuda, STARPU_CUDA_WORKER, "CUDA");
    require(k.opencl.text, STARPU_OPENCL_WORKER, "OpenCL");
}

[[noreturn]] void throw_nobody_can(const starpu_codelet& codelet)
{
    std::vector<const char*> kinds;
    if (codelet.cpu_funcs[0]) kinds.push_back("CPU");
    if (codelet.cuda_funcs[0]) kinds.push_back("CUDA");
    if (codelet.opencl_funcs[0]) kinds.push_back("OpenCL");
    throw DeviceError(fmt::format("{}: no worker can run it (implemented for {}; workers: {})",
                                  codelet.name, fmt::join(kinds, ", "),
                                  to_string(WorkerCounts{int(starpu_cpu_worker_get_count()),
                                                         int(starpu_cuda_worker_get_count()),
                                                         int(starpu_opencl_worker_get_count())})));
}

void set_argument(starpu_task* task, const std::vector<char>& argument)
{
    task->cl_arg = std::malloc(argument.size()); // StarPU frees it
    std::memcpy(task->cl_arg, argument.data(), argument.size());
    task->cl_arg_size = argument.size();
    task->cl_arg_free = 1;
}

/// Called when a task has all that it depends on.
void note_ready(void* seconds) { *static_cast<double*>(seconds) = Events::now(); }

void set_uses(starpu_task* task, const std::vector<Access>& uses)
{
    task->nbuffers = int(uses.size());
    if (uses.size() > STARPU_NMAXBUFS) { // StarPU frees them
        task->dyn_handles = static_cast<starpu_data_handle_t*>(
            std::malloc(uses.size() * sizeof(starpu_data_handle_t)));
        task->dyn_modes = static_cast<starpu_data_access_mode*>(
            std::malloc(uses.size() * sizeof(starpu_data_access_mode)));
    }
    for (int b = 0; b < task->nbuffers; ++b) {
        STARPU_TASK_SET_HANDLE(task, uses[b].data.handle, b);
        STARPU_TASK_SET_MODE(task, uses[b].mode, b);
    }
}

#ifdef STARPU_SIMGRID

/// The program takes its time to submit a task, and the worker tells of it when it has ended.
void simulate(starpu_task* task, const Plan& plan, Events* events)
{
    if (!plan.times) return;
    starpu_sleep(float(plan.times->submit_seconds()));
    if (!events) return;
    task->callback_func = [](void* ended) {
        const starpu_task& one = *static_cast<starpu_task*>(ended);
        const TaskHeader& h = header_of(one);
        h.events->add_simulated(one, h);
    };
    task->callback_arg = task;
}

#else

void simulate(starpu_task*, const Plan&, Events*) {}

#endif

void wait_for_tasks()
{
    const Pulse::Wait wait;
    starpu_task_wait_for_all();
}

/// The argument of a task that executes a recipe.
std::vector<char> argument(const BatchRecipe& recipe, const BatchHeader& header)
{
    std::vector<char> bytes = recipe.bytes();
    std::memcpy(bytes.data(), &header, sizeof header);
    return bytes;
}

/// What is known of an iteration with these operations.
Schedules::Entry& entry_of(Schedules& schedules, const std::vector<Submitted>& operations)
{
    std::unordered_map<const void*, int> numbers; // of data
    Period period;
    std::vector<std::uint64_t> words;
    for (const Submitted& o : operations) {
        words.push_back(std::uint64_t(reinterpret_cast<std::uintptr_t>(o.origin.codelet)));
        words.push_back(std::uint64_t(unsigned(o.origin.part)) << 32 | o.origin.present);
        for (const Access& a : o.slots)
            if (a.data)
                words.push_back(
                    std::uint64_t(
                        numbers.try_emplace(a.data.handle, int(numbers.size())).first->second)
                        << 1 |
                    (a.mode != STARPU_R));
    }
    return schedules.entry(words, [&] {
        for (const Submitted& o : operations) {
            Period::Operation& one = period.operations.emplace_back();
            one.name = o.origin.codelet->name;
            one.part = o.origin.part;
            for (const Access& a : o.slots)
                if (a.data) one.uses.push_back({numbers.at(a.data.handle), a.mode != STARPU_R});
        }
        return period;
    });
}

} // namespace

/// What StarPU needs to know of a task. The name lives as long as the program.
struct Graph::NewTask {
    starpu_codelet* codelet;
    const char* name;
    const std::vector<Access>& uses; // present ones, each handle once
    double flops = 0;
    Priority priority = Priority::normal;
    std::vector<char> argument;
    std::size_t place_of_ready; // in the argument
    int worker = -1;            // -1: the owner of what is written
    long operation = -1;        // its number, if the task is one
};

const char* to_string(PlanKind kind)
{
    constexpr const char* words[] = {"graph", "pinned", "batch", "linked", "replay"};
    return words[int(kind)];
}

Graph::Graph(Plan plan, int layers) : plan_(std::move(plan)), layers_(layers) {}

Graph::Graph(const Graph& like, int layers)
    : plan_(like.plan_), layers_(layers), observer_(like.observer_), events_(like.events_),
      record_(like.record_), stamps_(like.stamps_)
{
    if (plan_.kind == PlanKind::replay) plan_.kind = PlanKind::graph;
}

Graph::~Graph()
{
    wait_for_tasks();
    for (const auto& [of, place] : places_) starpu_data_unregister_no_coherency(place);
}

int Graph::owner(int part, int parts) const
{
    return plan_.owners.empty() ? -1
                                : plan_.owners[std::size_t(part) * plan_.owners.size() / parts];
}

/// A worker that waits for others in its list brings nothing to the host until its end.
int Graph::late() const
{
    if (!collects()) return 3;
    return plan_.kind == PlanKind::replay && plan_.schedules->has_several_memories() ? 2 : 1;
}

void Graph::submit_task(const Codelet& codelet, const void* args,
                        const std::vector<Operand>& operands)
{
    const std::vector<Access> slots = uses_of(codelet, operands);
    const Origin origin{&codelet,
                        operations_,
                        part_of_writes(slots),
                        iteration_,
                        present_in(slots),
                        events_ ? Events::now() : 0,
                        work_of(codelet, args, slots, layers_),
                        layers_};
    work_.bytes += origin.work.bytes;
    work_.flops += origin.work.flops;
    const Operation& operation = codelet.operation;
    const Manner manner{plan_.cores_per_worker, downwards_ && operation.sweeps, layers_};
    const int worker = worker_of_writes(slots);
    if (!codelet.can_run(worker)) throw_nobody_can(codelet.starpu(manner));
    if (plan_.times) require_times(*plan_.times, origin);
    ++operations_;
    if (record_) record_->submitted(origin, slots);
    const char* const bytes = static_cast<const char*>(args);
    if (plan_.kind == PlanKind::replay) {
        if (open_batches_ > 0 && open_iterations_ > 0) {
            pending_.push_back({origin, slots, {bytes, bytes + operation.args_size}, manner});
            return;
        }
        flush();
        return insert_alone(origin, args, slots, manner);
    }
    // Memory that linked workers write is known to recipes alone.
    if (plan_.kind == PlanKind::linked || (plan_.collects() && open_batches_ > 0))
        collected(worker).add({origin, slots, {bytes, bytes + operation.args_size}, manner});
    else
        insert_alone(origin, args, slots, manner);
}

void Graph::insert_alone(const Origin& origin, const void* args, const std::vector<Access>& slots,
                         const Manner& manner, Placed* placed)
{
    const Codelet& codelet = *origin.codelet;
    const Operation& operation = codelet.operation;
    const TaskHeader header{origin, manner, observer_, events_, 0, plan_.times, placed};
    std::vector<Access> uses;
    for (const Access& slot : slots)
        if (slot.data) uses.push_back(slot);
    for (const Access& use : uses)
        if (use.mode != STARPU_R) is_written(use.data);
    std::vector<char> argument(task_header_bytes + operation.args_size);
    std::memcpy(argument.data(), &header, sizeof header);
    std::memcpy(argument.data() + task_header_bytes, args, operation.args_size);
    insert({&codelet.starpu(manner), codelet.name.c_str(), uses, origin.work.flops,
            operation.urgent ? Priority::early : Priority::normal, std::move(argument),
            offsetof(TaskHeader, ready), -1, origin.number});
}

/// The operations of an iteration have all been submitted: they become a part of the next tasks of
/// all workers, or a task each.
void Graph::end_period()
{
    const bool interrupted = std::exchange(interrupted_, false);
    if (pending_.empty()) return;
    if (interrupted) return insert_pending(nullptr);
    Schedules& schedules = *plan_.schedules;
    Schedules::Entry& entry = entry_of(schedules, pending_);
    if (schedules.is_due(entry)) {
        insert_collected();
        wait_for_tasks();
        schedules.take_down(entry);
    }
    replays_ = entry.known;
    if (!replays_) {
        insert_collected();
        return insert_pending(schedules.lesson(entry));
    }
    std::unique_ptr<Lists>& lists = collected_[-1];
    if (!lists)
        lists = std::make_unique<Lists>(schedules.workers(), schedules.streams(entry),
                                        schedules.gpus_reach_each_other);
    lists->add(std::exchange(pending_, {}), entry);
    ++batch_iterations_;
    schedules.replay(entry);
}

void Graph::insert_pending(std::vector<Placed>* lesson)
{
    const std::vector<Submitted> period = std::exchange(pending_, {});
    for (std::size_t i = 0; i < period.size(); ++i) {
        const Submitted& p = period[i];
        insert_alone(p.origin, p.args.data(), p.slots, p.manner, lesson ? &(*lesson)[i] : nullptr);
    }
}

void Graph::insert(const NewTask& t)
{
    const double began = stamps_ ? StampRecord::now() : 0;
    starpu_task* task = starpu_task_create();
    task->cl = t.codelet;
    task->name = t.name;
    task->flops = t.flops;
    task->priority = t.priority == Priority::early ? STARPU_MAX_PRIO : STARPU_DEFAULT_PRIO;
    set_argument(task, t.argument);
    if (events_) {
        task->prologue_callback_func = note_ready;
        task->prologue_callback_arg = static_cast<char*>(task->cl_arg) + t.place_of_ready;
    }
    simulate(task, plan_, events_);
    set_uses(task, t.uses);
    if (const int worker = t.worker >= 0 ? t.worker : worker_of_writes(t.uses); worker >= 0) {
        task->execute_on_a_specific_worker = 1;
        task->workerid = unsigned(worker);
    }
    if (stamps_ && t.operation >= 0) stamps_->submits(*task, t.operation);
    const int status = [&] {
        const Pulse::Wait wait; // where StarPU limits how many may be submitted
        return starpu_task_submit(task);
    }();
    if (status != 0) {
        task->destroy = 0;
        starpu_task_destroy(task);
        if (status != -ENODEV)
            throw DeviceError(
                fmt::format("{}: StarPU refused the task: {}", t.name, std::strerror(-status)));
        throw_nobody_can(*t.codelet);
    }
    if (stamps_) stamps_->has_submitted(StampRecord::now() - began);
    ++tasks_;
}

Lists& Graph::collected(int worker)
{
    std::unique_ptr<Lists>& lists = collected_[worker];
    if (!lists) lists = std::make_unique<Lists>(std::vector{worker}, 1, false);
    return *lists;
}

/// What was collected since the last flush, as a task of each worker, or for each memory. Where
/// there are several, all data are brought there before: while they run they wait for each other,
/// and no worker moves data for StarPU, or gets memory, for which CUDA could wait for all.
void Graph::insert_collected()
{
    const int iterations = std::exchange(batch_iterations_, 0);
    std::vector<MadeLists> all;
    std::size_t tasks = 0;
    for (const auto& [worker, lists] : std::exchange(collected_, {})) {
        all.push_back(
            lists->make([this](const Data& d, unsigned memory) { return place_of(d, memory); }));
        tasks += all.back().tasks.size();
    }
    if (tasks > 1) bring(all);
    for (MadeLists& made : all) {
        const char* const name =
            kept(iterations > 0 ? fmt::format("iterations_x{}", iterations)
                                : fmt::format("operations_x{}", made.operations));
        const auto insert_task = [&](const ListTask& t, const Together::List& l,
                                     Together* together) {
            insert({&batch_codelet(), name, t.uses, t.flops,
                    iterations > 0 ? Priority::normal : Priority::early,
                    argument(l.recipe, {.events = events_,
                                        .together = together,
                                        .list = t.list,
                                        .streams = l.recipe.streams()}),
                    offsetof(BatchHeader, ready), l.worker});
        };
        if (made.lists.size() == 1) {
            insert_task(made.tasks.front(), made.lists.front(), nullptr);
            continue;
        }
        auto* const together = new Together(made.lists, name); // its last list deletes it
        for (const ListTask& t : made.tasks)
            insert_task(t, made.lists[std::size_t(t.list)], together);
    }
}

/// Submits a task that does nothing wherever some of its data were never in its memory, or have been
/// elsewhere since, and waits for these tasks.
void Graph::bring(const std::vector<MadeLists>& all)
{
    bool some = false;
    for (const MadeLists& made : all)
        for (const ListTask& t : made.tasks) {
            const int worker = made.lists[std::size_t(t.list)].worker;
            if (worker < 0) continue; // whose it is, nobody says
            const std::uint64_t memory = std::uint64_t(1)
                                         << starpu_worker_get_memory_node(unsigned(worker));
            bool is_there = true;
            for (const Access& use : t.uses) {
                std::uint64_t& there = brought_[use.data.handle];
                is_there &= (there & memory) != 0;
                there = use.mode == STARPU_R ? there | memory : memory;
            }
            if (is_there) continue;
            insert({&batch_codelet(), "fetch", t.uses, 0, Priority::normal, BatchRecipe().bytes(),
                    offsetof(BatchHeader, ready), worker});
            some = true;
        }
    if (some) wait_for_tasks();
}

Data Graph::place_of(const Data& data, unsigned memory)
{
    starpu_data_handle_t& place = places_[{data.handle, memory}];
    if (!place) {
        const bool is_none = data.handle == nullptr;
        starpu_vector_data_register(&place, -1, 0, is_none ? 1 : starpu_vector_get_nx(data.handle),
                                    is_none ? 16 : starpu_vector_get_elemsize(data.handle));
    }
    return {.handle = place};
}

/// A task of one operation, or the host, writes the data: they may be in any memory from now on.
void Graph::is_written(const Data& data) { brought_.erase(data.handle); }

void Graph::flush()
{
    insert_collected();
    if (pending_.empty()) return;
    interrupted_ = true; // somebody waits for a part of an iteration
    insert_pending(nullptr);
}

void Graph::drop()
{
    collected_.clear();
    pending_.clear();
    batch_iterations_ = 0;
}

Graph::Batch::Batch(Graph& graph) : graph_(graph), exceptions_(std::uncaught_exceptions())
{
    graph_.flush();
    ++graph_.open_batches_;
}

Graph::Batch::~Batch() noexcept(false)
{
    --graph_.open_batches_;
    if (std::uncaught_exceptions() > exceptions_)
        graph_.drop();
    else
        graph_.flush();
}

Graph::Iteration::Iteration(Graph& graph, int number)
    : graph_(graph), exceptions_(std::uncaught_exceptions())
{
    if (graph.plan_.kind == PlanKind::replay)
        ++graph.open_iterations_;
    else
        ++graph.batch_iterations_;
    graph.iteration_ = number;
    starpu_iteration_push(number);
}

Graph::Iteration::~Iteration() noexcept(false)
{
    graph_.iteration_ = -1;
    starpu_iteration_pop();
    if (graph_.plan_.kind != PlanKind::replay || --graph_.open_iterations_ > 0) return;
    if (std::uncaught_exceptions() > exceptions_)
        graph_.pending_.clear();
    else
        graph_.end_period();
}

void Graph::acquire(const Data& data, starpu_data_access_mode mode)
{
    flush();
    if (record_) record_->acquired(data, mode);
    if (mode != STARPU_R) is_written(data);
    const Pulse::Wait wait;
    starpu_data_acquire(data.handle, mode);
}

void Graph::release(const Data& data) { starpu_data_release(data.handle); }

void Graph::fetch(const Data& data, int worker, starpu_data_access_mode mode)
{
    flush();
    if (mode != STARPU_R) is_written(data);
    const int memory = int(starpu_worker_get_memory_node(unsigned(worker)));
    const Pulse::Wait wait;
    starpu_data_acquire_on_node(data.handle, memory, mode);
    starpu_data_release_on_node(data.handle, memory);
}

Ranks& Graph::ranks() const { return plan_.ranks ? *plan_.ranks : one_rank(); }

void Graph::send(const Data& data, int to, long tag, const char* what)
{
    flush();
    ranks().send(data.handle, to, tag, what);
}

void Graph::receive(const Data& data, int from, long tag, const char* what)
{
    flush();
    ranks().receive(data.handle, from, tag, what);
}

void Graph::done_reading(long tag)
{
    flush();
    ranks().done_reading(tag);
}

void Graph::make_constant(const Data& data)
{
    starpu_data_set_sequential_consistency_flag(data.handle, 0);
}

void Graph::unregister(const Data& data)
{
    flush();
    // StarPU does not know who reads constant data.
    if (!starpu_data_get_sequential_consistency_flag(data.handle)) wait_for_tasks();
    is_written(data);
    for (auto it = places_.lower_bound({data.handle, 0});
         it != places_.end() && it->first.first == data.handle; it = places_.erase(it)) {
        brought_.erase(it->second);
        starpu_data_unregister_no_coherency(it->second);
    }
    if (record_) record_->unregistered(data);
    const Pulse::Wait wait;
    starpu_data_unregister_no_coherency(data.handle);
}

void Graph::wait()
{
    flush();
    wait_for_tasks();
}

} // namespace qcd
