#include "traces/trace_folder.hpp"

#include "lattice/error.hpp"
#include "lattice/text.hpp"
#include "traces/chrome_trace.hpp"
#include "traces/paje_writer.hpp"
#include "traces/tables.hpp"
#include "traces/text_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <sstream>

namespace fs = std::filesystem;

namespace qcd
{

namespace
{

template <class Print>
void write_text(const fs::path& path, Print print)
{
    std::ostringstream text;
    print(text);
    TextFile file(path);
    file.add("{}", text.str());
    file.commit();
}

} // namespace

FolderLock::~FolderLock()
{
    if (descriptor_ >= 0) close(descriptor_);
}

void FolderLock::take(const fs::path& folder)
{
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed)
        throw Error(fmt::format("trace: cannot make the folder {}", qcd::quoted(folder.string())));
    descriptor_ = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    // Not all file systems have locks: then there is none.
    if (descriptor_ >= 0 && flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        throw Error(
            fmt::format("trace: another run records into {}", qcd::quoted(folder.string())));
}

void remove_results(const fs::path& folder)
{
    std::error_code failed;
    const auto remove = [&](const fs::path& path) {
        fs::remove(path, failed);
        if (fs::exists(fs::symlink_status(path, failed)))
            throw Error(fmt::format("trace: cannot replace {}", qcd::quoted(path.string())));
    };
    for (const char* name : trace_files) remove(folder / name);
    for (const char* name : fxt_files) remove(folder / name);
}

TraceFolder::TraceFolder(const fs::path& folder) : folder_(folder)
{
    lock_.take(folder);
    remove_results(folder);
    AtomicFile(folder / trace_files[0]); // can it be written?
}

void TraceFolder::write(const Trace& t, const Profile& p) const
{
    write_text(folder_ / "profile.txt", [&](std::ostream& out) { print_text(out, p); });
    write_text(folder_ / "profile.csv", [&](std::ostream& out) { print_csv(out, p); });
    write_meta(folder_ / "trace.meta.json", t);
    write_tasks(folder_ / "tasks.csv", t);
    write_transfers(folder_ / "transfers.csv", t);
    write_evictions(folder_ / "evictions.csv", t);
    if (!t.messages.empty()) write_messages(folder_ / "messages.csv", t);
    write_paje(folder_ / "paje.trace", t);
    write_chrome_trace(folder_ / "trace.json", t);
}

Trace read_trace(const fs::path& folder)
{
    Trace t;
    read_meta(folder / "trace.meta.json", t);
    read_tasks(folder / "tasks.csv", t);
    read_transfers(folder / "transfers.csv", t);
    // Traces of earlier versions have none.
    if (fs::exists(folder / "evictions.csv")) read_evictions(folder / "evictions.csv", t);
    if (fs::exists(folder / "messages.csv")) read_messages(folder / "messages.csv", t);
    if (t.tasks.empty())
        throw Error(
            fmt::format("trace: {} has no task", qcd::quoted((folder / "tasks.csv").string())));
    finish(t);
    return t;
}

} // namespace qcd
