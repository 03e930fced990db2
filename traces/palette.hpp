#pragma once
// One colour for one operation, in every picture.

#include <string>
#include <vector>

namespace qcd
{

/// Red, green, blue: 0 to 255.
struct Colour {
    int red = 0, green = 0, blue = 0;
    std::string hex() const; ///< "#rrggbb"
};

/// By the words in a name: hops are blue, updates of vectors green, faces orange, sums and scalars
/// red and purple, batches grey. Operations of one family have shades of its colour, in the order
/// in which they are here. Others have further colours.
std::vector<Colour> palette(const std::vector<std::string>& operations);

/// Of a worker that executes nothing.
inline constexpr Colour idle_colour{236, 236, 236};

} // namespace qcd
