#pragma once
// Grids of cells that planes cut into parts, and what crosses the cuts. No StarPU.

#include <array>
#include <vector>

namespace qcd
{

/// The thicknesses of `count` parts of an extent: multiples of `granularity`, as equal as possible,
/// thicker ones first. count: from 1 to extent/granularity.
std::vector<int> even_split(int extent, int count, int granularity);
/// The first of these.
constexpr int thickest(int extent, int count, int granularity)
{
    return granularity * ((extent / granularity + count - 1) / count);
}

/// A grid of D dimensions, D from 1 to 4, cut by planes: the parts of one direction may differ in
/// thickness. Parts are numbered by their places among the parts, the first direction fastest.
/// Directions are numbered from 0; errors call them x, y, z, t.
template <int D>
class Grid
{
public:
    using Coord = std::array<int, D>; ///< a number per direction
    using Thickness = std::array<std::vector<int>, D>;
    using Open = std::array<bool, D>; ///< per direction: does the grid end there? Else it is a ring

    /// parts[mu] parts in direction mu, split evenly; 1 .. extent/granularity each. Throws Error if
    /// that is not possible.
    Grid(const Coord& extents, const Coord& parts, int granularity = 1, const Open& = {});
    /// thickness[mu]: those of the parts in direction mu, positive multiples of `granularity` that
    /// add up to the extent. Throws Error if they do not.
    Grid(const Coord& extents, Thickness, int granularity = 1, const Open& = {});

    const Coord& extents() const { return extents_; }
    const Thickness& thickness() const { return thickness_; }
    bool open(int mu) const { return open_[mu]; }
    /// Number of parts per direction, and in all.
    const Coord& parts() const { return parts_; }
    int part_count() const { return part_count_; }
    /// Is direction mu cut (more than one part)?
    bool cut(int mu) const { return parts_[mu] > 1; }
    bool any_cut() const { return part_count_ > 1; }

    /// The place of a part among the parts, and the part at a place.
    Coord place_of(int part) const;
    int part_at(const Coord& place) const
    {
        int part = 0;
        for (int mu = D - 1; mu >= 0; --mu) part = part * parts_[mu] + place[mu];
        return part;
    }
    /// The part with this cell.
    int part_of(const Coord& cell) const
    {
        Coord place;
        for (int mu = 0; mu < D; ++mu) place[mu] = place_at_[mu][cell[mu]];
        return part_at(place);
    }

    /// The first cell of a part, its cells per direction, and in all.
    Coord origin(int part) const;
    Coord extents(int part) const;
    long cells(int part) const;

    /// Part next to `part` in direction mu, forward (sign > 0) or backward: where there is but one
    /// in a ring it is itself; -1 beyond an open end.
    int neighbour(int part, int mu, int sign) const;

    /// A part has two faces per direction, which its neighbours see: 2*mu the lower, 2*mu+1 the
    /// upper one.
    static constexpr int faces = 2 * D;
    /// Whose face of this number borders on `part`: lower ones are those of the parts ahead, upper
    /// ones of the parts behind; -1: nobody's.
    int sender(int part, int face) const { return neighbour(part, face / 2, face % 2 ? -1 : +1); }
    /// Who sees this face of `part`; -1: nobody.
    int receiver(int part, int face) const { return neighbour(part, face / 2, face % 2 ? +1 : -1); }
    /// Cells of a part at one of its faces, in so many layers; the face that comes from there has
    /// as many. Throws Error where the part has fewer layers.
    long face_cells(int part, int face, int layers = 1) const;

private:
    Coord extents_, parts_;
    Thickness thickness_;
    Open open_;
    int part_count_ = 1;
    std::array<std::vector<int>, D> place_at_; // of the part that has this coordinate
};

} // namespace qcd
