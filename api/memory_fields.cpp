#include "api/memory_fields.hpp"

#include "lattice/error.hpp"
#include "lattice/link.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace qcd
{

namespace
{

ptrdiff_t or_usual(ptrdiff_t stride, ptrdiff_t usual) { return stride ? stride : usual; }

ptrdiff_t number(const Extents& l, const Coord& x)
{
    return x[0] + l[0] * (x[1] + l[1] * (x[2] + ptrdiff_t(l[2]) * x[3]));
}

template <class Spinor>
Spinor filled(Spinor s)
{
    s.site = or_usual(s.site, 24);
    s.spin = or_usual(s.spin, 6);
    s.colour = or_usual(s.colour, 2);
    return s;
}

void load_link(const double* from, const qcd_links& strides, double* to)
{
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column, to += 2)
            std::copy_n(from + row * strides.row + column * strides.column, 2, to);
}

/// Single accuracy is enough: what is farther off was laid out otherwise, or damaged.
constexpr double most = 1e-5;

void require_su3(const double* link, const Extents& l, long site, int mu)
{
    const links::Link u = links::load(link);
    const double off = std::max(links::unitarity_violation(u), links::determinant_violation(u));
    if (off <= most && std::isfinite(links::unitarity_violation(u))) return;
    const Coord x = coordinates(l, site);
    throw Error(fmt::format("links: the one of site {},{},{},{} in direction {} is off SU(3) by "
                            "{:.1e}, at most {:.0e}: are strides and order those of "
                            "qcd_starpu.h?",
                            x[0], x[1], x[2], x[3], "xyzt"[mu], off, most));
}

} // namespace

MemoryGauge::MemoryGauge(const Extents& extents, const qcd_links& links, const Theta& theta)
    : GaugeSource(extents, "memory"), links_{links.data, or_usual(links.site, 72),
                                             or_usual(links.direction, 18), or_usual(links.row, 6),
                                             or_usual(links.column, 2)},
      theta_(theta)
{
    if (!links.data) throw Error("links: there is no array (NULL)");
}

void MemoryGauge::read(const Box& box, std::span<double> links)
{
    const int t = slice_of(box);
    const long sites = volume(box), first = t * sites;
    for (long site = 0; site < sites; ++site)
        for (int mu = 0; mu < 4; ++mu) {
            double* link = &links[site * links::reals_per_site + mu * links::reals_per_link];
            load_link(links_.data + (first + site) * links_.site + mu * links_.direction, links_,
                      link);
            require_su3(link, extents(), first + site, mu);
        }
    if (is_twisted(theta_)) twist_slice(extents(), theta_, t, links);
}

MemorySpinor::MemorySpinor(const Extents& extents, const qcd_const_spinor& spinor, const char* name)
    : extents_(extents), spinor_(filled(spinor))
{
    if (!spinor.data) throw Error(fmt::format("{}: there is no array (NULL)", name));
    for (long number = 0; number < volume(extents); ++number) {
        const Coord x = coordinates(extents, number);
        double s[24];
        site(x, s);
        if (!std::all_of(s, s + 24, [](double c) { return std::isfinite(c); }))
            throw Error(fmt::format("{}: a number of site {},{},{},{} is not finite", name, x[0],
                                    x[1], x[2], x[3]));
    }
}

void MemorySpinor::site(const Coord& x, double out[24]) const
{
    const double* from = spinor_.data + number(extents_, x) * spinor_.site;
    for (int spin = 0; spin < 4; ++spin)
        for (int colour = 0; colour < 3; ++colour, out += 2)
            std::copy_n(from + spin * spinor_.spin + colour * spinor_.colour, 2, out);
}

qcd_spinor with_strides(qcd_spinor s) { return filled(s); }

void store_site(const Extents& l, const qcd_spinor& to, const Coord& c, const double x[24])
{
    double* site = to.data + number(l, c) * to.site;
    for (int spin = 0; spin < 4; ++spin)
        for (int colour = 0; colour < 3; ++colour, x += 2)
            std::copy_n(x, 2, site + spin * to.spin + colour * to.colour);
}

} // namespace qcd
