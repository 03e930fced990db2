#pragma once
// Failures that end a run with one line on stderr and a documented exit status (docs/options.md).

#include <fmt/core.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace qcd
{

enum ExitStatus {
    exit_converged = 0,     ///< solved and verified; other commands: done
    exit_not_converged = 1, ///< iteration limit reached or interrupted
    exit_bad_input = 2,     ///< command line or file, also one that cannot be written
    exit_verify_failed =
        3, ///< the true residual, or the same done another way, contradicts the result
    exit_missing_device = 4, ///< a worker kind, StarPU feature or memory is not there, or failed
};

/// Bad usage or bad input: the message is one line that names the thing and what is wrong with it.
class Error : public std::runtime_error
{
public:
    explicit Error(const std::string& line, ExitStatus status = exit_bad_input)
        : std::runtime_error(line), status_(status)
    {
    }
    /// The line as fmt::format() makes it.
    template <class T, class... More>
    Error(fmt::format_string<T, More...> line, T&& value, More&&... more)
        : Error(fmt::format(line, std::forward<T>(value), std::forward<More>(more)...))
    {
    }
    ExitStatus exit_status() const { return status_; }

private:
    ExitStatus status_;
};

/// A device, memory or a runtime feature is missing, or failed.
class DeviceError : public Error
{
public:
    explicit DeviceError(const std::string& line) : Error(line, exit_missing_device) {}
    template <class T, class... More>
    DeviceError(fmt::format_string<T, More...> line, T&& value, More&&... more)
        : DeviceError(fmt::format(line, std::forward<T>(value), std::forward<More>(more)...))
    {
    }
};

/// What a program says of an exception that ends it, in one line, and its exit status. Memory,
/// threads and what else the system has too little of are missing; the rest is bad input.
struct Failure {
    std::string line;
    ExitStatus status;
};
Failure failure_of(const std::exception&);

} // namespace qcd
