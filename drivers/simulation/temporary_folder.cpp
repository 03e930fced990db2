#include "drivers/simulation/temporary_folder.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

namespace fs = std::filesystem;

namespace qcd
{

TemporaryFolder::TemporaryFolder()
{
    std::error_code failed;
    std::string name = (fs::temp_directory_path(failed) / "qcd_starpuXXXXXX").string();
    if (failed || !mkdtemp(name.data()))
        throw Error(fmt::format("{}: no folder can be made: {}", name, std::strerror(errno)));
    path_ = name;
}

TemporaryFolder::~TemporaryFolder()
{
    std::error_code failed;
    fs::remove_all(path_, failed);
}

} // namespace qcd
