#include "runtime/batch.hpp"

#include "runtime/device_failure.hpp"
#include "runtime/opencl_program.hpp"
#include "runtime/running_batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>

namespace qcd
{

namespace
{

/// On cores; `list` of those that are executed together, if several are.
void execute(const RunningBatch& batch, const BatchHeader& header, int list)
{
    Laps laps(header.events, Laps::Task::of_many, header.ready);
    std::uint32_t executed = 0;
    batch.for_each([&](const RunningBatch::Call& o) {
        for (const ListWait& wait : o.waits) header.together->progress().await(wait);
        if (!o.waits.empty()) laps.waited();
        execute_on_cores(o.codelet, o.args, o.slots, o.manner);
        if (header.together) header.together->progress().executed(list, ++executed);
        laps.lap(o.origin, o.slots);
    });
}

void cpu_entry(void* buffers[], void*)
{
    RunningBatch batch(buffers, *starpu_task_get_current());
    batch.locate([](void* b) { return STARPU_VECTOR_GET_PTR(b); });
    const BatchHeader& header = batch.header();
    const std::unique_ptr<Together> together(header.together);
    if (together) together->begin(batch.memory(), header);
    execute(batch, header, 0);
    if (together) together->await_others();
}

/// Argument of a task with another list than the first.
struct ListArgument {
    Together* together;
    int list;
};

void list_entry(void**, void* argument)
{
    const ListArgument a = *static_cast<const ListArgument*>(argument);
    a.together->execute(a.list);
}

/// It has no data, and no model: its worker is known.
starpu_codelet& list_codelet()
{
    static starpu_codelet cl = [] {
        starpu_codelet c;
        starpu_codelet_init(&c);
        c.name = "list";
        c.cpu_funcs[0] = list_entry;
        return c;
    }();
    return cl;
}

#ifdef QCD_WITH_CUDA
void cuda_entry(void* buffers[], void*)
{
    RunningBatch batch(buffers, *starpu_task_get_current());
    batch.locate([](void* b) { return STARPU_VECTOR_GET_PTR(b); });
    execute_on_cuda(batch);
}
#endif

#ifdef STARPU_USE_OPENCL
void opencl_entry(void* buffers[], void*)
{
    RunningBatch batch(buffers, *starpu_task_get_current());
    batch.locate([](void* b) { return STARPU_VECTOR_GET_DEV_HANDLE(b); });
    Laps laps(batch.header().events, Laps::Task::of_many, batch.header().ready, opencl_finish);
    batch.for_each_on_device([&](const RunningBatch::Call& o, unsigned zero, bool is_zero) {
        opencl_launch(o.codelet, o.args, o.slots, {o.manner, zero, is_zero});
        laps.lap(o.origin);
    });
}
#endif

/// What a batch takes follows from its operations, their arguments and the sizes of its data.
uint32_t footprint(starpu_task* task)
{
    uint32_t hash = starpu_task_data_footprint(task);
    const char* at = static_cast<const char*>(task->cl_arg);
    const char* const end = at + task->cl_arg_size;
    for (at += sizeof(BatchHeader); at != end; at += reinterpret_cast<const Step*>(at)->bytes) {
        const Step& step = *reinterpret_cast<const Step*>(at);
        const Codelet& codelet = *step.origin.codelet;
        hash = starpu_hash_crc32c_string(codelet.name.c_str(), hash);
        for (const int of_manner : {step.manner.cores, step.manner.layers})
            hash = starpu_hash_crc32c_be(uint32_t(of_manner), hash);
        hash = starpu_hash_crc32c_be(uint32_t(codelet.operation.blocks(at + sizeof(Step))), hash);
    }
    return hash;
}

struct BatchCodelet {
    starpu_codelet cl{};
    starpu_perfmodel model{};
    std::string symbol = fmt::format("batch_{}", to_string(cpu_isa()));

    BatchCodelet()
    {
        model.type = STARPU_HISTORY_BASED;
        model.symbol = symbol.c_str();
        model.footprint = footprint;
        starpu_codelet_init(&cl);
        cl.name = "batch";
        cl.model = &model;
        cl.nbuffers = STARPU_VARIABLE_NBUFFERS;
        cl.cpu_funcs[0] = cpu_entry;
#ifdef QCD_WITH_CUDA
        cl.cuda_funcs[0] = cuda_entry;
        cl.cuda_flags[0] = STARPU_CUDA_ASYNC;
#endif
#ifdef STARPU_USE_OPENCL
        cl.opencl_funcs[0] = opencl_entry;
        cl.opencl_flags[0] = STARPU_OPENCL_ASYNC;
#endif
    }
};

} // namespace

BatchRecipe::BatchRecipe(int streams) : bytes_(sizeof(BatchHeader)), steps_(std::size_t(streams)) {}

void BatchRecipe::add(const Origin& origin, const void* args, const std::vector<Slot>& slots,
                      const Manner& manner, std::span<const ListWait> waits, int stream)
{
    const std::size_t size = origin.codelet->operation.args_size;
    const std::size_t args_end = sizeof(Step) + aligned(size);
    Step step{origin, args_end + aligned(waits.size_bytes()), manner, waits.size(), stream, false,
              {}};
    std::copy(slots.begin(), slots.end(), step.slot);
    const std::size_t at = bytes_.size();
    bytes_.resize(at + step.bytes);
    std::memcpy(bytes_.data() + at, &step, sizeof step);
    std::memcpy(bytes_.data() + at + sizeof step, args, size);
    if (!waits.empty())
        std::memcpy(bytes_.data() + at + args_end, waits.data(), waits.size_bytes());
    if (steps_.size() == 1) return;
    steps_[std::size_t(stream)].push_back(at);
    for (const ListWait& w : waits)
        reinterpret_cast<Step*>(bytes_.data() + steps_[std::size_t(w.list)][w.operations - 1])
            ->awaited = true;
}

Together::Together(const std::vector<int>& workers, std::vector<BatchRecipe> others,
                   const char* name)
    : workers_(workers), others_(std::move(others)), progress_(workers.size()), name_(name)
{
}

void Together::begin(const std::vector<void*>& memory, const BatchHeader& header)
{
    memory_ = memory;
    header_ = header;
    for (std::size_t i = 1; i < workers_.size(); ++i) {
        starpu_task* const task = starpu_task_create();
        task->cl = &list_codelet();
        task->name = name_;
        auto* const argument = static_cast<ListArgument*>(std::malloc(sizeof(ListArgument)));
        *argument = {this, int(i)};
        task->cl_arg = argument; // StarPU frees it
        task->cl_arg_size = sizeof *argument;
        task->cl_arg_free = 1;
        task->execute_on_a_specific_worker = 1;
        task->workerid = unsigned(workers_[i]);
        if (starpu_task_submit(task) != 0)
            device_failed("StarPU", "it refused a list of a schedule");
    }
}

void Together::execute(int list)
{
    const std::vector<char>& recipe = others_[std::size_t(list) - 1].bytes();
    qcd::execute(RunningBatch(memory_, recipe.data(), recipe.size()), header_, list);
    progress_.end(list); // the last look at this
}

void Together::await_others() const
{
    for (std::size_t i = 1; i < workers_.size(); ++i) progress_.await_end(int(i));
}

starpu_codelet& batch_codelet()
{
    static BatchCodelet batch;
    return batch.cl;
}

} // namespace qcd
