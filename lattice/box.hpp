#pragma once
// A box of sites of a lattice: what a reader is asked for.

#include "lattice/extents.hpp"

namespace qcd
{

/// The sites x with lower[mu] <= x[mu] < lower[mu] + extents[mu]. Site i of a box: x fastest.
struct Box {
    Coord lower{};
    Extents extents{};
};

inline long volume(const Box& b) { return volume(b.extents); }

/// Time slice t: its site i is site t LX LY LZ + i of the lattice.
Box time_slice(const Extents& lattice, int t);

/// Does it have sites, and all of them on the lattice?
bool lies_in(const Extents& lattice, const Box&);

bool overlap(const Box&, const Box&);

/// The lattice's number of site i of the box.
long site_number(const Extents& lattice, const Box&, long i);

/// Of the site of this number on the lattice.
Coord coordinates(const Extents& lattice, long site);

/// Sites of the box that follow each other on the lattice, too: sites k n to k n + n - 1 of it, for
/// every k, where n is this number.
long run_length(const Extents& lattice, const Box&);

/// "2x4x4x1 at 0,0,0,3"
std::string to_string(const Box&);

} // namespace qcd
