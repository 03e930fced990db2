#include "lattice/several_sources.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace qcd
{

namespace
{

/// Numbers that say where it is.
int numbers_of_place(std::string_view kind) { return kind == "point" ? 4 : kind == "wall" ? 1 : 0; }

} // namespace

std::string source_of_several(std::string_view spec, int i, int count)
{
    if (count == 1) return std::string(spec);
    const std::size_t colon = spec.find(':');
    const std::string_view kind = spec.substr(0, colon),
                           rest = colon == spec.npos ? "" : spec.substr(colon + 1);
    if (kind == "random" || kind == "det")
        if (const auto seed = parse_number<std::uint64_t>(rest))
            return fmt::format("{}:{}", kind, *seed + std::uint64_t(i));
    const auto numbers = 1 + std::count(rest.begin(), rest.end(), ',');
    if (numbers_of_place(kind) == 0 || numbers != numbers_of_place(kind))
        throw Error("--rhs: {} right-hand sides are of random:SEED, det:SEED, "
                    "point:x,y,z,t, wall:t or a file, and --source is {}",
                    count, quoted(std::string(spec)));
    if (count > source_components)
        throw Error("--rhs: {} has {} components, spins times colours, not {}",
                    quoted(std::string(spec)), source_components, count);
    return fmt::format("{},{},{}", spec, i / 3, i % 3);
}

} // namespace qcd
