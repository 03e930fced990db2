#pragma once
// Which program this is.

#include <string>
#include <string_view>

namespace qcd
{

/// "1.0.0"
std::string_view version();

/// The version of a program: "NAME 1.0.0 (git 1234567)".
std::string version_line(std::string_view program);

/// The commit that was built, with "+" if files differed from it; empty if not built in a git
/// checkout.
std::string_view git_revision();

/// "GNU 12.2.0"
std::string_view compiler();

/// nvcc's version and the compute capabilities that kernels were built for; empty without CUDA.
std::string_view cuda_compiler();

/// "Release"; after it what sanitizers check for, if any do.
std::string_view build_type();

} // namespace qcd
