#include "lattice/gauge_source.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "lattice/files/gauge_file.hpp"
#include "lattice/generated_gauge.hpp"
#include "lattice/link.hpp"

#include <cmath>

namespace qcd
{

namespace
{

constexpr std::uint64_t default_seed = 1;
constexpr double largest_parameter = 1e6; ///< of EPS and W: beyond, squares lose all meaning

/// "name" and the pieces after the colon, as in weak:0.2,7.
struct Spec {
    std::string_view text, name;
    std::vector<std::string_view> arguments;
};

Spec parse_spec(std::string_view text)
{
    const std::size_t colon = text.find(':');
    Spec spec{text, text.substr(0, colon), {}};
    if (colon != std::string_view::npos) spec.arguments = split(text.substr(colon + 1), ',');
    return spec;
}

Error usage(const Spec& spec, std::string_view form)
{
    return Error("gauge: {} is not of the form {}", qcd::quoted(spec.text), form);
}

std::uint64_t seed_argument(const Spec& spec, std::size_t index, std::string_view form)
{
    if (index >= spec.arguments.size()) return default_seed;
    const auto seed = parse_number<std::uint64_t>(spec.arguments[index]);
    if (!seed) throw usage(spec, form);
    return *seed;
}

double real_argument(const Spec& spec, std::size_t index, std::string_view form)
{
    const auto value = parse_number<double>(spec.arguments[index]);
    if (!value || !(std::abs(*value) <= largest_parameter)) throw usage(spec, form);
    return *value;
}

std::unique_ptr<GaugeSource> generated(const Spec& spec, const Extents& lattice)
{
    const std::size_t count = spec.arguments.size();
    if (spec.name == "unit") {
        if (count > 0) throw usage(spec, "unit");
        return unit_gauge(lattice);
    }
    if (spec.name == "random") {
        constexpr std::string_view form = "random[:SEED], SEED from 0 to 2^64-1";
        if (count > 1) throw usage(spec, form);
        return random_gauge(lattice, seed_argument(spec, 0, form));
    }
    if (spec.name == "weak") {
        constexpr std::string_view form = "weak:EPS[,SEED], such as weak:0.2";
        if (count < 1 || count > 2) throw usage(spec, form);
        const double eps = real_argument(spec, 0, form);
        return weak_gauge(lattice, eps, seed_argument(spec, 1, form));
    }
    if (spec.name == "quenched")
        throw Error(fmt::format("gauge: {} is not made here", qcd::quoted(spec.text)));
    constexpr std::string_view form = "gen:SEED,W, such as gen:7,1";
    if (count != 2) throw usage(spec, form);
    const std::uint64_t seed = seed_argument(spec, 0, form);
    return gen_gauge(lattice, seed, real_argument(spec, 1, form));
}

} // namespace

GaugeSource::GaugeSource(const Extents& extents, std::string description)
    : extents_(extents), description_(std::move(description))
{
}

std::size_t GaugeSource::slice_reals() const
{
    return std::size_t(volume(extents_) / extents_[3]) * links::reals_per_site;
}

void GaugeSource::finish(const GaugeObservables&) {}

void GaugeSource::read_box(const Box& box, std::span<double> links)
{
    if (!lies_in(extents_, box))
        throw Error("{}: asked for a box {}, the lattice is {}", description_, to_string(box),
                    to_string(extents_));
    if (links.size() != volume(box) * links::reals_per_site)
        throw Error("{}: a box {} has {} reals, not {}", description_, to_string(box),
                    volume(box) * links::reals_per_site, links.size());
    read(box, links);
}

void GaugeSource::read_slice(int t, std::span<double> links)
{
    read_box(time_slice(extents_, t), links);
}

int GaugeSource::slice_of(const Box& box) const
{
    if (box.extents != time_slice(extents_, box.lower[3]).extents)
        throw Error("{}: a box {} is not a time slice of {}", description_, to_string(box),
                    to_string(extents_));
    return box.lower[3];
}

bool is_generated(std::string_view spec)
{
    const std::string_view name = spec.substr(0, spec.find(':'));
    return name == "unit" || name == "random" || name == "weak" || name == "gen" ||
           name == "quenched";
}

std::unique_ptr<GaugeSource> open_gauge(std::string_view text,
                                        const std::optional<Extents>& lattice,
                                        const GaugeReading& reading)
{
    if (!is_generated(text)) return open_gauge_file(std::string(text), lattice, reading);
    if (reading.reunitarize)
        throw Error("gauge: {} is generated, and in SU(3): nothing to reunitarize",
                    qcd::quoted(text));
    if (!lattice) throw Error("gauge: {} needs the lattice's extents", qcd::quoted(text));
    require_lattice(*lattice, "lattice");
    return generated(parse_spec(text), *lattice);
}

} // namespace qcd
