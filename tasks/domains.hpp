#pragma once

#include "lattice/extents.hpp"
#include "tasks/tiling.hpp"

#include <optional>

namespace qcd
{

/// A lattice in equal blocks, from the origin on: the domains of an additive Schwarz method, or the
/// aggregates of multigrid. They do not depend on tiles. An operator whose links from one domain to
/// another are 0 acts in each alone.
class Domains
{
public:
    /// across: of the links only those are kept that leave their domain in this direction; none:
    /// those that leave no domain. Throws Error where the extents do not divide the lattice, or one
    /// is odd.
    Domains(const Extents& lattice, const Extents& extents, std::optional<int> across = {});

    const Extents& extents() const { return extents_; }
    /// Does the link from x forward in mu leave its domain? One that is as long as the lattice is a
    /// ring like it.
    bool link_leaves(const Coord& x, int mu) const
    {
        return extents_[mu] < lattice_[mu] && (x[mu] + 1) % extents_[mu] == 0;
    }
    /// Is the link from x forward in mu 0?
    bool cuts(const Coord& x, int mu) const
    {
        return across_ ? mu != *across_ || !link_leaves(x, mu) : link_leaves(x, mu);
    }
    /// Is every tile a union of domains in each direction that is cut? Then no face is needed.
    bool fit_in_tiles(const Tiling&) const;

private:
    Extents lattice_, extents_;
    std::optional<int> across_;
};

} // namespace qcd
