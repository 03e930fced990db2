#include "lattice/extents.hpp"

#include "base/error.hpp"

#include <charconv>
#include <fmt/format.h>

namespace qcd
{

std::string to_string(const Extents& e)
{
    return fmt::format("{}x{}x{}x{}", e[0], e[1], e[2], e[3]);
}

Extents parse_extents(std::string_view text, std::string_view what)
{
    const auto fail = [&]() -> Error {
        return Error("{}: '{}' is not four numbers from 1 to {} joined by 'x' or '.', "
                     "such as 16x16x16x32",
                     what, text, max_extent);
    };
    const char joint = text.find('.') == std::string_view::npos ? 'x' : '.';
    Extents e{};
    const char* p = text.data();
    const char* end = text.data() + text.size();
    for (int mu = 0; mu < 4; ++mu) {
        if (mu > 0 && (p == end || *p++ != joint)) throw fail();
        const auto [next, status] = std::from_chars(p, end, e[mu]);
        if (status != std::errc() || e[mu] < 1 || e[mu] > max_extent) throw fail();
        p = next;
    }
    if (p != end) throw fail();
    return e;
}

void require_lattice(const Extents& e, std::string_view what)
{
    for (int mu = 0; mu < 4; ++mu)
        if (e[mu] < 2 || e[mu] > max_extent || e[mu] % 2 != 0)
            throw Error("{}: extent {} of {} must be even and from 2 to {}", what, "xyzt"[mu],
                        to_string(e), max_extent);
    if (volume(e) > max_volume)
        throw Error("{}: {} has more than {} sites", what, to_string(e), max_volume);
}

} // namespace qcd
