#include "api/memory_fields.hpp"

#include "base/error.hpp"
#include "lattice/link.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

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

double distance_from_su3(const double* link)
{
    const links::Link u = links::load(link);
    return std::max(links::unitarity_violation(u), links::determinant_violation(u));
}

/// The first of a site's four links that is not in SU(3), or has an element that is no number; 4:
/// there is none.
int first_off_su3(const double* site)
{
    int mu = 0;
    while (mu < 4 && distance_from_su3(site + mu * links::reals_per_link) <= most) ++mu;
    return mu;
}

Error off_su3(const double* site, const Coord& x)
{
    const int mu = first_off_su3(site);
    return Error(fmt::format("links: the one of site {},{},{},{} in direction {} is off SU(3) by "
                             "{:.1e}, at most {:.0e}: are strides and order those of "
                             "qcd_starpu.h?",
                             x[0], x[1], x[2], x[3], "xyzt"[mu],
                             distance_from_su3(site + mu * links::reals_per_link), most));
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

bool MemoryGauge::third_rows_are_completed() const
{
    if (is_twisted(theta_)) return false;
    const long sites = volume(extents());
    bool all = true;
#pragma omp parallel for schedule(static) reduction(&& : all)
    for (long site = 0; site < sites; ++site)
        for (int mu = 0; mu < 4 && all; ++mu) {
            double link[links::reals_per_link];
            load_link(links_.data + site * links_.site + mu * links_.direction, links_, link);
            links::Link made = links::load(link);
            links::complete_third_row(made);
            all = std::memcmp(&made, link, sizeof link) == 0;
        }
    return all;
}

void MemoryGauge::read(const Box& box, std::span<double> links)
{
    const int t = slice_of(box);
    const long sites = volume(box), first = t * sites;
    long bad = sites;
#pragma omp parallel for schedule(static) reduction(min : bad)
    for (long site = 0; site < sites; ++site) {
        double* out = &links[site * links::reals_per_site];
        for (int mu = 0; mu < 4; ++mu)
            load_link(links_.data + (first + site) * links_.site + mu * links_.direction, links_,
                      out + mu * links::reals_per_link);
        if (first_off_su3(out) < 4) bad = std::min(bad, site);
    }
    if (bad < sites)
        throw off_su3(&links[bad * links::reals_per_site], coordinates(extents(), first + bad));
    if (is_twisted(theta_)) twist_slice(extents(), theta_, t, links);
}

MutableLinks::MutableLinks(const Extents& l, const qcd_mutable_links& links)
    : sites_(long(l[0]) * l[1] * l[2]), links_{links.data, or_usual(links.site, 72),
                                               or_usual(links.direction, 18),
                                               or_usual(links.row, 6), or_usual(links.column, 2)}
{
}

void MutableLinks::store_slice(int t, std::span<const double> links) const
{
    const double* from = links.data();
    for (long site = t * sites_; site < (t + 1) * sites_; ++site)
        for (int mu = 0; mu < 4; ++mu)
            for (int row = 0; row < 3; ++row)
                for (int column = 0; column < 3; ++column, from += 2)
                    std::copy_n(from, 2,
                                links_.data + site * links_.site + mu * links_.direction +
                                    row * links_.row + column * links_.column);
}

MemorySpinor::MemorySpinor(const Extents& extents, const qcd_const_spinor& spinor, const char* name)
    : extents_(extents), spinor_(filled(spinor))
{
    if (!spinor.data) throw Error(fmt::format("{}: there is no array (NULL)", name));
    const long sites = volume(extents);
    long bad = sites;
#pragma omp parallel for schedule(static) reduction(min : bad)
    for (long number = 0; number < sites; ++number) {
        double s[24];
        site(coordinates(extents, number), s);
        if (!std::all_of(s, s + 24, [](double c) { return std::isfinite(c); }))
            bad = std::min(bad, number);
    }
    if (bad == sites) return;
    const Coord x = coordinates(extents, bad);
    throw Error(fmt::format("{}: a number of site {},{},{},{} is not finite", name, x[0], x[1],
                            x[2], x[3]));
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
