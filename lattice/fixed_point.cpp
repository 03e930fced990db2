#include "lattice/fixed_point.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace qcd::fixed_point
{

namespace
{

constexpr int offset = 1 << 15, most = offset - 1;
constexpr int least_unit = -126, most_unit = 104; // exponents
constexpr double link_unit = (1 + 0x1p-15) * 0x1p-15;

std::uint32_t word(double re, double im)
{
    const auto half = [](double q) { return std::uint32_t(int(q) + offset); };
    return half(re) | half(im) << 16;
}
int low(std::uint32_t w) { return int(w & 0xffff) - offset; }
int high(std::uint32_t w) { return int(w >> 16) - offset; }

/// The exponent of the unit for numbers up to this size.
int unit_for(double largest)
{
    int exponent = 0;
    std::frexp(largest, &exponent);
    exponent = std::max(exponent - 15, least_unit);
    return std::nearbyint(std::ldexp(largest, -exponent)) > most ? exponent + 1 : exponent;
}

} // namespace

Spinor of_spinor(const double reals[24])
{
    double largest = 0;
    for (int i = 0; i < 24; ++i) {
        const double size = std::abs(reals[i]);
        if (!(size <= largest)) largest = size;
        if (size != size) break; // no number
    }
    Spinor s{};
    float unit = std::numeric_limits<float>::quiet_NaN();
    if (const int exponent = largest < 0x1p119 ? unit_for(largest) : most_unit + 1;
        exponent <= most_unit) {
        unit = float(std::ldexp(1, exponent));
        for (int c = 0; c < 12; ++c)
            s[c] = word(std::nearbyint(std::ldexp(reals[2 * c], -exponent)),
                        std::nearbyint(std::ldexp(reals[2 * c + 1], -exponent)));
    }
    std::memcpy(&s[12], &unit, sizeof unit);
    return s;
}

void to_reals(const Spinor& s, double reals[24])
{
    float unit;
    std::memcpy(&unit, &s[12], sizeof unit);
    for (int c = 0; c < 12; ++c) {
        reals[2 * c] = low(s[c]) * double(unit);
        reals[2 * c + 1] = high(s[c]) * double(unit);
    }
}

std::uint32_t of_link(double re, double im)
{
    const auto q = [](double x) {
        const double q = std::nearbyint(x / link_unit);
        return q == q ? std::clamp(q, -double(most), double(most)) : 0; // the caller's to refuse
    };
    return word(q(re), q(im));
}

std::array<double, 2> link_of(std::uint32_t w)
{
    // Products of floats: g++ 12 leaves out the rounding of doubles to float and back where it
    // vectorises straight-line code.
    constexpr float unit = link_unit; // exact, as q is
    return {float(low(w)) * unit, float(high(w)) * unit};
}

} // namespace qcd::fixed_point
