#include "drivers/propagator/pion_plot.hpp"

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/gnuplot.hpp"
#include "base/own_folder.hpp"
#include "base/text.hpp"
#include "experiment/chart.hpp"

#include <fmt/format.h>

#include <fstream>

namespace qcd
{

namespace
{

constexpr const char* settings = R"(set grid
set xlabel "distance from the source, lattice units"
pion = 'set termoption enhanced; set multiplot layout 2,1; \
set logscale y; set format y "10^{%L}"; set ylabel "C = sum of |S|^2"; \
plot "pion.dat" index 0 using 1:2 with linespoints title "along t", \
     "" index 1 using 1:2 with linespoints title "along z"; \
unset logscale y; set format y "%g"; set ylabel "effective mass, lattice units"; \
plot "pion.dat" index 0 using 1:3 with linespoints title "along t", \
     "" index 1 using 1:3 with linespoints title "along z"; \
unset multiplot')";

std::string data_head(int mu)
{
    return fmt::format("# along {}: distance, C, effective mass; lattice units",
                       mu == 3 ? 't' : 'z');
}

/// A block for t and one for z, of distance, correlator and effective mass.
std::string data_of(const PionCorrelator& pion)
{
    std::string text;
    for (const int mu : {3, 2}) {
        text += fmt::format("{}{}\n", text.empty() ? "" : "\n\n", data_head(mu));
        const auto& c = pion.along(mu);
        const auto masses = effective_masses(c);
        for (std::size_t d = 0; d < c.size(); ++d)
            text +=
                fmt::format("{} {} {}\n", d, c[d], masses[d] ? fmt::format("{}", *masses[d]) : "?");
    }
    return text;
}

} // namespace

void require_pion_folder(const std::string& folder)
{
    std::string first;
    std::getline(std::ifstream(folder + "/pion.dat"), first);
    if (first != data_head(3)) require_free_folder("--plot", folder, "pion.dat of this program");
}

std::string plot_pion(const std::string& folder, const PionCorrelator& pion)
{
    const NewFolders made("--plot", folder);
    write_whole(folder + "/pion.dat", data_of(pion));
    write_whole(folder + "/pion.gp",
                gnuplot_script("pion", 960, 640, settings, "eval pion", "eval pion"));
    return experiment::draw_chart(folder, "pion");
}

} // namespace qcd
