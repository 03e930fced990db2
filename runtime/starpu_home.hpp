#pragma once
// Where StarPU keeps what it measures of the machine.

#include <filesystem>
#include <string>

namespace qcd
{

class Environment;

/// StarPU gives up where it cannot keep files, or not read those that it kept: a home that is not
/// there, is full, cannot be written (a service's, a container's), has a name too long for it or
/// damaged performance models is replaced, for the rest of the process, by a folder of this user's
/// among the temporary files. Damaged measurements of buses are made anew: `environment` tells it
/// to. Nothing is deleted but what is damaged in such a folder of ours. What was done, in a line;
/// empty: nothing. Throws DeviceError where no folder is to be had, Error where
/// STARPU_PERF_MODEL_DIR names none.
std::string choose_starpu_home(Environment&);

/// Where it keeps them, after the above: "~/.starpu/sampling", or what STARPU_PERF_MODEL_DIR names,
/// which holds models, too.
std::filesystem::path starpu_samples_folder();

} // namespace qcd
