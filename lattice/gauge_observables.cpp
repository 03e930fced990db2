#include "lattice/gauge_observables.hpp"

#include "base/error.hpp"
#include "lattice/link.hpp"

namespace qcd
{

using links::Link;

namespace
{

enum Plane { xy, xz, xt, yz, yt, zt };

/// Links of one time slice by (site, direction), with neighbours in space.
class Slice
{
public:
    Slice(const Extents& lattice, std::span<const double> links) : lattice_(lattice), links_(links)
    {
    }

    Link link(std::size_t site, int mu) const
    {
        return links::load(&links_[(site * 4 + mu) * links::reals_per_link]);
    }
    std::size_t site(int x, int y, int z) const
    {
        return (std::size_t(z) * lattice_[1] + y) * lattice_[0] + x;
    }
    /// The site one step forward along mu, wrapped around.
    std::size_t forward(int x, int y, int z, int mu) const
    {
        int at[3] = {x, y, z};
        at[mu] = at[mu] + 1 == lattice_[mu] ? 0 : at[mu] + 1;
        return site(at[0], at[1], at[2]);
    }

private:
    Extents lattice_;
    std::span<const double> links_;
};

/// Re tr of the plaquette made of U_mu(x), U_nu(x+mu), U_mu(x+nu), U_nu(x).
double plaquette(const Link& mu, const Link& nu_at_mu, const Link& mu_at_nu, const Link& nu)
{
    return links::real_trace(mu * nu_at_mu, nu * mu_at_nu);
}

/// Sums over a time slice of `Sums row(y, z)`, rows in a fixed order whatever thread computed them.
template <typename Sums, typename Row, typename Add>
Sums sum_rows(const Extents& lattice, Row row, Add add)
{
    const int rows = lattice[1] * lattice[2];
    std::vector<Sums> parts(rows);
#pragma omp parallel for schedule(static) if (rows > 16)
    for (int r = 0; r < rows; ++r) parts[r] = row(r % lattice[1], r / lattice[1]);
    Sums total{};
    for (const Sums& part : parts) add(total, part);
    return total;
}

using ThreePlanes = std::array<double, 3>;

void add_planes(ThreePlanes& total, const ThreePlanes& part)
{
    for (int p = 0; p < 3; ++p) total[p] += part[p];
}

ThreePlanes spatial_row(const Slice& u, int length, int y, int z)
{
    ThreePlanes sums{};
    for (int x = 0; x < length; ++x) {
        const std::size_t s = u.site(x, y, z);
        int plane = 0;
        for (int mu = 0; mu < 3; ++mu)
            for (int nu = mu + 1; nu < 3; ++nu, ++plane)
                sums[plane] += plaquette(u.link(s, mu), u.link(u.forward(x, y, z, mu), nu),
                                         u.link(u.forward(x, y, z, nu), mu), u.link(s, nu));
    }
    return sums;
}

ThreePlanes temporal_row(const Slice& u, const Slice& above, int length, int y, int z)
{
    ThreePlanes sums{};
    for (int x = 0; x < length; ++x) {
        const std::size_t s = u.site(x, y, z);
        const Link time = u.link(s, 3);
        for (int mu = 0; mu < 3; ++mu)
            sums[mu] += plaquette(u.link(s, mu), u.link(u.forward(x, y, z, mu), 3),
                                  above.link(s, mu), time);
    }
    return sums;
}

double trace_of_row(const Slice& u, int length, int y, int z)
{
    double sum = 0;
    for (int x = 0; x < length; ++x)
        for (int mu = 0; mu < 4; ++mu) {
            const Link link = u.link(u.site(x, y, z), mu);
            sum += link.e[0][0].re + link.e[1][1].re + link.e[2][2].re;
        }
    return sum;
}

} // namespace

GaugeMeasurement::GaugeMeasurement(const Extents& lattice)
    : GaugeMeasurement(lattice, 0, lattice[3])
{
}

GaugeMeasurement::GaugeMeasurement(const Extents& lattice, int first, int count)
    : lattice_(lattice), begin_(first), count_(count), sums_(lattice[3])
{
}

void GaugeMeasurement::add_slice(int t, std::span<const double> links)
{
    const std::size_t reals = volume(lattice_) / lattice_[3] * links::reals_per_site;
    const bool whole = count_ == lattice_[3];
    const int expected = (begin_ + next_) % lattice_[3];
    if (t != expected || next_ >= count_ + !whole || links.size() != reals)
        throw Error("gauge measurement: time slice {} of {} reals, expected slice {} of {}", t,
                    links.size(), begin_ + next_, reals);
    if (next_ > 0)
        add_temporal_planes(sums_[(t + lattice_[3] - 1) % lattice_[3]],
                            next_ == 1 ? first_ : previous_, links);
    if (next_ < count_) {
        add_links(sums_[t], links);
        add_spatial_planes(sums_[t], links);
    }
    if (next_ == 0) first_.assign(links.begin(), links.end());
    ++next_;
    if (whole && next_ == count_)
        add_temporal_planes(sums_[t], links, first_);
    else if (next_ > 1 && next_ <= count_)
        previous_.assign(links.begin(), links.end());
}

void GaugeMeasurement::add_links(SliceSums& sums, std::span<const double> links) const
{
    const Slice u(lattice_, links);
    sums.trace = sum_rows<double>(
        lattice_, [&](int y, int z) { return trace_of_row(u, lattice_[0], y, z); },
        [](double& total, double part) { total += part; });
}

void GaugeMeasurement::add_spatial_planes(SliceSums& of_slice, std::span<const double> links) const
{
    const Slice u(lattice_, links);
    const ThreePlanes sums = sum_rows<ThreePlanes>(
        lattice_, [&](int y, int z) { return spatial_row(u, lattice_[0], y, z); }, add_planes);
    of_slice.planes[xy] = sums[0];
    of_slice.planes[xz] = sums[1];
    of_slice.planes[yz] = sums[2];
}

void GaugeMeasurement::add_temporal_planes(SliceSums& of_slice, std::span<const double> lower,
                                           std::span<const double> upper) const
{
    const Slice u(lattice_, lower), above(lattice_, upper);
    const ThreePlanes sums = sum_rows<ThreePlanes>(
        lattice_, [&](int y, int z) { return temporal_row(u, above, lattice_[0], y, z); },
        add_planes);
    of_slice.planes[xt] = sums[0];
    of_slice.planes[yt] = sums[1];
    of_slice.planes[zt] = sums[2];
}

GaugeObservables GaugeMeasurement::result() const
{
    if (next_ != lattice_[3])
        throw Error("gauge measurement: {} of {} time slices seen", next_, lattice_[3]);
    return observables_of(lattice_, sums_);
}

GaugeObservables observables_of(const Extents& lattice, std::span<const SliceSums> slices)
{
    SliceSums sums;
    for (const SliceSums& s : slices) {
        for (int p = 0; p < 6; ++p) sums.planes[p] += s.planes[p];
        sums.trace += s.trace;
    }
    GaugeObservables o;
    const double sites = double(volume(lattice));
    for (int p = 0; p < 6; ++p) o.planes[p] = sums.planes[p] / (3 * sites);
    o.plaquette_spatial = (o.planes[xy] + o.planes[xz] + o.planes[yz]) / 3;
    o.plaquette_temporal = (o.planes[xt] + o.planes[yt] + o.planes[zt]) / 3;
    o.plaquette_total = (o.plaquette_spatial + o.plaquette_temporal) / 2;
    o.link_trace = sums.trace / (12 * sites);
    return o;
}

} // namespace qcd
