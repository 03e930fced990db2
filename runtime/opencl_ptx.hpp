#pragma once
// NVIDIA's OpenCL gives kernels registers for many threads: a hop 128 in double, 72 in single,
// where one with more loads in flight, of 254 and 128, is up to a third faster. What CUDA's
// __launch_bounds__ say (.minnctapersm) has no word in OpenCL C, and -cl-nv-maxrregcount is only a
// limit. But NVIDIA's binaries are PTX, a text.

#include <string>

namespace qcd
{

/// The text with .minnctapersm N in every entry whose body has the comment of QCD_GROUPS_FIT(N)
/// (opencl_launch.h). Empty when there is no such comment, or no place for the word.
std::string ptx_with_groups(const std::string& ptx);

} // namespace qcd
