#pragma once
// The folder of a trace: who may write into it, what is in it.

#include "base/own_folder.hpp"
#include "traces/profile.hpp"
#include "traces/trace.hpp"

#include <filesystem>
#include <optional>
#include <span>

namespace qcd
{

/// What a trace makes in its folder, what tells that it is one first,
inline constexpr const char* trace_files[] = {"trace.meta.json",
                                              "paje.trace",
                                              "trace.json",
                                              "tasks.csv",
                                              "data.csv",
                                              "transfers.csv",
                                              "evictions.csv",
                                              "messages.csv",
                                              "profile.txt",
                                              "profile.csv",
                                              "starvz/entities.csv",
                                              "starvz/paje.worker_state.csv.gz",
                                              "starvz/paje.variable.csv.gz",
                                              "starvz/paje.memory_state.csv.gz",
                                              "starvz/paje.comm_state.csv.gz",
                                              "starvz/paje.other_state.csv.gz",
                                              "starvz/paje.link.csv.gz",
                                              "starvz/dag.csv.gz",
                                              "starvz/rec.tasks.csv.gz",
                                              "starvz/rec.data_handles.csv.gz",
                                              "starvz/paje.events.csv.gz"};
/// and one by FxT (fxt_trace.hpp).
inline constexpr const char* fxt_files[] = {"fxt_0",      "dag.dot",     "tasks.rec",
                                            "paje.trace", "profile.txt", "profile.csv"};
/// StarPU's paje.trace of the whole run, before it is cropped.
inline constexpr const char* uncropped_name = "whole.paje";

/// A folder in the folder, in which files are made until they are complete.
inline constexpr const char* unfinished_name = "unfinished";

/// A folder's until the end of its life.
class FolderLock
{
public:
    /// Throws Error where another one, of any process, has it.
    explicit FolderLock(const std::filesystem::path& folder);
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

private:
    int descriptor_; ///< negative: the file system has no locks
};

/// A folder that a trace is recorded for. What is in it stays until there is something to put in
/// its place.
class ResultFolder
{
public:
    /// Makes the folder, with those above it, where it is not there. Throws Error where it cannot
    /// be made or written; where it has files, but neither a trace of this program, nor its
    /// recording by FxT, nor what either left when it was killed; where something is in it that
    /// files could not replace; and where another one, of any process, has it.
    explicit ResultFolder(const std::filesystem::path&);
    /// Removes what is unfinished, and folders that were made for nothing.
    ~ResultFolder();
    ResultFolder(const ResultFolder&) = delete;
    ResultFolder& operator=(const ResultFolder&) = delete;

    const std::filesystem::path& path() const { return folder_; }
    std::filesystem::path unfinished() const { return folder_ / unfinished_name; }

    /// Moves files of these names here from unfinished(). With the first call all results of an
    /// earlier run end, which must not pass for this one's. Throws Error.
    void put(std::span<const char* const> names);

private:
    std::filesystem::path folder_;
    std::optional<FolderLock> lock_;
    std::optional<NewFolders> made_; ///< ends before the lock: who takes the folder then makes it
    bool has_results_ = false;
};

class TraceFolder
{
public:
    /// Takes the folder. Throws Error as ResultFolder does.
    explicit TraceFolder(const std::filesystem::path& folder) : folder_(folder) {}

    /// All files in place of an earlier trace's, or none. Throws Error.
    void write(const Trace&, const Profile&);

private:
    ResultFolder folder_;
};

/// What TraceFolder::write() has written. Throws Error where it is not.
Trace read_trace(const std::filesystem::path& folder);

} // namespace qcd
