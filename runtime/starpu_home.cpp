#include "runtime/starpu_home.hpp"

#include "lattice/error.hpp"
#include "runtime/environment.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace qcd
{

namespace
{

/// Of this home, the folder of what StarPU measures of buses and cores, or as much of it as there
/// is.
fs::path deepest_folder(const fs::path& home)
{
    std::error_code none;
    fs::path folder = home;
    for (const char* part : {".starpu", "sampling", "bus"}) {
        if (!fs::exists(folder / part, none)) break;
        folder /= part;
    }
    return folder;
}

bool can_keep_files(const fs::path& home)
{
    const fs::path trial = deepest_folder(home) / fmt::format("qcd_starpu.{}", getpid());
    std::ofstream out(trial);
    out << std::string(16384, ' ');
    out.close();
    std::error_code none;
    fs::remove(trial, none);
    return bool(out);
}

/// Not those of a run that is just making them.
bool has_empty_files(const fs::path& home)
{
    std::error_code none;
    const fs::path folder = deepest_folder(home);
    if (folder.filename() != "bus") return false;
    const auto now = fs::file_time_type::clock::now();
    for (const auto& file : fs::directory_iterator(folder, none))
        if (file.is_regular_file(none) && file.file_size(none) == 0 &&
            now - file.last_write_time(none) > std::chrono::minutes(1))
            return true;
    return false;
}

/// A folder of this user's own among the temporary files; empty: there is no place for it.
fs::path stand_in(bool starpu_has_a_home)
{
    std::error_code failed;
    const fs::path temporary = fs::temp_directory_path(failed);
    if (failed) return {};
    const fs::path home = temporary / fmt::format("qcd_starpu-{}", geteuid());
    struct stat found = {};
    const bool ours =
        mkdir(home.c_str(), 0700) == 0 ||
        (lstat(home.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == geteuid());
    if (ours) return home;
    if (starpu_has_a_home) return {};
    throw DeviceError(fmt::format("StarPU needs a folder to keep what it measures in: set "
                                  "STARPU_HOME ({} is not to be had)",
                                  home.string()));
}

} // namespace

/// StarPU asks for XDG_CACHE_HOME first. PoCL, which has no devices without one, gets a folder
/// there, too.
void choose_starpu_home(Environment& environment)
{
    const char* const xdg = std::getenv("XDG_CACHE_HOME");
    const char* const base = xdg ? xdg : std::getenv("HOME");
    const char* const own = xdg ? nullptr : std::getenv("STARPU_HOME");
    if (!base) return;
    std::error_code failed;
    if (xdg)
        fs::create_directories(base, failed); // as its standard says; a home is not ours to make
    fs::path home = own ? own : base;
    if (!(own ? access(base, W_OK | X_OK) == 0 : can_keep_files(base))) {
        if (const fs::path other = stand_in(own); !other.empty()) {
            setenv("POCL_CACHE_DIR", (other / "pocl").c_str(), 0);
            if (!own) setenv(xdg ? "XDG_CACHE_HOME" : "STARPU_HOME", other.c_str(), 1);
            if (!own) home = other;
        }
    }
    if (has_empty_files(home)) environment.set_default("STARPU_BUS_CALIBRATE", "1");
}

} // namespace qcd
