#include "codelets/ladder/versions.hpp"

#include "base/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

namespace qcd
{

const LadderVersion& ladder_version(std::string_view name)
{
    std::vector<std::string> names;
    for (const LadderVersion& v : ladder_versions) {
        if (v.name == name) return v;
        names.push_back(v.name);
    }
    throw Error("ladder: no version {}; there are {}", name, fmt::join(names, ", "));
}

int ladder_multiple(const LadderVersion& version, int asked)
{
    if (!version.full_groups) return 1;
    if (std::find(ladder_multiples.begin(), ladder_multiples.end(), asked) ==
        ladder_multiples.end())
        throw Error("multiple: kernels are built for {}, not {}", fmt::join(ladder_multiples, ", "),
                    asked);
    return asked;
}

} // namespace qcd
