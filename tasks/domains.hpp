#pragma once

#include "lattice/extents.hpp"
#include "tasks/tiling.hpp"

namespace qcd
{

/// A lattice in equal blocks, from the origin on: the domains of an additive Schwarz method. They
/// do not depend on tiles. An operator whose links from one domain to another are 0 acts in each
/// alone.
class Domains
{
public:
    /// Throws Error where the extents do not divide the lattice, or one is odd.
    Domains(const Extents& lattice, const Extents& extents);

    const Extents& extents() const { return extents_; }
    /// Does the link from x forward in mu leave its domain? One that is as long as the lattice is a
    /// ring like it.
    bool link_leaves(const Coord& x, int mu) const
    {
        return extents_[mu] < lattice_[mu] && (x[mu] + 1) % extents_[mu] == 0;
    }
    /// Is every tile a union of domains in each direction that is cut? Then no face is needed.
    bool fit_in_tiles(const Tiling&) const;

private:
    Extents lattice_, extents_;
};

} // namespace qcd
