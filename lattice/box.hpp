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

/// Coordinates of the site of this number on the lattice.
Coord coordinates(const Extents& lattice, long site);

/// Sites of the box that follow each other on the lattice, too: sites k n to k n + n - 1 of it, for
/// every k, where n is this number.
long run_length(const Extents& lattice, const Box&);

/// Calls f with the coordinates of each site of a box, in the order of sites.
template <class F>
void for_each_site(const Box& box, const F& f)
{
    const auto end = [&](int mu) { return box.lower[mu] + box.extents[mu]; };
    for (int t = box.lower[3]; t < end(3); ++t)
        for (int z = box.lower[2]; z < end(2); ++z)
            for (int y = box.lower[1]; y < end(1); ++y)
                for (int x = box.lower[0]; x < end(0); ++x) f(Coord{x, y, z, t});
}
template <class F>
void for_each_site(const Extents& lattice, const F& f)
{
    for_each_site(Box{{}, lattice}, f);
}

/// "2x4x4x1 at 0,0,0,3"
std::string to_string(const Box&);

} // namespace qcd
