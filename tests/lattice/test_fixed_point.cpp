// Numbers in 16 bits, checked by hand.

#include "lattice/fixed_point.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

using namespace qcd;

namespace
{

using Reals = std::array<double, 24>;

fixed_point::Spinor stored(double first, double second, double other = 0)
{
    Reals r;
    r.fill(other);
    r[0] = first;
    r[1] = second;
    return fixed_point::of_spinor(r.data());
}
float unit_of(const fixed_point::Spinor& s) { return std::bit_cast<float>(s[12]); }
int low(std::uint32_t w) { return int(w & 0xffff) - 32768; }
int high(std::uint32_t w) { return int(w >> 16) - 32768; }
Reals read(const fixed_point::Spinor& s)
{
    Reals r;
    fixed_point::to_reals(s, r.data());
    return r;
}

} // namespace

TEST_CASE("fixed point: the unit is the power of two that suits the largest number of a site")
{
    CHECK(unit_of(stored(1, -0.5)) == 0x1p-14f);
    CHECK(low(stored(1, -0.5)[0]) == 16384);
    CHECK(high(stored(1, -0.5)[0]) == -8192);
    CHECK(unit_of(stored(0.25, 1.75)) == 0x1p-14f);
    CHECK(unit_of(stored(0.25, -2)) == 0x1p-13f);
    CHECK(unit_of(stored(0, 0, 3e-5)) == 0x1p-30f);
    // What would be rounded to 2^15 units has the next one.
    CHECK(low(stored(2 - 0x1p-14, 0)[0]) == 32767);
    CHECK(low(stored(2 - 0x1.000002p-15, 0)[0]) == 32767);
    CHECK(low(stored(2 - 0x1p-15, 0)[0]) == 16384);
    CHECK(unit_of(stored(2 - 0x1p-15, 0)) == 0x1p-13f);
}

TEST_CASE("fixed point: half-way goes to the even number")
{
    CHECK(high(stored(1, 0x1p-15)[0]) == 0);
    CHECK(high(stored(1, 3 * 0x1p-15)[0]) == 2);
    CHECK(high(stored(1, -5 * 0x1p-15)[0]) == -2);
    CHECK(read(stored(1, 0x1.8p-14))[1] == 0x1p-13);
}

TEST_CASE("fixed point: 0, the smallest, huge ones and what is no number")
{
    CHECK(read(stored(0, 0)) == Reals{});
    CHECK(!std::signbit(read(stored(-0.0, 0))[0]));
    CHECK(read(stored(0x1p-126, 0x1p-127))[0] == 0x1p-126);
    CHECK(read(stored(0x1p-126, 0x1p-127))[1] == 0);
    const double most = 0x1p119 - 0x1.8p103; // 32767 units and a half would be the next
    CHECK(unit_of(stored(most, 0)) == 0x1p104f);
    CHECK(read(stored(most, 0))[0] == 32767 * 0x1p104);
    for (const double none : {0x1p119, -0x1p119, 1e300, HUGE_VAL, double(NAN)}) {
        const Reals r = read(stored(1, none, 1));
        CHECK(std::all_of(r.begin(), r.end(), [](double x) { return x != x; }));
    }
}

TEST_CASE("fixed point: links, whose 1 is exact")
{
    const auto kept = [](double re, double im) {
        return fixed_point::link_of(fixed_point::of_link(re, im));
    };
    CHECK(kept(1, -1) == std::array<double, 2>{1, -1});
    CHECK(kept(0, 1 + 1e-15) == std::array<double, 2>{0, 1});
    for (double x = -1; x <= 1; x += 0.01) {
        CHECK(std::abs(kept(x, 0.5)[0] - x) <= 0x1p-16 * 1.0001);
        CHECK(kept(x, 0.5)[0] == double(float(kept(x, 0.5)[0])));
    }
}
