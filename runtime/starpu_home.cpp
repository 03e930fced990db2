#include "runtime/starpu_home.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "runtime/environment.hpp"
#include "runtime/starpu_samples.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace qcd
{

namespace
{

SamplesVerdict judge_home(const fs::path& home)
{
    return judge_samples(home / ".starpu/sampling", starpu_host());
}

/// This user's own, and no link to elsewhere.
bool is_ours(const fs::path& folder)
{
    struct stat found = {};
    return mkdir(folder.c_str(), 0700) == 0 ||
           (lstat(folder.c_str(), &found) == 0 && S_ISDIR(found.st_mode) &&
            found.st_uid == geteuid());
}

/// A folder of ours: what is damaged is removed.
SamplesVerdict mend(const fs::path& home)
{
    for (;;) {
        SamplesVerdict verdict = judge_home(home);
        std::error_code failed;
        if (verdict.usable || verdict.file.empty()) return verdict;
        if (fs::remove_all(verdict.file, failed) == 0 || failed) return verdict;
    }
}

/// The folder of ours in another one: another user may have taken a name. Empty: none.
fs::path own_folder(const fs::path& temporary)
{
    constexpr int names = 10;
    const std::string name = fmt::format("qcd_starpu-{}", geteuid());
    for (int i = 0; i < names; ++i)
        if (const fs::path folder = temporary / (i ? fmt::format("{}-{}", name, i) : name);
            is_ours(folder))
            return folder;
    return {};
}

/// A folder of this user's own among the temporary files; empty: there is no place for it.
fs::path stand_in(SamplesVerdict& verdict)
{
    std::error_code none;
    for (const fs::path& temporary : {fs::temp_directory_path(none), fs::path("/tmp")}) {
        const fs::path home = own_folder(temporary);
        if (home.empty()) continue;
        verdict = mend(home);
        if (verdict.usable) return home;
    }
    return {};
}

/// StarPU looks there first, and for what is missing in its home.
bool judge_named_folder()
{
    const char* const named = std::getenv("STARPU_PERF_MODEL_DIR");
    if (!named || !*named) return false;
    const SamplesVerdict verdict = judge_samples(named, starpu_host());
    if (!verdict.usable)
        throw Error("STARPU_PERF_MODEL_DIR: {}: {}", quoted(named), verdict.problem);
    return verdict.bus_damaged;
}

} // namespace

/// StarPU asks for XDG_CACHE_HOME first, then STARPU_HOME. PoCL, which has no devices without a
/// home, gets a folder there, too.
std::string choose_starpu_home(Environment& environment)
{
    const char *const xdg = std::getenv("XDG_CACHE_HOME"), *const own = std::getenv("STARPU_HOME"),
                      *const user = std::getenv("HOME");
    const char* const value = xdg ? xdg : own ? own : user;
    const char* const of_pocl = xdg ? xdg : user;
    std::error_code failed;
    if (xdg)
        fs::create_directories(xdg, failed); // as its standard says; a home is not ours to make
    SamplesVerdict verdict{.usable = false, .file = {}, .problem = "HOME is not set"};
    if (value) verdict = judge_home(*value ? value : "/");
    std::string note;
    const bool no_pocl = !of_pocl || access(of_pocl, W_OK | X_OK) != 0;
    if (!verdict.usable || no_pocl) {
        SamplesVerdict other;
        const fs::path home = stand_in(other);
        if (!home.empty() && no_pocl) setenv("POCL_CACHE_DIR", (home / "pocl").c_str(), 0);
        if (!verdict.usable) {
            const std::string why =
                fmt::format("{}{}", value ? quoted(value) + ": " : "", verdict.problem);
            if (home.empty())
                throw DeviceError("StarPU needs a folder to keep what it measures in: "
                                  "set STARPU_HOME ({})",
                                  why);
            setenv(xdg ? "XDG_CACHE_HOME" : "STARPU_HOME", home.c_str(), 1);
            note = fmt::format("StarPU keeps what it measures in {} ({})", home.string(), why);
            verdict = other;
        }
    }
    const bool damaged_elsewhere = judge_named_folder();
    if (verdict.bus_damaged || damaged_elsewhere) {
        environment.set("STARPU_BUS_CALIBRATE", "1");
        note += fmt::format("{}what StarPU measured of buses is damaged, and is measured anew",
                            note.empty() ? "" : "; ");
    }
    return note;
}

fs::path starpu_samples_folder()
{
    for (const char* name : {"STARPU_PERF_MODEL_DIR", "XDG_CACHE_HOME", "STARPU_HOME", "HOME"})
        if (const char* const value = std::getenv(name); value && *value)
            return std::string_view(name) == "STARPU_PERF_MODEL_DIR"
                       ? fs::path(value)
                       : fs::path(value) / ".starpu/sampling";
    return "/.starpu/sampling";
}

} // namespace qcd
