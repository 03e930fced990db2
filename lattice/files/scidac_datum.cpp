#include "lattice/files/scidac_datum.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace qcd
{

namespace
{

struct NamedDatum {
    std::string_view name;
    ScidacDatum datum;
};

/// What follows GRID_F_ or GRID_D_.
constexpr NamedDatum names_of_grid[] = {
    {"SpinVector4_ColourVector3", ScidacDatum::spinor},
    {"SpinMatrix4_ColourMatrix3", ScidacDatum::propagator},
    {"ColourMatrix3", ScidacDatum::colour_matrix},
    {"LorentzVector4_ColourMatrix3", ScidacDatum::colour_matrix},
    {"ColourVector3", ScidacDatum::colour_vector},
    {"Complex", ScidacDatum::number},
};

/// What names of QIO's users end with (QDP_D3_DiracFermion, QUDA_DNs4Nc3_ColorSpinorField); the
/// first one that fits.
constexpr NamedDatum endings[] = {
    {"DiracFermion", ScidacDatum::spinor},
    {"Ns4Nc3_ColorSpinorField", ScidacDatum::spinor},
    {"Ns1Nc3_ColorSpinorField", ScidacDatum::colour_vector},
    {"ColorSpinorField", ScidacDatum::other},
    {"DiracPropagator", ScidacDatum::propagator},
    {"ColorMatrix", ScidacDatum::colour_matrix},
    {"GaugeField", ScidacDatum::colour_matrix},
    {"ColorVector", ScidacDatum::colour_vector},
    {"Complex", ScidacDatum::number},
    {"HalfFermion", ScidacDatum::other},
    {"Real", ScidacDatum::other},
    {"Int", ScidacDatum::other},
    {"RandomState", ScidacDatum::other},
};

std::uint64_t bytes_of(ScidacDatum datum, int bits)
{
    return std::uint64_t(datum) * 2 * std::uint64_t(bits) / 8;
}

ScidacDatum datum_of_size(std::uint64_t bytes, int bits)
{
    for (const ScidacDatum datum :
         {ScidacDatum::number, ScidacDatum::colour_vector, ScidacDatum::colour_matrix,
          ScidacDatum::spinor, ScidacDatum::links, ScidacDatum::propagator})
        if (bytes == bytes_of(datum, bits)) return datum;
    return ScidacDatum::other;
}

} // namespace

std::optional<ScidacDatum> datum_named(std::string_view datatype)
{
    if (constexpr std::string_view grid = "GRID_"; datatype.starts_with(grid)) {
        const std::string_view tensor = datatype.substr(std::min(datatype.size(), grid.size() + 2));
        for (const auto& [name, datum] : names_of_grid)
            if (tensor == name) return datum;
        return ScidacDatum::other;
    }
    for (const auto& [ending, datum] : endings)
        if (datatype.ends_with(ending)) return datum;
    return std::nullopt;
}

ScidacContent content_of(const ScidacShape& s)
{
    const ScidacDatum by_size = datum_of_size(s.typesize, s.bits);
    const auto named = datum_named(s.datatype);
    if (!named || *named == by_size) return {by_size, s.datacount};
    if (*named == ScidacDatum::colour_matrix && by_size == ScidacDatum::links)
        return {by_size, s.datacount};
    const bool of_reals = s.typesize == std::uint64_t(s.bits) / 8;
    if (of_reals && *named != ScidacDatum::other && s.site_bytes() == bytes_of(*named, s.bits))
        return {*named, 1};
    return {ScidacDatum::other, s.datacount};
}

std::string to_string(const ScidacShape& s)
{
    const std::string count = s.datacount == 1 ? "" : fmt::format("{} of ", s.datacount);
    return fmt::format("{}, {}{} bytes a site", qcd::quoted(s.datatype), count, s.typesize);
}

} // namespace qcd
