#include "lattice/twist.hpp"

#include "base/text.hpp"
#include "lattice/box.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace qcd
{

namespace
{

double cos_pi(double x)
{
    const double a = std::abs(std::remainder(x, 2)); // 0 to 1
    if (a <= 0.25) return std::cos(std::numbers::pi * a);
    if (a < 0.75) return std::sin(std::numbers::pi * (0.5 - a));
    return -std::cos(std::numbers::pi * (1 - a));
}

} // namespace

std::optional<Theta> parse_theta(std::string_view text)
{
    constexpr double most = 1e6;
    Theta theta{};
    for (std::size_t mu = 0; mu < theta.size(); ++mu) {
        const std::size_t end = mu + 1 < theta.size() ? text.find(',') : text.size();
        const auto number = parse_number<double>(text.substr(0, end));
        if (end == text.npos || !number || !(std::abs(*number) <= most)) return std::nullopt;
        theta[mu] = *number;
        text.remove_prefix(std::min(text.size(), end + 1));
    }
    return theta;
}

std::complex<double> unit_phase(double theta) { return {cos_pi(theta), cos_pi(theta - 0.5)}; }

void twist_slice(const Extents& l, const Theta& theta, int t, std::span<double> links)
{
    std::size_t at = 0;
    for_each_site(time_slice(l, t), [&](const Coord& c) {
        for (int mu = 0; mu < 4; ++mu, at += 18) {
            if (theta[mu] == 0 || c[mu] != l[mu] - 1) continue;
            const std::complex<double> f = unit_phase(theta[mu]);
            for (std::size_t i = at; i < at + 18; i += 2) {
                const double re = links[i], im = links[i + 1];
                links[i] = f.real() * re - f.imag() * im;
                links[i + 1] = f.real() * im + f.imag() * re;
            }
        }
    });
}

} // namespace qcd
