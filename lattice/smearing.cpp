#include "lattice/smearing.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "lattice/link.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace qcd
{

namespace
{

using links::Complex;
using links::Link;

constexpr int reals_per_vector = 6;
constexpr int most_steps = 100000;

/// Sites of a time slice.
class TimeSlice
{
public:
    explicit TimeSlice(const Extents& l) : l_(l) {}
    long sites() const { return long(l_[0]) * l_[1] * l_[2]; }

    /// One step in direction mu < 3, forward (1) or backward (-1).
    long neighbour(long site, int mu, int step) const
    {
        const long stride = mu == 0 ? 1 : mu == 1 ? l_[0] : long(l_[0]) * l_[1];
        const int x = int(site / stride % l_[mu]);
        return site + ((x + step + l_[mu]) % l_[mu] - x) * stride;
    }

private:
    Extents l_;
};

/// sum += U psi, or U^dagger psi.
void add(const Link& u, bool dagger, const double* psi, double* sum)
{
    for (int row = 0; row < 3; ++row) {
        Complex c{sum[2 * row], sum[2 * row + 1]};
        for (int column = 0; column < 3; ++column)
            c = c + (dagger ? links::conj(u.e[column][row]) : u.e[row][column]) *
                        Complex{psi[2 * column], psi[2 * column + 1]};
        sum[2 * row] = c.re;
        sum[2 * row + 1] = c.im;
    }
}

/// H_s psi on a site.
void hop(const TimeSlice& slice, std::span<const double> links, const std::vector<double>& psi,
         long site, double* sum)
{
    const auto link = [&](long x, int mu) {
        return links::load(&links[x * links::reals_per_site + mu * links::reals_per_link]);
    };
    for (int mu = 0; mu < 3; ++mu) {
        const long forward = slice.neighbour(site, mu, 1), back = slice.neighbour(site, mu, -1);
        add(link(site, mu), false, &psi[forward * reals_per_vector], sum);
        add(link(back, mu), true, &psi[back * reals_per_vector], sum);
    }
}

class SmearedSource : public SpinorSource
{
public:
    SmearedSource(const Extents& lattice, int t, int spin,
                  std::shared_ptr<const std::vector<double>> field, std::string description)
        : lattice_(lattice), t_(t), spin_(spin), field_(std::move(field)),
          description_(std::move(description))
    {
    }
    void site(const Coord& x, double out[24]) const override
    {
        std::fill(out, out + 24, 0.0);
        if (x[3] != t_) return;
        const long site = x[0] + lattice_[0] * (x[1] + long(lattice_[1]) * x[2]);
        std::copy_n(field_->data() + site * reals_per_vector, reals_per_vector,
                    out + spin_ * reals_per_vector);
    }
    std::string description() const override { return description_; }

private:
    Extents lattice_;
    int t_, spin_;
    std::shared_ptr<const std::vector<double>> field_;
    std::string description_;
};

} // namespace

Smearing parse_smearing(std::string_view text, std::string_view what)
{
    const std::size_t comma = std::min(text.find(','), text.size());
    const auto width = parse_number<double>(text.substr(0, comma));
    const auto steps = parse_number<int>(text.substr(std::min(comma + 1, text.size())));
    if (!width || !steps || !(*width >= 0 && *width <= 1e4) || *steps < 0 || *steps > most_steps)
        throw Error("{}: {} is not W,N, a width in lattice spacings and a number of "
                    "steps from 0 to {}",
                    what, qcd::quoted(text), most_steps);
    return {*width, *steps};
}

std::vector<double> smear(const Extents& lattice, std::span<const double> links,
                          const Smearing& smearing, std::vector<double> psi)
{
    const TimeSlice slice(lattice);
    const double sigma = smearing.sigma(), rest = 1 - 6 * sigma;
    std::vector<double> next(psi.size());
    for (int step = 0; step < smearing.steps; ++step) {
#pragma omp parallel for schedule(static)
        for (long site = 0; site < slice.sites(); ++site) {
            double h[reals_per_vector] = {};
            hop(slice, links, psi, site, h);
            for (int i = 0; i < reals_per_vector; ++i) {
                const long at = site * reals_per_vector + i;
                next[at] = rest * psi[at] + sigma * h[i];
            }
        }
        std::swap(psi, next);
    }
    return psi;
}

SmearedPoint::SmearedPoint(const Extents& lattice, const Coord& point, const Smearing& smearing,
                           std::span<const double> links)
    : lattice_(lattice), point_(point), smearing_(smearing)
{
    const TimeSlice slice(lattice);
    const long site = point[0] + lattice[0] * (point[1] + long(lattice[1]) * point[2]);
    for (int colour = 0; colour < 3; ++colour) {
        std::vector<double> psi(slice.sites() * reals_per_vector);
        psi[site * reals_per_vector + 2 * colour] = 1;
        fields_[colour] = std::make_shared<const std::vector<double>>(
            smear(lattice, links, smearing, std::move(psi)));
    }
}

std::unique_ptr<SpinorSource> SmearedPoint::source(int spin, int colour) const
{
    const auto& [x, y, z, t] = point_;
    return std::make_unique<SmearedSource>(lattice_, t, spin, fields_[colour],
                                           fmt::format("point:{},{},{},{},{},{}, smeared {},{}", x,
                                                       y, z, t, spin, colour, smearing_.width,
                                                       smearing_.steps));
}

} // namespace qcd
