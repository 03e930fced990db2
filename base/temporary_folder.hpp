#pragma once

#include <filesystem>

namespace qcd
{

/// A folder of its own among the temporary files, removed with all that is in it.
class TemporaryFolder
{
public:
    TemporaryFolder(); ///< throws Error
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

} // namespace qcd
