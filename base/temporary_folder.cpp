#include "base/temporary_folder.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

namespace fs = std::filesystem;

namespace qcd
{

TemporaryFolder::TemporaryFolder()
{
    // Not temp_directory_path(), which has no path for the line where there is no such folder.
    const char* const asked = std::getenv("TMPDIR");
    std::string name = (fs::path(asked && *asked ? asked : "/tmp") / "qcd_starpuXXXXXX").string();
    if (!mkdtemp(name.data()))
        throw Error("TMPDIR: no folder can be made in {}: {}",
                    qcd::quoted(fs::path(name).parent_path().string()), std::strerror(errno));
    path_ = name;
}

TemporaryFolder::~TemporaryFolder()
{
    std::error_code failed;
    fs::remove_all(path_, failed);
}

} // namespace qcd
