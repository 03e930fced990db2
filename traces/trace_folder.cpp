#include "traces/trace_folder.hpp"

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "traces/chrome_trace.hpp"
#include "traces/paje_writer.hpp"
#include "traces/starvz_writer.hpp"
#include "traces/tables.hpp"
#include "traces/text_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

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

const std::vector<const char*> all_files = [] {
    std::vector<const char*> all(std::begin(trace_files), std::end(trace_files));
    all.insert(all.end(), std::begin(fxt_files), std::end(fxt_files));
    return all;
}();

Error cannot(const char* action, const fs::path& path)
{
    return Error("trace: cannot {} {}", action, qcd::quoted(path.string()));
}

/// Is it the folder of an unfinished recording, with nothing else in it?
bool is_unfinished(const fs::path& folder)
{
    const auto is_made = [&](const fs::directory_entry& at) {
        std::error_code failed;
        const std::string name = at.path().lexically_relative(folder).string();
        if (fs::is_directory(at.symlink_status(failed))) return name == starvz_folder;
        return name == uncropped_name || is_temporary_file(at.path().filename().string()) ||
               std::find(all_files.begin(), all_files.end(), name) != all_files.end();
    };
    std::error_code failed;
    if (folder.filename() != unfinished_name ||
        !fs::is_directory(fs::symlink_status(folder, failed)))
        return false;
    fs::recursive_directory_iterator at(folder, failed);
    for (; !failed && at != fs::recursive_directory_iterator(); at.increment(failed))
        if (!is_made(*at)) return false;
    return !failed;
}

/// Is the folder there, and no link to another one? Files are written into it.
bool is_folder(const fs::path& path)
{
    std::error_code failed;
    return fs::is_directory(fs::symlink_status(path, failed));
}

void remove_unfinished(const fs::path& folder)
{
    std::error_code failed;
    if (is_unfinished(folder)) fs::remove_all(folder, failed);
}

/// Does it say that this program has made it? StarPU's own name of a recording is not fxt_0.
bool is_own(const fs::path& folder)
{
    std::error_code failed;
    return is_meta(folder / trace_files[0]) ||
           fs::is_regular_file(fs::symlink_status(folder / fxt_files[0], failed));
}

} // namespace

FolderLock::FolderLock(const fs::path& folder)
    : descriptor_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC))
{
    if (descriptor_ < 0 || flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        return;
    close(descriptor_);
    throw Error("trace: another run records into {}", qcd::quoted(folder.string()));
}

FolderLock::~FolderLock()
{
    if (descriptor_ >= 0) close(descriptor_);
}

ResultFolder::ResultFolder(const fs::path& folder) : folder_(folder)
{
    if (!is_own(folder))
        require_free_folder("trace", folder, "trace of this program", is_unfinished);
    std::error_code failed;
    for (const char* name : all_files)
        if (fs::is_directory(fs::symlink_status(folder / name, failed)))
            throw cannot("replace", folder / name);
    if (const fs::path tables = folder / starvz_folder;
        fs::exists(fs::symlink_status(tables, failed)) && !is_folder(tables))
        throw cannot("replace", tables);
    made_.emplace("trace", folder);
    lock_.emplace(folder);
    remove_unfinished(unfinished());
    if (fs::exists(fs::symlink_status(unfinished(), failed))) throw cannot("replace", unfinished());
    if (!fs::create_directory(unfinished(), failed)) throw cannot("write in", folder);
}

ResultFolder::~ResultFolder() { remove_unfinished(unfinished()); }

/// What tells that the folder is this program's comes first, so that it is there at any time.
void ResultFolder::put(std::span<const char* const> names)
{
    std::error_code failed;
    for (const char* name : names) {
        if (const fs::path to = (folder_ / name).parent_path(); to != folder_)
            fs::create_directory(to, failed);
        fs::rename(unfinished() / name, folder_ / name, failed);
        if (failed) throw cannot("write", folder_ / name);
    }
    if (std::exchange(has_results_, true)) return;
    const auto is_new = [&](std::string_view name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    for (const char* name : all_files)
        if (!is_new(name)) fs::remove(folder_ / name, failed);
    fs::remove(folder_ / starvz_folder, failed); // if it is empty
}

void TraceFolder::write(const Trace& t, const Profile& p)
{
    const fs::path to = folder_.unfinished();
    std::vector<const char*> made(std::begin(trace_files), std::end(trace_files));
    write_text(to / "profile.txt", [&](std::ostream& out) { print_text(out, p); });
    write_text(to / "profile.csv", [&](std::ostream& out) { print_csv(out, p); });
    write_tasks(to / "tasks.csv", t);
    write_data(to / "data.csv", t);
    write_transfers(to / "transfers.csv", t);
    write_evictions(to / "evictions.csv", t);
    if (!t.messages.empty())
        write_messages(to / "messages.csv", t);
    else
        std::erase(made, std::string_view("messages.csv"));
    write_paje(to / "paje.trace", t);
    write_chrome_trace(to / "trace.json", t);
    const fs::path tables = to / starvz_folder;
    std::error_code failed;
    if (!fs::create_directory(tables, failed)) throw cannot("write in", to);
    write_starvz(tables, t);
    write_meta(to / "trace.meta.json", t);
    folder_.put(made);
}

Trace read_trace(const fs::path& folder)
{
    Trace t;
    if (!fs::exists(folder / trace_files[0]) && fs::exists(folder / fxt_files[0]))
        throw Error("trace: {} is of --trace-fxt, for ViTE and StarPU's tools: this "
                    "command reads folders of --trace",
                    qcd::quoted(folder.string()));
    read_meta(folder / trace_files[0], t);
    // Traces of earlier versions have neither data nor evictions.
    if (fs::exists(folder / "data.csv")) read_data(folder / "data.csv", t);
    read_tasks(folder / "tasks.csv", t);
    read_transfers(folder / "transfers.csv", t);
    if (fs::exists(folder / "evictions.csv")) read_evictions(folder / "evictions.csv", t);
    if (fs::exists(folder / "messages.csv")) read_messages(folder / "messages.csv", t);
    if (t.tasks.empty())
        throw Error("trace: {} has no task", qcd::quoted((folder / "tasks.csv").string()));
    finish(t);
    return t;
}

} // namespace qcd
