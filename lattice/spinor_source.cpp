#include "lattice/spinor_source.hpp"

#include "base/error.hpp"
#include "base/random.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace qcd
{

namespace
{

constexpr int components = 12;
constexpr std::uint64_t default_source_seed = 1;

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

class WallSource : public SpinorSource
{
public:
    WallSource(int t, int spin, int colour) : t_(t), spin_(spin), colour_(colour) {}
    void site(const Coord& x, double out[24]) const override
    {
        std::fill(out, out + 2 * components, 0.0);
        if (x[3] == t_) out[(spin_ * 3 + colour_) * 2] = 1;
    }
    std::string description() const override
    {
        return fmt::format("wall:{},{},{}", t_, spin_, colour_);
    }

private:
    int t_, spin_, colour_;
};

class TimesliceSource : public SpinorSource
{
public:
    TimesliceSource(const Extents& lattice, int t, std::uint64_t seed)
        : random_(lattice, seed), t_(t), seed_(seed)
    {
    }
    void site(const Coord& x, double out[24]) const override
    {
        if (x[3] == t_)
            random_.site(x, out);
        else
            std::fill(out, out + 2 * components, 0.0);
    }
    std::string description() const override { return fmt::format("timeslice:{},{}", t_, seed_); }

private:
    RandomSource random_;
    int t_;
    std::uint64_t seed_;
};

Error usage(std::string_view spec)
{
    return Error("source: {} is none of det:SEED, random[:SEED], "
                 "point:x,y,z,t,spin,colour, wall:t,spin,colour, timeslice:t[,SEED]",
                 qcd::quoted(spec));
}

std::uint64_t parse_seed(std::string_view spec, std::string_view text)
{
    const auto seed = parse_number<std::uint64_t>(text);
    if (!seed) throw usage(spec);
    return *seed;
}

/// A whole number that a specification gives, and how many of them there are.
struct Place {
    std::string_view name;
    int limit;
};

template <std::size_t N>
std::array<int, N> parse_places(std::string_view spec, std::string_view text,
                                const std::array<Place, N>& places)
{
    const auto pieces = split(text, ',');
    if (pieces.size() != N) throw usage(spec);
    std::array<int, N> values;
    for (std::size_t i = 0; i < N; ++i) {
        const auto value = parse_number<int>(pieces[i]);
        if (!value) throw usage(spec);
        if (*value < 0 || *value >= places[i].limit)
            throw Error("source: {}: {} = {} is not from 0 to {}", qcd::quoted(spec),
                        places[i].name, *value, places[i].limit - 1);
        values[i] = *value;
    }
    return values;
}

constexpr Place spin_place{"spin", 4}, colour_place{"colour", 3};

std::unique_ptr<SpinorSource> point_source(std::string_view spec, std::string_view text,
                                           const Extents& l)
{
    const auto [x, y, z, t, spin, colour] =
        parse_places<6>(spec, text,
                        {Place{"x", l[0]}, Place{"y", l[1]}, Place{"z", l[2]}, Place{"t", l[3]},
                         spin_place, colour_place});
    return std::make_unique<PointSource>(Coord{x, y, z, t}, spin, colour);
}

std::unique_ptr<SpinorSource> wall_source(std::string_view spec, std::string_view text,
                                          const Extents& l)
{
    const auto [t, spin, colour] =
        parse_places<3>(spec, text, {Place{"t", l[3]}, spin_place, colour_place});
    return std::make_unique<WallSource>(t, spin, colour);
}

std::unique_ptr<SpinorSource> timeslice_source(std::string_view spec, std::string_view text,
                                               const Extents& l)
{
    const std::size_t comma = text.find(',');
    const auto [t] = parse_places<1>(spec, text.substr(0, comma), {Place{"t", l[3]}});
    const std::uint64_t seed = comma == std::string_view::npos
                                   ? default_source_seed
                                   : parse_seed(spec, text.substr(comma + 1));
    return std::make_unique<TimesliceSource>(l, t, seed);
}

} // namespace

bool is_generated_source(std::string_view spec)
{
    const std::string_view name = spec.substr(0, spec.find(':'));
    return name == "det" || name == "random" || name == "point" || name == "wall" ||
           name == "timeslice";
}

std::unique_ptr<SpinorSource> open_spinor_source(std::string_view spec, const Extents& lattice)
{
    const std::size_t colon = spec.find(':');
    const std::string_view name = spec.substr(0, colon);
    if (spec == "random") return std::make_unique<RandomSource>(lattice, default_source_seed);
    if (colon == std::string_view::npos) throw usage(spec);
    const std::string_view arguments = spec.substr(colon + 1);
    if (name == "det") return std::make_unique<DetSource>(lattice, parse_seed(spec, arguments));
    if (name == "random")
        return std::make_unique<RandomSource>(lattice, parse_seed(spec, arguments));
    if (name == "point") return point_source(spec, arguments, lattice);
    if (name == "wall") return wall_source(spec, arguments, lattice);
    if (name == "timeslice") return timeslice_source(spec, arguments, lattice);
    throw usage(spec);
}

} // namespace qcd
