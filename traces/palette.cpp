#include "traces/palette.hpp"

#include <fmt/format.h>

#include <array>
#include <map>

namespace qcd
{

namespace
{

struct Family {
    const char* words[7]; ///< one of them is in the name; null: no more
    Colour colour;
};

/// The first that fits.
constexpr Family families[] = {
    {{"hop", "stencil", "gemm"}, {31, 111, 180}},
    {{"faces", "xcopy"}, {230, 159, 0}},
    {{"scale", "fetch"}, {148, 133, 96}},
    {{"batch", "iterations_x", "operations_x"}, {120, 130, 145}},
    {{"merge", "dot", "norm2", "sums"}, {192, 57, 43}},
    {{"alpha", "beta", "omega", "scalar", "last_", "coefficients", "start"}, {155, 89, 182}},
    {{"update", "residual", "axpy", "xpay"}, {0, 158, 115}},
};
constexpr Colour others[] = {{86, 180, 233}, {204, 121, 167}, {176, 164, 30}, {80, 80, 80}};

int family_of(const std::string& name)
{
    for (int f = 0; f < int(std::size(families)); ++f)
        for (const char* word : families[f].words)
            if (word && name.find(word) != std::string::npos) return f;
    return -1;
}

/// The n-th shade: lighter, then darker.
Colour shade(const Colour& c, int n)
{
    constexpr std::array towards_white{0.0, 0.42, -0.32, 0.66, -0.55, 0.22};
    const double share = towards_white[std::size_t(n) % towards_white.size()];
    const auto mixed = [&](int part) {
        return int(share >= 0 ? part + share * (255 - part) : part * (1 + share));
    };
    return {mixed(c.red), mixed(c.green), mixed(c.blue)};
}

} // namespace

std::string Colour::hex() const { return fmt::format("#{:02x}{:02x}{:02x}", red, green, blue); }

std::vector<Colour> palette(const std::vector<std::string>& operations)
{
    std::map<int, int> used; // shades of a family
    std::vector<Colour> colours;
    for (const std::string& name : operations) {
        const int family = family_of(name), n = used[family]++;
        constexpr int more = int(std::size(others));
        colours.push_back(family >= 0 ? shade(families[family].colour, n)
                                      : shade(others[n % more], n / more));
    }
    return colours;
}

Colour colour_of_group(const std::string& group, bool lighter)
{
    const int family = family_of(group);
    return shade(family >= 0 ? families[family].colour : others[1], lighter);
}

} // namespace qcd
