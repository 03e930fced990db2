#include "lattice/generated_gauge.hpp"

#include "base/random.hpp"
#include "lattice/link.hpp"

#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <numbers>

namespace qcd
{

using links::Complex;
using links::Link;

namespace
{

using LinkFunction = std::function<Link(std::uint64_t link)>;

class GeneratedGauge : public GaugeSource
{
public:
    GeneratedGauge(const Extents& lattice, std::string description, LinkFunction link,
                   bool completed = true)
        : GaugeSource(lattice, std::move(description)), link_(std::move(link)),
          completed_(completed)
    {
    }

    bool third_rows_are_completed() const override { return completed_; }

private:
    void read(const Box& box, std::span<double> links) override
    {
        const long sites = volume(box);
#pragma omp parallel for schedule(static) if (sites > 250)
        for (long i = 0; i < sites; ++i) {
            const std::uint64_t first = 4 * std::uint64_t(site_number(extents(), box, i));
            for (int mu = 0; mu < 4; ++mu)
                links::store(link_(first + mu), &links[(4 * i + mu) * links::reals_per_link]);
        }
    }

    LinkFunction link_;
    bool completed_;
};

/// The normal number pair of element (i, j) of a link.
Complex normal(std::uint64_t link, int i, int j, std::uint64_t seed)
{
    const auto [re, im] = normal_pair(9 * link + 3 * i + j, seed, Stream::links);
    return {re, im};
}

Link random_link(std::uint64_t link, std::uint64_t seed)
{
    Link u;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) u.e[i][j] = normal(link, i, j, seed);
    links::project(u);
    return u;
}

Link weak_link(std::uint64_t link, double eps, std::uint64_t seed)
{
    const double scale = eps / std::numbers::sqrt2;
    Link u;
    for (int i = 0; i < 3; ++i) {
        u.e[i][i] = {1, eps * normal(link, i, i, seed).re};
        for (int j = i + 1; j < 3; ++j) {
            const Complex h = normal(link, i, j, seed);
            u.e[i][j] = {-scale * h.im, scale * h.re}; // i eps h / sqrt(2)
            u.e[j][i] = {scale * h.im, scale * h.re};  // i eps conj(h) / sqrt(2)
        }
    }
    links::project(u);
    return u;
}

/// a b, rounded as numpy does on a machine with fma.
Complex fused(Complex a, Complex b)
{
    return {std::fma(a.re, b.re, -(a.im * b.im)), std::fma(a.re, b.im, a.im * b.re)};
}

Link gen_link(std::uint64_t link, std::uint64_t seed, double w)
{
    Link u{};
    for (int k = 0; k < 6; ++k) {
        const std::uint64_t n = 18 * link + 2 * k;
        const double diagonal = k / 3 == k % 3 ? w : 0;
        u.e[k / 3][k % 3] = {diagonal + uniform(n, seed), uniform(n + 1, seed)};
    }
    links::project_two_rows(u);
    const auto& [a, b, c] = u.e;
    for (int j = 0; j < 3; ++j) {
        const int k = (j + 1) % 3, l = (j + 2) % 3;
        u.e[2][j] = conj(fused(a[k], b[l]) - fused(a[l], b[k]));
    }
    return u;
}

} // namespace

std::unique_ptr<GaugeSource> unit_gauge(const Extents& lattice)
{
    return std::make_unique<GeneratedGauge>(lattice, "unit",
                                            [](std::uint64_t) { return links::unit(); });
}

std::unique_ptr<GaugeSource> random_gauge(const Extents& lattice, std::uint64_t seed)
{
    return std::make_unique<GeneratedGauge>(
        lattice, fmt::format("random:{}", seed),
        [=](std::uint64_t link) { return random_link(link, seed); });
}

std::unique_ptr<GaugeSource> weak_gauge(const Extents& lattice, double eps, std::uint64_t seed)
{
    return std::make_unique<GeneratedGauge>(
        lattice, fmt::format("weak:{},{}", eps, seed),
        [=](std::uint64_t link) { return weak_link(link, eps, seed); });
}

std::unique_ptr<GaugeSource> gen_gauge(const Extents& lattice, std::uint64_t seed, double w)
{
    return std::make_unique<GeneratedGauge>(
        lattice, fmt::format("gen:{},{}", seed, w),
        [=](std::uint64_t link) { return gen_link(link, seed, w); }, false);
}

} // namespace qcd
