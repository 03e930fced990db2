#include "base/random.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace qcd;

TEST_CASE("splitmix64 and the uniform numbers are those of the conventions", "[random]")
{
    CHECK(splitmix64(0) == 0xe220a8397b1dcdafu);
    CHECK(splitmix64(1) == 0x6e789e6aa1b965f4u);
    CHECK(uniform(0, 0) == double(0xe220a8397b1dcdafu >> 11) * 0x1p-53 - 0.5);
    CHECK(uniform(3, 2) == uniform(3 + (2ull << 32), 0));
    for (std::uint64_t n = 0; n < 1000; ++n) {
        CHECK(uniform(n, 1) >= -0.5);
        CHECK(uniform(n, 1) < 0.5);
    }
}

TEST_CASE("normal numbers have the moments of N(0,1)", "[random]")
{
    constexpr int count = 200000;
    double mean = 0, variance = 0, fourth = 0, correlation = 0, beyond_two = 0;
    for (int c = 0; c < count; ++c) {
        const auto [a, b] = normal_pair(c, 5, Stream::links);
        mean += (a + b) / (2 * count);
        variance += (a * a + b * b) / (2 * count);
        fourth += (a * a * a * a + b * b * b * b) / (2 * count);
        correlation += a * b / count;
        beyond_two += ((std::abs(a) > 2) + (std::abs(b) > 2)) / (2.0 * count);
    }
    CHECK(std::abs(mean) < 0.01);
    CHECK(std::abs(variance - 1) < 0.01);
    CHECK(std::abs(fourth - 3) < 0.06);
    CHECK(std::abs(correlation) < 0.01);
    CHECK(std::abs(beyond_two - std::erfc(std::sqrt(2.0))) < 0.002);
}

TEST_CASE("normal numbers depend on counter, seed and stream", "[random]")
{
    const auto x = normal_pair(7, 1, Stream::links);
    CHECK(x == normal_pair(7, 1, Stream::links));
    CHECK(x != normal_pair(8, 1, Stream::links));
    CHECK(x != normal_pair(7, 2, Stream::links));
    CHECK(x != normal_pair(7, 1, Stream::spinors));
}
