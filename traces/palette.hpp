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

/// Colours follow from the words in a name: hops are blue, updates of vectors green, faces orange,
/// sums and scalars red and purple, batches grey. Operations of one family have shades of its
/// colour, in the order in which they are here. Others have further colours.
std::vector<Colour> palette(const std::vector<std::string>& operations);

/// The colour of a whole group of operations ("hopping", "faces", "updates", "sums"; another name
/// has a further colour), which is that of its first operation in a trace. Lighter: of devices,
/// where cores stand beside them.
Colour colour_of_group(const std::string& group, bool lighter = false);

/// The colour of a worker that executes nothing.
inline constexpr Colour idle_colour{236, 236, 236};

} // namespace qcd
