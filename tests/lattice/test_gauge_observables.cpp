#include "lattice/gauge_observables.hpp"

#include "base/error.hpp"
#include "lattice/box.hpp"
#include "lattice/gauge_source.hpp"
#include "lattice/link.hpp"
#include "tests/lattice/made_files.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <complex>
#include <omp.h>

using namespace qcd;
using Catch::Contains;
using test::Field;

namespace
{

using Complex = std::complex<double>;

/// The definitions, written out over a whole field.
class PlainField
{
public:
    explicit PlainField(const Field& field) : field_(field) {}

    Complex link(Coord x, int mu, int row, int column) const
    {
        const Extents& l = field_.lattice;
        for (int d = 0; d < 4; ++d) x[d] %= l[d];
        const long s = ((long(x[3]) * l[2] + x[2]) * l[1] + x[1]) * l[0] + x[0];
        const long i = (((s * 4 + mu) * 3 + row) * 3 + column) * 2;
        return {field_.links[i], field_.links[i + 1]};
    }

    /// (1/3) Re tr U_mu(x) U_nu(x+mu) U_mu(x+nu)^dagger U_nu(x)^dagger
    double plaquette(const Coord& x, int mu, int nu) const
    {
        Coord at_mu = x, at_nu = x;
        ++at_mu[mu];
        ++at_nu[nu];
        Complex trace = 0;
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b)
                for (int c = 0; c < 3; ++c)
                    for (int d = 0; d < 3; ++d)
                        trace += link(x, mu, a, b) * link(at_mu, nu, b, c) *
                                 std::conj(link(at_nu, mu, d, c)) * std::conj(link(x, nu, a, d));
        return trace.real() / 3;
    }

    double average(int mu, int nu) const
    {
        double sum = 0;
        for_each_site(field_.lattice, [&](const Coord& x) { sum += plaquette(x, mu, nu); });
        return sum / volume(field_.lattice);
    }

private:
    const Field& field_;
};

} // namespace

TEST_CASE("plaquettes of each plane equal their definition", "[plaquette]")
{
    const Extents lattice = GENERATE(Extents{4, 2, 6, 2}, Extents{2, 4, 2, 6});
    const Field field = test::load_spec("gen:5,0.7", lattice);
    const PlainField plain(field);
    const GaugeObservables& o = field.observables;
    const auto& [xy, xz, xt, yz, yt, zt] = o.planes;
    CHECK(std::abs(xy - plain.average(0, 1)) < 1e-14);
    CHECK(std::abs(xz - plain.average(0, 2)) < 1e-14);
    CHECK(std::abs(xt - plain.average(0, 3)) < 1e-14);
    CHECK(std::abs(yz - plain.average(1, 2)) < 1e-14);
    CHECK(std::abs(yt - plain.average(1, 3)) < 1e-14);
    CHECK(std::abs(zt - plain.average(2, 3)) < 1e-14);
    CHECK(std::abs(o.plaquette_spatial - (xy + xz + yz) / 3) < 1e-15);
    CHECK(std::abs(o.plaquette_temporal - (xt + yt + zt) / 3) < 1e-15);
    CHECK(std::abs(o.plaquette_total - (xy + xz + xt + yz + yt + zt) / 6) < 1e-15);
}

TEST_CASE("the bits of a measurement do not depend on the number of threads", "[plaquette]")
{
    const int threads = omp_get_max_threads();
    omp_set_num_threads(1);
    const Field one = test::load_spec("random:3", {4, 6, 4, 2});
    omp_set_num_threads(5);
    const Field five = test::load_spec("random:3", {4, 6, 4, 2});
    omp_set_num_threads(threads);
    CHECK(one.links == five.links);
    CHECK(one.observables.planes == five.observables.planes);
    CHECK(one.observables.link_trace == five.observables.link_trace);
}

TEST_CASE("slices must come complete and in order", "[plaquette]")
{
    const Extents lattice{2, 2, 2, 2};
    std::vector<double> slice(8 * 72);
    GaugeMeasurement measurement(lattice);
    CHECK_THROWS_WITH(measurement.add_slice(1, slice), Contains("expected slice 0"));
    CHECK_THROWS_WITH(measurement.add_slice(0, std::span(slice).first(72)),
                      Contains("of 72 reals"));
    measurement.add_slice(0, slice);
    CHECK_THROWS_WITH(measurement.result(), Contains("1 of 2 time slices"));
    measurement.add_slice(1, slice);
    CHECK(measurement.result().plaquette_total == 0);
    CHECK_THROWS_AS(measurement.add_slice(2, slice), Error);
}

TEST_CASE("measured by parts a field has the same averages, bit by bit", "[plaquette]")
{
    const Extents lattice{4, 2, 2, 8};
    const auto source = open_gauge("random:3", lattice);
    std::vector<std::vector<double>> slices(8, std::vector<double>(source->slice_reals()));
    GaugeMeasurement whole(lattice);
    for (int t = 0; t < 8; ++t) {
        source->read_slice(t, slices[t]);
        whole.add_slice(t, slices[t]);
    }
    std::vector<SliceSums> sums(8);
    for (const auto& [first, count] : {std::pair{5, 3}, {0, 1}, {1, 4}}) {
        GaugeMeasurement part(lattice, first, count);
        for (int t = first; t < first + count; ++t) {
            CHECK(!part.wants_the_next());
            part.add_slice(t, slices[t]);
        }
        CHECK(part.wants_the_next());
        CHECK_THROWS_AS(part.add_slice(first, slices[first]), Error);
        part.add_slice((first + count) % 8, slices[(first + count) % 8]);
        for (int t = first; t < first + count; ++t) sums[t] = part.sums()[t];
    }
    CHECK(observables_of(lattice, sums).planes == whole.result().planes);
    CHECK(observables_of(lattice, sums).link_trace == whole.result().link_trace);
}

TEST_CASE("projected links are in SU(3), also from a badly scaled start", "[link]")
{
    links::Link u{
        {{{1e8, 0}, {0, 3e7}, {0, 0}}, {{1e8, 1e-3}, {0, 3e7}, {2, 0}}, {{0, 1}, {0, 0}, {1, 0}}}};
    links::project(u);
    CHECK(links::unitarity_violation(u) < 1e-6); // rows nearly parallel: Gram-Schmidt loses digits
    CHECK(links::determinant_violation(u) < 1e-15);
    u = {{{{3, 1}, {0, 2}, {0, 0}}, {{0, 1}, {1, 0}, {2, 5}}, {{1, 1}, {-2, 0}, {0, 0}}}};
    links::project(u);
    CHECK(links::unitarity_violation(u) < 1e-15);
    CHECK(links::determinant_violation(u) < 1e-15);
    u.e[2][0].re += 1e-3;
    CHECK(links::unitarity_violation(u) > 1e-4);
    for (auto& element : u.e[2]) element = {0, 0};
    CHECK(links::determinant_violation(u) == 1);
}

TEST_CASE("projection divides by the cube root of the determinant", "[link]")
{
    // e^{i phi} times the unit matrix is in SU(3) but for its determinant: the phase must go.
    for (const double phi : {0.0, 0.3, -0.9, 1.04}) {
        links::Link u{};
        for (int i = 0; i < 3; ++i) u.e[i][i] = {2 * std::cos(phi), 2 * std::sin(phi)};
        links::project(u);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                CHECK(std::abs(u.e[i][j].re - (i == j)) < 1e-15);
                CHECK(std::abs(u.e[i][j].im) < 1e-15);
            }
    }
    links::Link u = links::unit();
    u.e[2][2] = {-1, 0}; // determinant -1: cube root e^{i pi/3}
    links::project(u);
    CHECK(u.e[0][0].re == Approx(0.5));
    CHECK(u.e[0][0].im == Approx(-std::sqrt(0.75)));
    CHECK(u.e[2][2].re == Approx(-0.5));
    CHECK(u.e[2][2].im == Approx(std::sqrt(0.75)));
}
