#include "base/own_folder.hpp"

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace fs = std::filesystem;

namespace qcd
{

void require_free_folder(const std::string& what, const fs::path& folder, const std::string& mark,
                         bool (*is_left)(const fs::path&))
{
    std::error_code failed;
    if (fs::status(folder, failed).type() == fs::file_type::not_found) return;
    fs::directory_iterator at(folder, failed);
    while (!failed && at != fs::directory_iterator() &&
           (is_temporary_file(at->path().filename().string()) || (is_left && is_left(at->path()))))
        at.increment(failed);
    if (failed)
        throw Error("{}: cannot read {}: {}", what, qcd::quoted(folder.string()), failed.message());
    if (at != fs::directory_iterator())
        throw Error("{}: {} has files in it, and no {}: name an empty folder, or one "
                    "that is not there",
                    what, qcd::quoted(folder.string()), mark);
}

namespace
{

void remove_empty(const std::vector<fs::path>& folders)
{
    std::error_code failed; // of what is not empty
    for (const fs::path& folder : folders) fs::remove(folder, failed);
}

} // namespace

NewFolders::NewFolders(const std::string& what, const fs::path& folder)
{
    std::error_code failed;
    for (fs::path p = folder; !p.empty() && !fs::exists(fs::symlink_status(p, failed));
         p = p.parent_path())
        made_.push_back(p);
    fs::create_directories(folder, failed);
    if (!failed) return;
    remove_empty(made_);
    throw Error("{}: cannot make the folder {}: {}", what, qcd::quoted(folder.string()),
                failed.message());
}

NewFolders::~NewFolders() { remove_empty(made_); }

} // namespace qcd
