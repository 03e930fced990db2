#pragma once
// A shared library with scheduling policies of the user's own, as StarPU takes one
// (STARPU_SCHED_LIB): docs/your-scheduler.md.

#include <string>
#include <vector>

namespace qcd
{

/// The variable that names it for StarPU.
inline constexpr const char* scheduler_library_variable = "STARPU_SCHED_LIB";
/// Where StarPU is to look for `file`: a name without a folder is in this one, not on the system.
std::string scheduler_library_path(const std::string& file);
/// What the variable says; empty: nothing.
std::string scheduler_library_of_environment();

/// Names of its policies; none where it does not list them. Throws Error where it cannot be loaded,
/// or lacks the function by which StarPU asks for a policy.
std::vector<std::string> policies_of_library(const std::string& path);
/// Has it a policy of this name? Throws Error as above.
bool library_has_policy(const std::string& path, const std::string& name);

} // namespace qcd
