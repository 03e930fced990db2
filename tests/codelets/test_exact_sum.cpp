// Exact sums (codelets/device/exact_sum.h, sum_pieces.h, sum_bins.h) against arithmetic that is
// exact by other means.

#include "codelets/device/sum_bins.h"
#include "tests/codelets/sums.hpp"
#include "tests/reference/fields.hpp"
#include "tests/seed.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
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

/// The sum as a warp of a GPU makes it (warp_sums.h): what two terms a lane add up in integers of
/// 32 bits, until nothing is left of them.
Buffer<i64> sum_of_pieces(std::vector<double> terms)
{
    Buffer<i64> sum(QCD_SUM_WORDS);
    for (int rounds = 0; std::any_of(terms.begin(), terms.end(), [](double x) { return x != 0; });
         ++rounds) {
        REQUIRE(rounds < 100);
        int largest = 0;
        for (const double x : terms) largest = std::max(largest, size_of_term(x));
        for (double& x : terms) {
            if (size_of_term(x) < QCD_TOO_LARGE) continue;
            accumulate(sum.data(), x);
            x = 0;
        }
        const int first = first_place(largest);
        for (int i = 0; i < QCD_PIECES; ++i) {
            const int place = piece_place(first, i);
            i64 units = 0;
            for (double& x : terms) {
                const cut_term cut = cut_off(x, piece_cutter(place));
                units += cut.units;
                x = cut.rest;
            }
            REQUIRE(units == int(units));
            const int lowest = piece_place(first, QCD_PIECES - 1) >> 5;
            for (int word = lowest; word < lowest + QCD_PIECE_WORDS; ++word)
                sum[word] += word_of_units(units, place, word);
        }
    }
    return canonical(sum);
}

/// The sum as a lane of a GPU makes it (launch/lane_sums.h), its bins for terms like the
/// first, in units of the words; what they do not hold is added as it is.
Buffer<i64> sum_of_bins(const std::vector<double>& terms, int* rests)
{
    Buffer<i64> sum(QCD_SUM_WORDS);
    sum_bins bins = empty_bins(first_bin(size_of_term(terms[0])));
    for (const double x : terms) {
        const double rest = add_to_bins(&bins, x);
        accumulate(sum.data(), rest);
        *rests += rest != 0;
    }
    int word = bins.first;
    for (const double bin : {bins.low, bins.middle, bins.high}) {
        const i64 units = units_in_bin(bin, word);
        REQUIRE(std::abs(units) <= 1L << 49);
        sum[word] += units & 0xffffffff;
        sum[++word] += units >> 32;
    }
    return canonical(sum);
}

} // namespace

TEST_CASE("exact sum: kept in bins", "[exact_sum]")
{
    std::mt19937_64 random(seed(6));
    constexpr int count = QCD_BIN_TERMS;
    const auto rests_of = [](const std::vector<double>& terms) {
        const Accumulator a = accumulated(terms);
        Buffer<i64> expected(QCD_SUM_WORDS);
        std::copy(a.begin(), a.end(), expected.begin());
        int rests = 0;
        if (sum_of_bins(terms, &rests) != canonical(expected)) FAIL("terms like " << terms[0]);
        return rests;
    };
    for (int exponent = -1074; exponent < 1023; ++exponent) {
        std::vector<double> terms(count, std::ldexp(2 - 0x1p-52, exponent));
        CHECK(rests_of(terms) == (exponent < 2003 - 1023 ? 0 : count)); // too large
        const double sign = random() & 1 ? -1 : 1;
        for (double& x : terms)
            x = sign * std::ldexp(1 + double(random() >> 12) * 0x1p-52, exponent);
        const double first = terms[0];
        for (double& x : terms) x = std::ldexp(x, int(random() % 19) - 14); // 2^-14 to 2^4
        terms[0] = first;
        if (exponent > -1000 && exponent + 4 < 2000 - 1023) CHECK(rests_of(terms) == 0);
    }
    for (int round = 0; round < 200; ++round) {
        for (const int spread : {20, 100, 900})
            for (const int lowest : {-1127, -1000, -30, 0, 60})
                rests_of(doubles_within(random, 64, spread, lowest));
        std::vector<double> terms(64);
        for (double& x : terms) x = any_double(random);
        rests_of(terms);
    }
    CHECK(rests_of({0.0, -0.0, 1}) == 1);
    CHECK(rests_of({1, infinite, tiny, -infinite, not_a_number}) == 4);
}

TEST_CASE("exact sum: cut into pieces that lanes add up", "[exact_sum]")
{
    std::mt19937_64 random(seed(5));
    constexpr int count = 64;
    std::vector<std::vector<double>> all;
    for (int round = 0; round < 200; ++round) {
        for (const int spread : {0, 3, 20, 100, 900})
            for (const int lowest : {-1127, -1000, -30, 0, 60})
                all.push_back(doubles_within(random, count, spread, lowest));
        all.emplace_back(count);
        for (double& x : all.back()) x = any_double(random);
    }
    // the largest numbers of units, and halves of them, which are rounded
    for (int exponent = -1074; exponent < 1023; ++exponent)
        for (const double sign : {1.0, -1.0})
            for (const double x : {1.0, 2 - 0x1p-52, 1 + 0x1p-25, 1.5 + 0x1p-25 + 0x1p-50})
                all.push_back(std::vector<double>(count, sign * std::ldexp(x, exponent)));
    all.push_back({tiny, -tiny, smallest_normal, huge, huge, -1, 0, -0.0});
    all.push_back({1, infinite, -infinite, 2});
    all.push_back({1, not_a_number, tiny, huge});
    for (const auto& terms : all) {
        const Accumulator a = accumulated(terms);
        Buffer<i64> expected(QCD_SUM_WORDS);
        std::copy(a.begin(), a.end(), expected.begin());
        if (sum_of_pieces(terms) != canonical(expected)) FAIL("terms like " << terms[0]);
    }
}

TEST_CASE("exact sum: one term comes back as it is", "[exact_sum]")
{
    std::mt19937_64 random(seed(1));
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
    std::mt19937_64 random(seed(2));
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
    std::mt19937_64 random(seed(3));
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
    std::mt19937_64 random(seed(4));
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
