// Updates and measurements of links: what theory says of them, the host's own plaquettes, and the
// same bits on every tiling and kind of worker.

#include "lattice/gauge_observables.hpp"
#include "lattice/generated_gauge.hpp"
#include "lattice/link.hpp"
#include "tasks/link_measurement.hpp"
#include "tasks/link_updates.hpp"
#include "tests/tasks/graph.hpp"

#include <cmath>
#include <map>

using namespace qcd;
using namespace qcd::test;
using links::Complex;
using links::Link;

namespace
{

/// All links of a lattice, as GaugeSource has them.
using Links = std::vector<double>;

class LinksInMemory : public GaugeSource
{
public:
    LinksInMemory(const Extents& lattice, Links links)
        : GaugeSource(lattice, "of a test"), links_(std::move(links))
    {
    }

private:
    void read(const Box& box, std::span<double> links) override
    {
        const auto from = links_.begin() + std::ptrdiff_t(slice_of(box) * slice_reals());
        std::copy_n(from, slice_reals(), links.begin());
    }
    Links links_;
};

Links links_of(const LinkField& field)
{
    Links all;
    field.visit_slices(
        [&](int, std::span<const double> s) { all.insert(all.end(), s.begin(), s.end()); });
    return all;
}
Links links_of(GaugeSource& source)
{
    const int lt = source.extents()[3];
    Links all(source.slice_reals() * std::size_t(lt));
    source.begin_slices(0, lt);
    for (int t = 0; t < lt; ++t)
        source.read_slice(
            t, std::span(all).subspan(source.slice_reals() * std::size_t(t), source.slice_reals()));
    return all;
}

/// A field of links by site and direction.
class Field
{
public:
    Field(const Extents& lattice, Links links) : lattice_(lattice), links_(std::move(links)) {}
    std::size_t number(const Coord& x) const
    {
        return ((std::size_t(x[3]) * lattice_[2] + x[2]) * lattice_[1] + x[1]) * lattice_[0] + x[0];
    }
    double* at(const Coord& x, int mu)
    {
        return &links_[number(x) * links::reals_per_site + mu * links::reals_per_link];
    }
    Link link(const Coord& x, int mu) { return links::load(at(x, mu)); }
    Coord step(Coord x, int mu, int by) const
    {
        x[mu] = (x[mu] + by + lattice_[mu]) % lattice_[mu];
        return x;
    }
    Links take() { return std::move(links_); }

private:
    Extents lattice_;
    Links links_;
};

Link dagger(const Link& u)
{
    Link d;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) d.e[i][j] = conj(u.e[j][i]);
    return d;
}
Complex trace(const Link& u) { return u.e[0][0] + u.e[1][1] + u.e[2][2]; }

Box whole(const Extents& lattice) { return {{0, 0, 0, 0}, lattice}; }

Complex polyakov_loop(const Extents& lattice, Field& u)
{
    Complex sum{0, 0};
    for_each_site({{0, 0, 0, 0}, {lattice[0], lattice[1], lattice[2], 1}}, [&](Coord x) {
        Link line = links::unit();
        for (x[3] = 0; x[3] < lattice[3]; ++x[3]) line = line * u.link(x, 3);
        sum = sum + trace(line);
    });
    const double n = 3.0 * double(volume(lattice)) / lattice[3];
    return {sum.re / n, sum.im / n};
}

double distance(const LinkAverages& a, const LinkAverages& b)
{
    return std::max({std::abs(a.plaquette_space - b.plaquette_space),
                     std::abs(a.plaquette_time - b.plaquette_time),
                     std::abs(a.polyakov.re - b.polyakov.re),
                     std::abs(a.polyakov.im - b.polyakov.im)});
}

LinkAverages measured(const Tiling& tiling, Links links)
{
    LatticeGraph graph(tiling);
    LinksInMemory source(tiling.lattice(), std::move(links));
    LinkField field(graph, source);
    return LinkMeasurement(field).measure();
}

} // namespace

TEST_CASE("links: measured as by the host, with the same bits on every tiling", "[links]")
{
    const Workers w = any_workers();
    static std::map<std::string, LinkAverages> first; // of each lattice
    for (const auto& [lattice, cuts] : std::vector<std::pair<Extents, std::vector<Extents>>>{
             {{8, 4, 4, 8}, {{1, 1, 1, 1}, {2, 1, 1, 2}, {1, 2, 2, 4}}},
             {{6, 2, 4, 4}, {{1, 1, 1, 1}, {3, 1, 2, 1}}}, // lanes of both row offsets
             {{2, 2, 2, 2}, {{1, 1, 1, 1}}}}) {
        const Links links = links_of(*random_gauge(lattice, 5));
        GaugeMeasurement plaquettes(lattice);
        const std::size_t reals = links.size() / std::size_t(lattice[3]);
        for (int t = 0; t < lattice[3]; ++t)
            plaquettes.add_slice(t, std::span(links).subspan(reals * std::size_t(t), reals));
        const GaugeObservables o = plaquettes.result();
        Field u(lattice, links);
        const LinkAverages by_host{o.plaquette_spatial, o.plaquette_temporal,
                                   polyakov_loop(lattice, u)};
        for (const Extents& tiles : cuts) {
            if (volume(tiles) > most_tiles(w)) continue;
            INFO(to_string(lattice) << " in " << to_string(tiles) << ", " << name_of(w));
            const LinkAverages m = measured(Tiling(lattice, tiles), links);
            CHECK(distance(m, by_host) < 1e-15);
            CHECK(distance(m, first.try_emplace(to_string(lattice), m).first->second) == 0);
        }
    }
}

TEST_CASE("links: a gauge transformation leaves what is measured", "[links]")
{
    use_workers({.cpu = 1});
    const Extents lattice{4, 4, 6, 8};
    const Tiling tiling(lattice, Extents{1, 2, 1, 2});
    Field u(lattice, links_of(*weak_gauge(lattice, 0.4, 3))),
        g(lattice, links_of(*random_gauge(lattice, 4))); // its links x
    const LinkAverages before = measured(tiling, Field(u).take());
    for_each_site(whole(lattice), [&](const Coord& x) {
        for (int mu = 0; mu < 4; ++mu)
            links::store(g.link(x, 0) * u.link(x, mu) * dagger(g.link(u.step(x, mu, +1), 0)),
                         u.at(x, mu));
    });
    const LinkAverages after = measured(tiling, u.take());
    CHECK(std::abs(before.plaquette_time - 0.5) < 0.4); // it is no random field
    CHECK(distance(before, after) < 1e-14);
}

TEST_CASE("links: overrelaxation leaves the action, and moves every link", "[links]")
{
    use_workers({.cpu = 1});
    const Extents lattice{4, 4, 4, 8};
    LatticeGraph graph(Tiling(lattice, Extents{1, 1, 1, 2}));
    const auto source = random_gauge(lattice, 8);
    LinkField field(graph, *source);
    LinkUpdates updates(field, {.beta = 5.7});
    for (int n = 1; n <= 3; ++n) updates.heatbath(std::uint32_t(n));
    LinkMeasurement measurement(field);
    const Links links_before = links_of(field);
    const LinkAverages before = measurement.measure();
    updates.overrelax();
    const LinkAverages after = measurement.measure();
    const Links links_after = links_of(field);
    const auto action = [](const LinkAverages& m) { return m.plaquette_space + m.plaquette_time; };
    CHECK(std::abs(action(before) - action(after)) < 1e-14);
    CHECK(std::abs(before.plaquette_space - after.plaquette_space) > 1e-6); // they are not kept
    for (std::size_t link = 0; link < links_before.size(); link += links::reals_per_link) {
        const Link a = links::load(&links_before[link]), b = links::load(&links_after[link]);
        const double overlap = links::real_trace(a, b) / 3;
        if (!(overlap < 1 - 1e-6)) FAIL("link " << link / links::reals_per_link << " stays");
        if (links::unitarity_violation(b) > 1e-13) FAIL("a link leaves SU(3)");
    }
}

TEST_CASE("links: ensembles obey the Schwinger-Dyson equation of a link", "[links]")
{
    // For the density exp(beta/3 Re tr U S) of each link U, with W = U S and H = (W - W^dagger)/2i:
    // the mean of the Laplacian of Re tr W and of its derivative along that of the action cancel,
    // 4/3 Re tr W = beta/3 (tr H^2/2 - (tr H)^2/6).
    use_workers({.cpu = 1});
    const double beta = GENERATE(0.7, 5.5);
    const Extents lattice{4, 4, 4, 4};
    LatticeGraph graph(Tiling(lattice, Extents{1, 1, 1, 1}));
    const auto source = unit_gauge(lattice);
    LinkField field(graph, *source);
    LinkUpdates updates(field, {.beta = beta, .overrelaxations = 1, .seed = 21});
    constexpr int thermalize = 60, bins = 20, sweeps_a_bin = 8;
    std::vector<double> differences;
    double left = 0;
    for (int n = 1; n <= thermalize + bins * sweeps_a_bin; ++n) {
        updates.sweep(std::uint32_t(n));
        if (n <= thermalize) continue;
        if ((n - thermalize) % sweeps_a_bin == 1) differences.push_back(0);
        Field u(lattice, links_of(field));
        for_each_site(whole(lattice), [&](const Coord& x) {
            for (int mu = 0; mu < 4; ++mu) {
                Link w{};
                const auto add = [&](const Link& plaquette) {
                    for (int i = 0; i < 3; ++i)
                        for (int j = 0; j < 3; ++j) w.e[i][j] = w.e[i][j] + plaquette.e[i][j];
                };
                const Link own = u.link(x, mu);
                const Coord ahead = u.step(x, mu, +1);
                for (int nu = 0; nu < 4; ++nu) {
                    if (nu == mu) continue;
                    const Coord behind = u.step(x, nu, -1);
                    add(own * u.link(ahead, nu) * dagger(u.link(u.step(x, nu, +1), mu)) *
                        dagger(u.link(x, nu)));
                    add(own * dagger(u.link(u.step(ahead, nu, -1), nu)) *
                        dagger(u.link(behind, mu)) * u.link(behind, nu));
                }
                const double trace_of_h = trace(w).im;
                double square = 0; // tr H^2
                for (int i = 0; i < 3; ++i)
                    for (int j = 0; j < 3; ++j) {
                        const Complex d = w.e[i][j] - conj(w.e[j][i]);
                        square += (d.re * d.re + d.im * d.im) / 4;
                    }
                left += 4.0 / 3 * trace(w).re;
                differences.back() +=
                    4.0 / 3 * trace(w).re - beta / 3 * (square / 2 - trace_of_h * trace_of_h / 6);
            }
        });
    }
    const double links_of_bin = 4.0 * double(volume(lattice)) * sweeps_a_bin;
    double mean = 0, variance = 0;
    for (double& d : differences) mean += (d /= links_of_bin) / bins;
    for (const double d : differences) variance += (d - mean) * (d - mean) / (bins - 1);
    const double error = std::sqrt(variance / bins);
    left /= links_of_bin * bins;
    INFO("beta " << beta << ": " << left << ", difference " << mean << " +- " << error);
    CHECK(std::abs(mean) < 4 * error);
    CHECK(error < 0.01 * left);
}
