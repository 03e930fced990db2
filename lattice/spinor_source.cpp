#include "lattice/spinor_source.hpp"

#include "lattice/error.hpp"
#include "lattice/random.hpp"
#include "lattice/text.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace qcd
{

namespace
{

constexpr int components = 12;

std::uint64_t first_component(const Extents& lattice, const Coord& x)
{
    const std::uint64_t site =
        ((std::uint64_t(x[3]) * lattice[2] + x[2]) * lattice[1] + x[1]) * lattice[0] + x[0];
    return site * components;
}

class DetSource : public SpinorSource
{
public:
    DetSource(const Extents& lattice, std::uint64_t seed) : lattice_(lattice), seed_(seed) {}
    void site(const Coord& x, double out[24]) const override
    {
        const std::uint64_t first = 2 * first_component(lattice_, x);
        for (int n = 0; n < 2 * components; ++n) out[n] = uniform(first + n, seed_);
    }
    std::string description() const override { return fmt::format("det:{}", seed_); }

private:
    Extents lattice_;
    std::uint64_t seed_;
};

class RandomSource : public SpinorSource
{
public:
    RandomSource(const Extents& lattice, std::uint64_t seed) : lattice_(lattice), seed_(seed) {}
    void site(const Coord& x, double out[24]) const override
    {
        const std::uint64_t first = first_component(lattice_, x);
        for (int k = 0; k < components; ++k) {
            const auto [re, im] = normal_pair(first + k, seed_, Stream::spinors);
            out[2 * k] = re;
            out[2 * k + 1] = im;
        }
    }
    std::string description() const override { return fmt::format("random:{}", seed_); }

private:
    Extents lattice_;
    std::uint64_t seed_;
};

class PointSource : public SpinorSource
{
public:
    PointSource(const Coord& point, int spin, int colour)
        : point_(point), spin_(spin), colour_(colour)
    {
    }
    void site(const Coord& x, double out[24]) const override
    {
        std::fill(out, out + 2 * components, 0.0);
        if (x == point_) out[(spin_ * 3 + colour_) * 2] = 1;
    }
    std::string description() const override
    {
        const auto& [x, y, z, t] = point_;
        return fmt::format("point:{},{},{},{},{},{}", x, y, z, t, spin_, colour_);
    }

private:
    Coord point_;
    int spin_, colour_;
};

Error usage(std::string_view spec)
{
    return Error(fmt::format("source: {} is none of det:SEED, random[:SEED], "
                             "point:x,y,z,t,spin,colour",
                             qcd::quoted(spec)));
}

std::uint64_t parse_seed(std::string_view spec, std::string_view text)
{
    const auto seed = parse_number<std::uint64_t>(text);
    if (!seed) throw usage(spec);
    return *seed;
}

std::unique_ptr<SpinorSource> point_source(std::string_view spec, std::string_view text,
                                           const Extents& lattice)
{
    constexpr std::string_view names[6] = {"x", "y", "z", "t", "spin", "colour"};
    const int limits[6] = {lattice[0], lattice[1], lattice[2], lattice[3], 4, 3};
    const auto pieces = split(text, ',');
    if (pieces.size() != 6) throw usage(spec);
    int values[6];
    for (int i = 0; i < 6; ++i) {
        const auto value = parse_number<int>(pieces[i]);
        if (!value) throw usage(spec);
        if (*value < 0 || *value >= limits[i])
            throw Error(fmt::format("source: {}: {} = {} is not from 0 to {}", qcd::quoted(spec),
                                    names[i], *value, limits[i] - 1));
        values[i] = *value;
    }
    return std::make_unique<PointSource>(Coord{values[0], values[1], values[2], values[3]},
                                         values[4], values[5]);
}

} // namespace

std::unique_ptr<SpinorSource> open_spinor_source(std::string_view spec, const Extents& lattice)
{
    const std::size_t colon = spec.find(':');
    const std::string_view name = spec.substr(0, colon);
    if (spec == "random") return std::make_unique<RandomSource>(lattice, 1);
    if (colon == std::string_view::npos) throw usage(spec);
    const std::string_view arguments = spec.substr(colon + 1);
    if (name == "det") return std::make_unique<DetSource>(lattice, parse_seed(spec, arguments));
    if (name == "random")
        return std::make_unique<RandomSource>(lattice, parse_seed(spec, arguments));
    if (name == "point") return point_source(spec, arguments, lattice);
    throw usage(spec);
}

} // namespace qcd
