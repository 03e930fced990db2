#include "lattice/files/link_format.hpp"

#include "lattice/files/endian.hpp"
#include "lattice/link.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <fmt/format.h>

namespace qcd
{

using links::reals_per_link;

namespace
{

double load_real(const LinkFormat& format, const std::byte* bytes, std::size_t index)
{
    if (format.bits == 32)
        return std::bit_cast<float>(load_word<std::uint32_t>(bytes + 4 * index, format.big_endian));
    return std::bit_cast<double>(load_word<std::uint64_t>(bytes + 8 * index, format.big_endian));
}

void store_real(const LinkFormat& format, double value, std::byte* bytes, std::size_t index)
{
    if (format.bits == 32)
        store_word(std::bit_cast<std::uint32_t>(float(value)), format.big_endian,
                   bytes + 4 * index);
    else
        store_word(std::bit_cast<std::uint64_t>(value), format.big_endian, bytes + 8 * index);
}

/// How a message about a violation ends.
std::string at_most(LinkFormat format, double violation)
{
    const std::string limit = fmt::format(", at most {:.0e}", format.unitarity_tolerance());
    if (format.rough) return limit + " where links are reunitarized";
    const std::string line = fmt::format("{} in a {}-bit file", limit, format.bits);
    format.rough = true;
    return line +
           (violation <= format.unitarity_tolerance() ? "; --reunitarize would project it" : "");
}

} // namespace

void decode_site(const LinkFormat& format, const std::byte* bytes, double* links)
{
    const std::size_t stored = std::size_t(6) * format.rows;
    for (std::size_t mu = 0; mu < 4; ++mu) {
        double* link = links + mu * reals_per_link;
        for (std::size_t k = 0; k < stored; ++k)
            link[k] = load_real(format, bytes, mu * stored + k);
        if (format.rows == 3) continue;
        links::Link u = links::load(link);
        links::complete_third_row(u);
        links::store(u, link);
    }
}

void encode_site(const LinkFormat& format, const double* links, std::byte* bytes)
{
    const std::size_t stored = std::size_t(6) * format.rows;
    for (std::size_t mu = 0; mu < 4; ++mu)
        for (std::size_t k = 0; k < stored; ++k)
            store_real(format, links[mu * reals_per_link + k], bytes, mu * stored + k);
}

bool holds_links(LinkFormat format, const std::byte* bytes)
{
    format.rough = true;
    double site[links::reals_per_site];
    decode_site(format, bytes, site);
    return link_defect(format, site).empty();
}

bool is_zero_link(const double* link)
{
    return std::all_of(link, link + reals_per_link, [](double r) { return r == 0; });
}

std::string link_defect(const LinkFormat& format, const double* links, int directions)
{
    const double most = format.unitarity_tolerance();
    for (int mu = 0; mu < directions; ++mu) {
        const links::Link u = links::load(links + mu * reals_per_link);
        const char name = "xyzt"[mu];
        const double unitarity = links::unitarity_violation(u);
        if (!(unitarity <= 1e300)) // NaN and infinity make it false
            return fmt::format("link {} is not finite", name);
        if (unitarity > most)
            return fmt::format("link {} is not unitary: |U U^dagger - 1| = {:.1e}{}", name,
                               unitarity, at_most(format, unitarity));
        const double determinant = links::determinant_violation(u);
        if (determinant > most)
            return fmt::format("link {} has a determinant that is not 1: |det U - 1| = {:.1e}{}",
                               name, determinant, at_most(format, determinant));
    }
    return {};
}

} // namespace qcd
