#pragma once
// Scripts of gnuplot that stay beside the pictures they draw. Texts in them: gnuplot_text() (text.hpp).

#include <string>

namespace qcd
{

/// Draws NAME.svg and NAME.png, of so many pixels, from NAME.dat. `again` repeats what `plot` drew.
std::string gnuplot_script(const std::string& name, int width, int height,
                           const std::string& settings, const std::string& plot,
                           const std::string& again = "replot");

} // namespace qcd
