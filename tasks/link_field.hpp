#pragma once
// The links of a lattice as data that tasks update: for each tile one piece of data a direction and
// parity, so that updates of one of the eight read the seven others, and neighbours', at the same
// time.

#include "lattice/gauge_source.hpp"
#include "tasks/data.hpp"

#include <array>
#include <functional>
#include <memory>
#include <span>

namespace qcd
{

/// Links in double, 18 reals each, in the layout of codelets/device/shape.h. No boundary phase.
class LinkField
{
public:
    /// The links of a source, read slice by slice. Throws Error where tiles differ in shape.
    LinkField(LatticeGraph&, GaugeSource&);

    LatticeGraph& graph() const { return graph_; }
    Data at(int mu, int parity, int tile) const
    {
        return tiles_[std::size_t(mu)]->at(parity, tile);
    }

    /// Calls f(t, links) for the time slices t = 0, 1, ... with their links as GaugeSource::read_slice
    /// has them. Waits.
    void visit_slices(const std::function<void(int t, std::span<const double> links)>& f) const;

    static std::size_t bytes(const Tiling&);

private:
    LatticeGraph& graph_;
    std::array<std::unique_ptr<TileData>, 4> tiles_;
};

/// Throws Error where tiles differ in shape.
void require_equal_tiles(const Tiling&);

} // namespace qcd
