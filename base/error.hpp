#pragma once
// Failures that end a run with one line on stderr and a documented exit status (docs/options.md).

#include <stdexcept>
#include <string>

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
    ExitStatus exit_status() const { return status_; }

private:
    ExitStatus status_;
};

/// A device, memory or a runtime feature is missing, or failed.
class DeviceError : public Error
{
public:
    explicit DeviceError(const std::string& line) : Error(line, exit_missing_device) {}
};

/// What a program says of an exception that ends it, in one line, and its exit status. Memory,
/// threads and what else the system has too little of are missing; the rest is bad input.
struct Failure {
    std::string line;
    ExitStatus status;
};
Failure failure_of(const std::exception&);

} // namespace qcd
