// The formats that gauge fields are written in.

#include "lattice/files/gauge_writer.hpp"

#include <algorithm>

namespace qcd
{

const std::vector<GaugeFormatFacts>& gauge_formats()
{
    static const std::vector<GaugeFormatFacts> all{
        {GaugeFormat::ildg, "ildg", {".lime", ".ildg"}, {32, 64}},
        {GaugeFormat::nersc, "nersc", {".nersc"}, {32, 64}},
        {GaugeFormat::scidac, "scidac", {".scidac", ".qio"}, {32, 64}},
        {GaugeFormat::milc, "milc", {".milc"}, {32}},
        {GaugeFormat::openqcd, "openqcd", {".openqcd", ".oqcd"}, {64}},
        {GaugeFormat::hdf5, "hdf5", {".h5", ".hdf5"}, {32, 64}},
    };
    return all;
}

const GaugeFormatFacts& facts_of(GaugeFormat format)
{
    return *std::find_if(gauge_formats().begin(), gauge_formats().end(),
                         [&](const GaugeFormatFacts& f) { return f.format == format; });
}

GaugeFormat gauge_format_of(const std::string& path)
{
    for (const GaugeFormatFacts& f : gauge_formats())
        for (const std::string_view ending : f.endings)
            if (path.ends_with(ending)) return f.format;
    return GaugeFormat::nersc;
}

} // namespace qcd
