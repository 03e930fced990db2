#include "base/random.hpp"

#include <cmath>
#include <numbers>

namespace qcd
{

namespace
{

double uniform_from_bits(std::uint64_t bits) { return double(bits >> 11) * 0x1p-53 - 0.5; }

/// Natural logarithm for 0 < s < 1: s = m 2^e with m about 1, log m = 2 artanh((m-1)/(m+1)).
double portable_log(double s)
{
    int e = 0;
    double m = std::frexp(s, &e);
    if (m < std::numbers::sqrt2 / 2) {
        m *= 2;
        e -= 1;
    }
    const double z = (m - 1) / (m + 1),
                 zz = z * z; // zz < 0.0295: the first term left out is < 1e-17
    double sum = 0;
    for (int k = 23; k >= 1; k -= 2) sum = sum * zz + 1.0 / k;
    return 2 * z * sum + e * std::numbers::ln2;
}

} // namespace

std::uint64_t splitmix64(std::uint64_t n)
{
    std::uint64_t z = (n + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

double uniform(std::uint64_t n, std::uint64_t seed)
{
    return uniform_from_bits(splitmix64(n + (seed << 32)));
}

std::array<double, 2> normal_pair(std::uint64_t counter, std::uint64_t seed, Stream stream)
{
    // Marsaglia's polar method. Each counter owns 64 draws; 32 rejections in a row have probability
    // 1e-21.
    const std::uint64_t key = splitmix64(splitmix64(seed) + std::uint64_t(stream)) + 64 * counter;
    for (std::uint64_t draw = 0; draw < 64; draw += 2) {
        const double v = 2 * uniform_from_bits(splitmix64(key + draw));
        const double w = 2 * uniform_from_bits(splitmix64(key + draw + 1));
        const double s = v * v + w * w;
        if (s >= 1 || s == 0) continue;
        const double scale = std::sqrt(-2 * portable_log(s) / s);
        return {v * scale, w * scale};
    }
    return {0, 0};
}

} // namespace qcd
