#include "tasks/domains.hpp"

#include "base/error.hpp"

namespace qcd
{

Domains::Domains(const Extents& lattice, const Extents& extents, std::optional<int> across)
    : lattice_(lattice), extents_(extents), across_(across)
{
    for (int mu = 0; mu < 4; ++mu)
        if (extents[mu] < 2 || extents[mu] % 2 || lattice[mu] % extents[mu])
            throw Error("domain {}: even extents that divide the lattice {} are needed",
                        to_string(extents), to_string(lattice));
}

bool Domains::fit_in_tiles(const Tiling& tiling) const
{
    if (across_) return !tiling.cut(*across_);
    for (int mu = 0; mu < 4; ++mu) {
        if (!tiling.cut(mu)) continue;
        if (extents_[mu] == lattice_[mu]) return false;
        for (int tile = 0; tile < tiling.tile_count(); ++tile)
            if (tiling.origin(tile)[mu] % extents_[mu]) return false;
    }
    return true;
}

} // namespace qcd
