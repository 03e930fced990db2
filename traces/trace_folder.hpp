#pragma once
// The folder of a trace: who may write into it, what is in it.

#include "traces/profile.hpp"
#include "traces/trace.hpp"

#include <filesystem>

namespace qcd
{

/// A folder's until the end of its life.
class FolderLock
{
public:
    FolderLock() = default;
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;
    /// Makes the folder where it is not there. Throws Error if it cannot be made or another one, of
    /// any process, has it.
    void take(const std::filesystem::path& folder);

private:
    int descriptor_ = -1;
};

/// What a trace makes in its folder,
inline constexpr const char* trace_files[] = {"paje.trace",      "trace.json",    "tasks.csv",
                                              "transfers.csv",   "evictions.csv", "messages.csv",
                                              "trace.meta.json", "profile.txt",   "profile.csv"};
/// and one by FxT (fxt_trace.hpp).
inline constexpr const char* fxt_files[] = {"fxt_0",      "dag.dot",     "tasks.rec",
                                            "paje.trace", "profile.txt", "profile.csv"};

/// What is in that one's folder as long as it lives.
inline constexpr const char* unfinished_name = "unfinished";

/// Removes the results of an earlier run: they must not pass for this one's. Throws Error.
void remove_results(const std::filesystem::path& folder);

class TraceFolder
{
public:
    /// Takes the folder and removes results. Throws Error if it cannot be written.
    explicit TraceFolder(const std::filesystem::path&);

    /// All files, each whole or not there. Throws Error.
    void write(const Trace&, const Profile&) const;

private:
    std::filesystem::path folder_;
    FolderLock lock_;
};

/// What TraceFolder::write() has written. Throws Error where it is not.
Trace read_trace(const std::filesystem::path& folder);

} // namespace qcd
