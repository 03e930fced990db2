// Sums over sites, on every backend: right, exact whatever the terms, and honest about what is not
// finite.

#include "codelets/dot/dot.hpp"
#include "tests/codelets/blocks.hpp"
#include "tests/codelets/sums.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <type_traits>

using namespace qcd;
using namespace qcd::test;
using ref::Complex;
using ref::Spinors;

namespace
{

/// Sums of `size` products of at most 1/2: a site's 12 are added up in double, sites exactly.
void check_sum(double value, double expected, std::size_t size)
{
    CHECK(std::abs(value - expected) <= eps<F64>(6) * double(size));
}

/// Kinds of terms: alike (more than a vectorised sum takes at once), of all exponents, growing, a
/// huge one before tiny ones, with rare outliers, near the least and the largest.
enum class Wild { alike, anything, growing, falling, outliers, least, largest };

template <class Real>
Spinors wild_sites(Wild kind, long blocks, int seed)
{
    const int range =
        std::is_same_v<Real, double> ? 500 : 60; // products stay finite, and lose bits below
    Spinors z = random_sites<Real>(blocks, seed);
    for (std::size_t k = 0; k < z.size(); ++k) {
        const double r = ref::uniform(k, seed + 100);
        const int exponent = kind == Wild::anything ? int(2 * range * r)
                             : kind == Wild::growing
                                 ? int(range * (2.0 * double(k) / double(z.size()) - 1))
                             : kind == Wild::falling  ? (k < 12 ? 9 * range / 10 : -range / 3)
                             : kind == Wild::outliers ? (r > 0.499    ? range
                                                         : r < -0.499 ? -range
                                                                      : 0)
                             : kind == Wild::least    ? -range - int(30 * (r + 0.5))
                             : kind == Wild::largest  ? range + int(5 * r)
                                                      : 0;
        z[k] *= std::ldexp(1.0, exponent);
    }
    return z;
}

/// (a|b) of one site as the kernels' contract has it: a chain of fma in the order of the
/// components.
void add_site(i64* sums, const Complex* a, const Complex* b)
{
    double re = 0, im = 0;
    for (int k = 0; k < 12; ++k) {
        re = std::fma(a[k].imag(), b[k].imag(), std::fma(a[k].real(), b[k].real(), re));
        im = std::fma(-a[k].imag(), b[k].real(), std::fma(a[k].real(), b[k].imag(), im));
    }
    accumulate(sums, re);
    accumulate(sums + QCD_SUM_WORDS, im);
}

} // namespace

TEMPLATE_TEST_CASE("dot: (x|y), |y|^2, |x|^2", "[codelets]", F64, F32, F16)
{
    using Real = typename TestType::Real;
    const int blocks = sizes();
    const bool both = GENERATE(true, false);
    const Spinors x = random_sites<Real>(blocks, 1), y = random_sites<Real>(blocks, 2);
    on_every_backend([&](const Backend& backend) {
        auto sums = poisoned_sums();
        const auto y_field = to_blocks<Real>(y);
        backend.run(dot_codelet(TestType::precision), dot_args{blocks},
                    {in(to_blocks<Real>(x)), both ? in(y_field) : absent, out(sums)});
        const Complex xy = both ? inner(x, y) : 0;
        check_sum(value_of(sums, 0), xy.real(), x.size());
        check_sum(value_of(sums, 1), xy.imag(), x.size());
        check_sum(value_of(sums, 2), both ? norm2(y) : 0, x.size());
        check_sum(value_of(sums, 3), norm2(x), x.size());
        CHECK(value_of(sums, 4) == 0);
        return bytes_of(canonical(sums));
    });
}

TEMPLATE_TEST_CASE("sums over what is not finite are not a number", "[codelets]", F64, F32)
{
    using Real = typename TestType::Real;
    const Real bad =
        GENERATE(std::numeric_limits<Real>::quiet_NaN(), std::numeric_limits<Real>::infinity());
    const auto x = to_blocks<Real>(random_sites<Real>(3, 1));
    auto y = x;
    y[100] = bad;
    on_every_backend([&](const Backend& backend) {
        auto sums = poisoned_sums();
        backend.run(dot_codelet(TestType::precision), dot_args{3}, {in(x), in(y), out(sums)});
        CHECK(std::isnan(value_of(sums, 0)));
        CHECK(std::isnan(value_of(sums, 2)));
        CHECK(value_of(sums, 3) > 0);
        return bytes_of(canonical(sums));
    });
}

TEMPLATE_TEST_CASE("sums over sites are exact, whatever the terms", "[codelets]", F64, F32)
{
    using Real = typename TestType::Real;
    const Wild kind = GENERATE(Wild::alike, Wild::anything, Wild::growing, Wild::falling,
                               Wild::outliers, Wild::least, Wild::largest);
    // 4800 sites, 600 registers of 8; more blocks than an H200 takes at once: 3 or 4 for each warp
    const int blocks = GENERATE(150, 4000);
    if (blocks > 150 && (kind == Wild::least || kind == Wild::largest)) return;
    const Spinors x = wild_sites<Real>(kind, blocks, 1), y = wild_sites<Real>(kind, blocks, 2);
    Buffer<i64> xy(2 * QCD_SUM_WORDS);
    for (std::size_t s = 0; s < x.size(); s += 12) add_site(xy.data(), &x[s], &y[s]);
    xy = canonical(xy);
    on_every_backend([&](const Backend& backend) {
        auto sums = poisoned_sums();
        backend.run(dot_codelet(TestType::precision), dot_args{blocks},
                    {in(to_blocks<Real>(x)), in(to_blocks<Real>(y)), out(sums)});
        sums = canonical(sums);
        INFO(backend.name());
        CHECK(std::equal(xy.begin(), xy.end(), sums.begin()));
        return bytes_of(sums);
    });
}
