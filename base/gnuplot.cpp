#include "base/gnuplot.hpp"

#include <fmt/format.h>

namespace qcd
{

std::string gnuplot_script(const std::string& name, int width, int height,
                           const std::string& settings, const std::string& plot,
                           const std::string& again)
{
    return fmt::format(R"(# gnuplot {0}.gp, in this folder: draws {0}.svg and {0}.png from {0}.dat
set terminal svg size {1},{2} font "Helvetica,13" background "white"
set termoption noenhanced
set output "{0}.svg"
set encoding utf8
set datafile missing "?"
set border 3
set tics nomirror
{3}
{4}
set terminal pngcairo size {1},{2} font "Helvetica,11"
set termoption noenhanced
set output "{0}.png"
{5}
)",
                       name, width, height, settings, plot, again);
}

} // namespace qcd
