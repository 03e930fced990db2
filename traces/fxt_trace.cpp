#include "traces/fxt_trace.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "traces/paje.hpp"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <span>
#include <starpu.h>
#include <starpu_fxt.h>

namespace fs = std::filesystem;

namespace qcd
{

namespace
{

/// StarPU appends its rank.
constexpr const char *raw_suffix = "fxt", *raw_name = "fxt_0";
constexpr const char* results[] = {"dag.dot", "tasks.rec", "paje.trace", "profile.txt",
                                   "profile.csv"};
/// MB, twice; a task takes 1.5 to 3 kB. What is full is written, and StarPU says so. StarPU touches
/// all of it when it starts, 4 ms per MB.
constexpr const char* buffer_megabytes = "64";
constexpr std::uintmax_t room = 256 << 20; // of the disk, for the recording and what is made of it

static_assert(FxtTrace::memory == std::size_t(2) * 64 << 20);

Error cannot(const char* action, const fs::path& path)
{
    return Error("trace: cannot {} {}", action, qcd::quoted(path.string()));
}

#ifdef STARPU_USE_FXT

/// StarPU's converter, asked for these files only; its own folder option cuts paths at 255
/// characters.
void generate(const fs::path& raw, const fs::path& paje, const fs::path& tasks, const fs::path& dag)
{
    starpu_fxt_options options;
    starpu_fxt_options_init(&options);
    for (char** path : {&options.dag_path, &options.comms_path, &options.data_path,
                        &options.papi_path, &options.anim_path, &options.states_path,
                        &options.distrib_time_path, &options.activity_path,
                        &options.sched_tasks_path, &options.out_paje_path, &options.tasks_path}) {
        std::free(*path);
        *path = nullptr;
    }
    options.out_paje_path = strdup(paje.c_str());
    options.tasks_path = strdup(tasks.c_str());
    options.dag_path = strdup(dag.c_str());
    options.per_task_colour = 1;
    options.no_events = options.no_counter = options.no_bus = options.no_flops = 1;
    std::string input = raw.string();
    options.filenames[0] = input.data();
    options.ninputfiles = 1;
    starpu_fxt_generate_trace(&options);
    starpu_fxt_options_shutdown(&options);
}

#else

void generate(const fs::path&, const fs::path&, const fs::path&, const fs::path&) {}

#endif

Trace read_tasks(const fs::path& file, const std::vector<std::string>& worker_kinds)
{
    std::ifstream in(file);
    if (!in) throw cannot("read", file);
    return read_task_records(in, worker_kinds);
}

template <class Write>
void write_file(const fs::path& file, const Write& write)
{
    std::ofstream out(file);
    write(out);
    out.close();
    if (!out) throw cannot("write", file);
}

} // namespace

FxtTrace::FxtTrace(const fs::path& folder)
{
#ifndef STARPU_USE_FXT
    throw DeviceError(
        "trace: this StarPU was built without FxT: install libfxt-dev and build StarPU again "
        "(./bootstrap build does both)");
#endif
    if (const char* size = std::getenv("STARPU_TRACE_BUFFER_SIZE");
        size && parse_number<long>(size).value_or(0) < 1)
        throw Error("STARPU_TRACE_BUFFER_SIZE: {} is no whole number of MB from 1 on",
                    qcd::quoted(size));
    folder_.emplace(folder);
    std::error_code failed;
    // FxT goes on where it cannot write.
    if (const fs::space_info space = fs::space(folder, failed); !failed && space.available < room)
        throw Error("trace: {} has {} MiB left, a recording may take {}",
                    qcd::quoted(folder.string()), space.available >> 20, room >> 20);
    // FxT, which replaces it, complains if there was one in this process and it is gone.
    if (!std::ofstream(folder_->unfinished() / raw_name)) throw cannot("write in", folder);
    setenv("STARPU_FXT_TRACE", "1", 1);
    setenv("STARPU_FXT_PREFIX", folder_->unfinished().c_str(), 1);
    setenv("STARPU_FXT_SUFFIX", raw_suffix, 1);
    setenv("STARPU_TRACE_BUFFER_SIZE", buffer_megabytes, 0);
    starpu_fxt_autostart_profiling(0);
}

FxtTrace::~FxtTrace() { setenv("STARPU_FXT_TRACE", "0", 1); }

void FxtTrace::start()
{
    worker_kinds_.clear();
    for (unsigned worker = 0; worker < starpu_worker_get_count(); ++worker)
        worker_kinds_.push_back(
            starpu_worker_get_type_as_string(starpu_worker_get_type(int(worker))));
    starpu_fxt_start_profiling();
}

void FxtTrace::stop() { starpu_fxt_stop_profiling(); }

Profile FxtTrace::convert(long submitted)
{
    const fs::path unfinished = folder_->unfinished(), raw = folder_->path() / raw_name,
                   whole = unfinished / uncropped_name, tasks = unfinished / "tasks.rec";
    std::error_code none;
    if (fs::file_size(unfinished / raw_name, none) > 0 && !none) {
        folder_->put(std::span(&raw_name, 1));
        is_recorded_ = true;
    }
    if (!is_recorded_) throw cannot("find StarPU's recording", raw);
    generate(raw, whole, tasks, unfinished / "dag.dot");
    const Profile profile = make_profile(read_tasks(tasks, worker_kinds_));
    if (profile.tasks < submitted || profile.tasks == 0)
        throw Error("trace: {} has {} of {} tasks: is the disk full, or are files "
                    "limited?",
                    qcd::quoted(raw.string()), profile.tasks, submitted);
    write_file(unfinished / "paje.trace", [&](std::ostream& out) {
        std::ifstream in(whole);
        if (!in) throw cannot("read", whole);
        crop_paje(in, out, profile.start_ms, profile.end_ms);
    });
    write_file(unfinished / "profile.txt", [&](std::ostream& out) { print_text(out, profile); });
    write_file(unfinished / "profile.csv", [&](std::ostream& out) { print_csv(out, profile); });
    folder_->put(results);
    return profile;
}

} // namespace qcd
