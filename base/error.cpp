#include "base/error.hpp"

#include <filesystem>
#include <ios>
#include <new>
#include <system_error>

namespace qcd
{

Failure failure_of(const std::exception& e)
{
    if (const auto* error = dynamic_cast<const Error*>(&e)) return {e.what(), error->exit_status()};
    // No longer than what a string holds without memory.
    if (dynamic_cast<const std::bad_alloc*>(&e)) return {"out of memory", exit_missing_device};
    // Errors of files are system errors, too, but tell of bad input.
    const bool of_files = dynamic_cast<const std::filesystem::filesystem_error*>(&e) ||
                          dynamic_cast<const std::ios_base::failure*>(&e);
    if (dynamic_cast<const std::system_error*>(&e) && !of_files)
        return {std::string("the system has no more threads, or of what else it takes: ") +
                    e.what() + " (ulimit -u, ulimit -v)",
                exit_missing_device};
    return {e.what(), exit_bad_input};
}

} // namespace qcd
