// What random links are made of, in the dialect as cores compile it: Philox against its table of
// known answers, logarithm, cosine and sine against those of long doubles, and elements of SU(2)
// against the distribution that they are drawn from.

#define QCD_PRECISION f64
#include "codelets/gauge/heatbath.h"
#include "codelets/gauge/update.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <vector>

namespace
{

using namespace qcd;
namespace k = qcd::f64::QCD_ISA; // the kernels' namespace
using k::vreal;
using k::vuint;

constexpr int width = k::vector_width;

using Words = std::array<unsigned, 4>;

Words philox_of(const Words& counter, unsigned key0, unsigned key1)
{
    const k::random_words c{k::vuint_set(counter[0]), k::vuint_set(counter[1]),
                            k::vuint_set(counter[2]), k::vuint_set(counter[3])};
    const k::random_words r = k::philox(c, key0, key1);
    for (int j = 1; j < width; ++j) CHECK(r.w0[j] == r.w0[0]); // lanes alike
    return {unsigned(r.w0[0]), unsigned(r.w1[0]), unsigned(r.w2[0]), unsigned(r.w3[0])};
}

/// chi^2 of counts that should all be alike.
double chi2_of(const std::vector<int>& counts)
{
    double n = 0, sum = 0;
    for (const int c : counts) n += c;
    const double expected = n / double(counts.size());
    for (const int c : counts) sum += (c - expected) * (c - expected) / expected;
    return sum;
}
/// A sum of squares of so many normal numbers is below this but once in some 10^6 tests.
double most_chi2(std::size_t bins)
{
    const double n = double(bins - 1);
    return n + 5 * std::sqrt(2 * n);
}

/// The distribution of the density sqrt(1 - h^2) exp(a h): the integral from -1 to h over that to
/// 1, by h = -cos.
class HeightDistribution
{
public:
    explicit HeightDistribution(double a) : sums_(steps + 1)
    {
        for (int i = 0; i < steps; ++i) {
            const double angle = std::numbers::pi * (i + 0.5) / steps;
            sums_[i + 1] =
                sums_[i] + std::sin(angle) * std::sin(angle) * std::exp(-a * (std::cos(angle) + 1));
        }
    }
    double operator()(double h) const
    {
        const double at = std::acos(-h) / std::numbers::pi * steps;
        const int i = std::min(int(at), steps - 1);
        return (sums_[i] + (at - i) * (sums_[i + 1] - sums_[i])) / sums_[steps];
    }

private:
    static constexpr int steps = 100000;
    std::vector<double> sums_;
};

k::random_place place_of(int first_site)
{
    k::random_place at{};
    for (int j = 0; j < width; ++j) at.site[j] = unsigned(first_site + j);
    at.sweep = 3;
    at.mu = 1;
    at.seed0 = 11;
    at.seed1 = 0;
    return at;
}

} // namespace

TEST_CASE("Philox 4x32-10 gives its known answers", "[gauge]")
{
    // The table of Random123 (Salmon, Moraes, Dror and Shaw 2011).
    CHECK(philox_of({0, 0, 0, 0}, 0, 0) ==
          Words{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u});
    const unsigned ones = 0xffffffffu;
    CHECK(philox_of({ones, ones, ones, ones}, ones, ones) ==
          Words{0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu});
    CHECK(philox_of({0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u}, 0xa4093822u,
                    0x299f31d0u) == Words{0xd16cfe09u, 0x94fdcceb, 0x5001e420u, 0x24126ea1u});
}

TEST_CASE("numbers in (0, 1) have 52 bits and neither end", "[gauge]")
{
    const auto unit = [](unsigned high, unsigned low) {
        return k::unit_real(k::vuint_set(high), k::vuint_set(low))[0];
    };
    CHECK(unit(0, 0) == 0x1p-53);
    CHECK(unit(0, 0xfff) == 0x1p-53); // the lowest 12 bits are not used
    CHECK(unit(0x80000000u, 0) == 0.5 + 0x1p-53);
    CHECK(unit(0xffffffffu, 0xffffffffu) == 1 - 0x1p-53);
}

TEST_CASE("the logarithm's relative error is below 4e-16", "[gauge]")
{
    long double worst = 0;
    const auto look = [&](double x) {
        const double found = k::vlog(k::vset(x))[0];
        const long double exact = std::log((long double)x);
        worst = std::max(worst, exact == 0 ? std::abs((long double)found)
                                           : std::abs((found - exact) / exact));
    };
    look(1);
    for (int i = 0; i < 200000; ++i) look((i + 0.5) / 200000);
    for (int i = 1; i < 20000; ++i) { // from 1 and the ends of the intervals on
        look(1 - i * 0x1p-53);
        look(1 + i * 0x1p-52);
        look(std::sqrt(0.5) * (1 + (i - 10000) * 0x1p-50));
    }
    for (int e = -1000; e < 1000; ++e) look(std::ldexp(1.23456789, e));
    INFO("relative error " << double(worst));
    CHECK(worst < 4e-16L);
}

TEST_CASE("the absolute error of cosine and sine is below 3e-16", "[gauge]")
{
    long double worst = 0;
    const auto look = [&](double x) {
        const k::direction_of_angle d = k::vdirection(k::vset(x));
        const long double angle = 2 * std::numbers::pi_v<long double> * x;
        worst = std::max(
            {worst, std::abs(d.cos[0] - std::cos(angle)), std::abs(d.sin[0] - std::sin(angle))});
    };
    for (int i = 0; i <= 400000; ++i) look(i / 400000.0);
    for (int quarter = 0; quarter <= 8; ++quarter)
        for (int i = -1000; i <= 1000; ++i)
            if (const double x = quarter / 8.0 + i * 0x1p-50; x >= 0 && x <= 1) look(x);
    INFO("absolute error " << double(worst));
    CHECK(worst < 3e-16L);
}

TEST_CASE("heights have the density sqrt(1 - h^2) exp(a h)", "[gauge]")
{
    // Uniform trials below a = 0.75, those of Kennedy and Pendleton from there on.
    const double a = GENERATE(0.0, 0.3, 0.74, 0.76, 2.0, 12.0, 300.0);
    const HeightDistribution cumulative(a);
    constexpr int draws = 40000, bins = 40;
    std::vector<int> counts(bins);
    double trials = 0;
    for (int i = 0; i < draws; i += width) {
        const k::random_height h = k::draw_height(k::vset(a), place_of(i), 2, k::vmask_all());
        for (int j = 0; j < width; ++j) {
            REQUIRE(h.accepted[j]);
            REQUIRE((h.delta[j] > 0 && h.delta[j] <= 2));
            trials += double(h.trials[j]);
            ++counts[std::min(bins - 1, int(bins * cumulative(1 - h.delta[j])))];
        }
    }
    INFO("a " << a << ", " << trials / draws << " trials a height");
    CHECK(chi2_of(counts) < most_chi2(bins));
    CHECK(trials / draws < 1 / 0.39);
}

TEST_CASE("an element of SU(2) beside a fixed staple has the exact distribution", "[gauge]")
{
    // q = k times a unit quaternion: exp(weight/2 Re tr g q) = exp(a h0), h = g q/k, a = weight k.
    const double k0 = 1.7, weight = GENERATE(0.2, 2.5);
    const std::array<double, 4> u{0.5, -0.1, 0.7, std::sqrt(1 - 0.25 - 0.01 - 0.49)};
    const auto times = [&](int i) { return k::vset(k0 * u[i]); };
    const k::quaternion q = k::quaternion_make(times(0), times(1), times(2), times(3));
    const HeightDistribution cumulative(weight * k0);
    constexpr int draws = 40000, bins = 40;
    std::vector<int> heights(bins), third(bins), azimuth(bins);
    double worst_norm = 0;
    for (int i = 0; i < draws; i += width) {
        const k::heatbath_element e = k::draw_element(q, weight, place_of(i), 1, k::vmask_all());
        for (int j = 0; j < width; ++j) {
            const double g0 = e.g.a0[j], g1 = e.g.a1[j], g2 = e.g.a2[j], g3 = e.g.a3[j];
            worst_norm = std::max(worst_norm, std::abs(g0 * g0 + g1 * g1 + g2 * g2 + g3 * g3 - 1));
            const double h0 = g0 * u[0] - g1 * u[1] - g2 * u[2] - g3 * u[3];
            // h = g u: (a0 b0 - a.b, a0 b + b0 a - a x b)
            const double h1 = g0 * u[1] + u[0] * g1 - (g2 * u[3] - g3 * u[2]),
                         h2 = g0 * u[2] + u[0] * g2 - (g3 * u[1] - g1 * u[3]),
                         h3 = g0 * u[3] + u[0] * g3 - (g1 * u[2] - g2 * u[1]);
            const double size = std::sqrt(h1 * h1 + h2 * h2 + h3 * h3);
            const auto bin = [&](double x) { return std::clamp(int(bins * x), 0, bins - 1); };
            ++heights[bin(cumulative(h0))];
            ++third[bin((h3 / size + 1) / 2)]; // uniform on a sphere
            ++azimuth[bin(std::atan2(h2, h1) / (2 * std::numbers::pi) + 0.5)];
        }
    }
    CHECK(worst_norm < 1e-14);
    CHECK(chi2_of(heights) < most_chi2(bins));
    CHECK(chi2_of(third) < most_chi2(bins));
    CHECK(chi2_of(azimuth) < most_chi2(bins));
}

TEST_CASE("a reflection leaves the trace and is its own inverse", "[gauge]")
{
    const k::quaternion q =
        k::quaternion_make(k::vset(0.3), k::vset(-1.1), k::vset(0.2), k::vset(0.9));
    const k::quaternion g = k::reflection(q);
    // g q = |q|^2-fold conjugate: (q0, -q) where g is of unit length.
    const auto product0 = [](const k::quaternion& a, const k::quaternion& b) {
        return a.a0[0] * b.a0[0] - a.a1[0] * b.a1[0] - a.a2[0] * b.a2[0] - a.a3[0] * b.a3[0];
    };
    CHECK(std::abs(product0(g, q) - q.a0[0]) < 1e-15);
    CHECK(std::abs(k::quaternion_norm2(g)[0] - 1) < 1e-15);
    const k::quaternion none =
        k::reflection(k::quaternion_make(k::vset(0), k::vset(0), k::vset(0), k::vset(0)));
    CHECK(none.a0[0] == 1); // no staple: the link stays
}
