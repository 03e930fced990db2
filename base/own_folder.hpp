#pragma once
// Folders that results are written into: none that holds what somebody else has made.

#include <filesystem>
#include <string>
#include <vector>

namespace qcd
{

/// Throws Error unless the folder is not there, or empty but for what killed processes left: of an
/// AtomicFile, or as `is_left` says. It is asked of a folder that lacks `mark`, by which this
/// program knows its own. what: begins the line.
void require_free_folder(const std::string& what, const std::filesystem::path&,
                         const std::string& mark,
                         bool (*is_left)(const std::filesystem::path&) = nullptr);

/// A folder for results, with those above it: those that were not there go again with the object,
/// unless something is in them by then.
class NewFolders
{
public:
    NewFolders() = default;
    /// Throws Error where they cannot be made. what: begins the line.
    NewFolders(const std::string& what, const std::filesystem::path&);
    ~NewFolders();
    NewFolders(const NewFolders&) = delete;
    NewFolders& operator=(const NewFolders&) = delete;

private:
    std::vector<std::filesystem::path> made_; ///< the innermost first
};

} // namespace qcd
