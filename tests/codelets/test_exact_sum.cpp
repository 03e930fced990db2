// Exact sums (codelets/device/exact_sum.h) against arithmetic that is exact by other means.

#include "tests/codelets/sums.hpp"
#include "tests/reference/fields.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <random>

using namespace qcd;
using namespace qcd::test;

namespace
{

constexpr double tiny = 0x1p-1074, smallest_normal = 0x1p-1022;
constexpr double huge = std::numeric_limits<double>::max(), half_ulp_of_huge = 0x1p970;
constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

using Accumulator = std::array<i64, QCD_SUM_WORDS>;

Accumulator accumulated(const std::vector<double>& terms)
{
    Accumulator a{};
    for (const double x : terms) accumulate(a.data(), x);
    return a;
}

double sum(const std::vector<double>& terms) { return round_exact_sum(accumulated(terms).data()); }

/// Any finite double: all exponents and signs alike.
double any_double(std::mt19937_64& random)
{
    for (;;) {
        const double x = double_of_bits(random());
        if (std::isfinite(x)) return x;
    }
}

/// Random signs and mantissas, exponents from 0 to `spread`.
std::vector<double> doubles_within(std::mt19937_64& random, int count, int spread, int lowest)
{
    std::vector<double> x(count);
    for (double& v : x) {
        const double mantissa = double(i64(random()) >> 11); // 53 bits
        v = std::ldexp(mantissa, lowest + int(random() % (spread + 1)));
    }
    return x;
}

} // namespace

TEST_CASE("exact sum: one term comes back as it is", "[exact_sum]")
{
    std::mt19937_64 random(1);
    for (int i = 0; i < 20000; ++i) {
        const double x = any_double(random);
        CHECK(sum({x}) == x);
    }
    for (const double x :
         {tiny, -tiny, 3 * tiny, smallest_normal, smallest_normal - tiny, huge, -huge, 1.0})
        CHECK(sum({x}) == x);
    CHECK(sum({}) == 0);
    CHECK(sum({0.0, -0.0}) == 0);
}

TEST_CASE("exact sum: equals 113-bit arithmetic where that is exact", "[exact_sum]")
{
    std::mt19937_64 random(2);
    const int lowest = GENERATE(-1074, -1060, -600, -53, 0, 900); // subnormal to huge
    for (int round = 0; round < 500; ++round) {
        const auto terms = doubles_within(random, 1 + round % 64, 50, lowest); // 53 + 50 + 6 bits
        __float128 exact = 0;
        for (const double x : terms) exact += x;
        CHECK(sum(terms) == double(exact)); // the conversion rounds once, to nearest even
    }
}

TEST_CASE("exact sum: what cancels leaves nothing behind", "[exact_sum]")
{
    std::mt19937_64 random(3);
    for (int round = 0; round < 200; ++round) {
        const auto rest = doubles_within(random, 5, 40, -53 + int(random() % 900) - 450);
        __float128 exact = 0;
        for (const double x : rest) exact += x;
        std::vector<double> terms = rest;
        for (int i = 0; i < 50; ++i) {
            const double x = any_double(random);
            terms.insert(terms.end(), {x, -x});
        }
        std::shuffle(terms.begin(), terms.end(), random);
        CHECK(sum(terms) == double(exact));
    }
    CHECK(sum({huge, tiny, -huge}) == tiny);
    CHECK(sum({huge, huge, -huge, -huge, -3 * tiny}) == -3 * tiny);
    CHECK(sum({1e300, 1, -1e300}) == 1);
}

TEST_CASE("exact sum: neither order nor parts matter", "[exact_sum]")
{
    std::mt19937_64 random(4);
    std::vector<double> terms(1000);
    for (double& x : terms) x = any_double(random);
    const Accumulator all = accumulated(terms);
    for (int round = 0; round < 20; ++round) {
        std::shuffle(terms.begin(), terms.end(), random);
        CHECK(accumulated(terms) == all); // word by word, not only the value
        const auto cut = terms.begin() + long(random() % terms.size());
        Accumulator a = accumulated({terms.begin(), cut});
        const Accumulator b = accumulated({cut, terms.end()});
        for (int i = 0; i < QCD_SUM_WORDS; ++i) a[i] += b[i];
        CHECK(a == all);
    }
}

TEST_CASE("exact sum: ties go to even, anything beyond a tie does not", "[exact_sum]")
{
    const double sign = GENERATE(1.0, -1.0);
    const double one =
        GENERATE(0x1p53, 0x1p60, 0x1p-900, 0x1p1023, 0x1p85); // different places in a word
    const double ulp = one * 0x1p-52, half = ulp / 2;
    CHECK(sum({sign * one, sign * half}) == sign * one);
    CHECK(sum({sign * (one + ulp), sign * half}) == sign * (one + 2 * ulp));
    CHECK(sum({sign * one, sign * half, sign * tiny}) == sign * (one + ulp));
    CHECK(sum({sign * one, sign * half, -sign * tiny}) == sign * one);
    CHECK(sum({sign * (one + ulp), sign * half, -sign * tiny}) == sign * (one + ulp));
    // below a power of two the unit is half as large
    CHECK(sum({sign * one, -sign * half / 2}) == sign * one);
    CHECK(sum({sign * one, -sign * half / 2, -sign * tiny}) == sign * (one - half));
    CHECK(sum({sign * one, -sign * half / 2, sign * tiny}) == sign * one);
}

TEST_CASE("exact sum: subnormal and overflowing results", "[exact_sum]")
{
    const double sign = GENERATE(1.0, -1.0);
    CHECK(sum({sign * smallest_normal, -sign * tiny}) == sign * (smallest_normal - tiny));
    CHECK(sum({sign * tiny, sign * tiny}) == sign * 2 * tiny);
    CHECK(sum({sign * (smallest_normal - tiny), sign * tiny}) == sign * smallest_normal);
    CHECK(sum({sign * huge, sign * half_ulp_of_huge / 2}) == sign * huge);
    CHECK(sum({sign * huge, sign * half_ulp_of_huge, -sign * tiny}) == sign * huge);
    CHECK(sum({sign * huge, sign * half_ulp_of_huge}) == sign * infinite); // a tie, and huge is odd
    CHECK(sum({sign * huge, sign * huge, sign * huge}) == sign * infinite);
    CHECK(sum({sign * huge, sign * huge, -sign * huge}) == sign * huge); // no overflow on the way
}

TEST_CASE("exact sum: not a number as soon as a term is not finite", "[exact_sum]")
{
    CHECK(std::isnan(sum({1, infinite, 2})));
    CHECK(std::isnan(sum({infinite, -infinite})));
    CHECK(std::isnan(sum({not_a_number})));
    CHECK(std::isnan(sum({-not_a_number, 1e300})));
}

TEST_CASE("exact sum: 2^31 terms fit", "[exact_sum]")
{
    const double sign = GENERATE(1.0, -1.0);
    const double x = GENERATE(1 - 0x1p-53, 0x1.fffffffffffffp31, 0x1.fffffffffffffp40, tiny, 0.1,
                              0x1.fffffffffffffp991);
    Accumulator a{};
    accumulate(a.data(), sign * x, i64(1) << 31);
    CHECK(round_exact_sum(a.data()) == sign * x * 0x1p31);
}
