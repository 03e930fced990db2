#include "codelets/study/versions.hpp"

#include "base/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

namespace qcd
{

const StudyVersion& study_version(std::string_view name)
{
    std::vector<std::string> names;
    for (const StudyVersion& v : study_versions) {
        if (v.name == name) return v;
        names.push_back(v.name);
    }
    throw Error(fmt::format("stencil: no version {}; there are {}", name, fmt::join(names, ", ")));
}

int study_multiple(const StudyVersion& version, int asked)
{
    if (!version.full_groups) return 1;
    if (std::find(study_multiples.begin(), study_multiples.end(), asked) == study_multiples.end())
        throw Error(fmt::format("multiple: kernels are built for {}, not {}",
                                fmt::join(study_multiples, ", "), asked));
    return asked;
}

} // namespace qcd
