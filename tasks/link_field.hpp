#pragma once
// The links of a lattice as data that tasks update: for each tile one piece of data a direction and
// parity, so that updates of one of the eight read the seven others, and neighbours', at the same
// time.

#include "lattice/gauge_source.hpp"
#include "runtime/owned_data.hpp"
#include "tasks/data.hpp"

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace qcd
{

/// Calls f(mu, parity) for the eight colours of links in the order of a sweep: of one colour none is
/// in a plaquette of another.
template <class F>
void for_each_colour(const F& f)
{
    for (int mu = 0; mu < 4; ++mu)
        for (const int parity : {0, 1}) f(mu, parity);
}

/// The links of one colour in a tile. tile -1: absent.
struct LinkPiece {
    int tile, mu, parity;
    auto operator<=>(const LinkPiece&) const = default;
};

/// What an update of a tile's links reads, in the order of link_update's slots.
std::vector<LinkPiece> links_read(const Tiling&, int tile, int mu, int parity);

/// Links in double, 18 reals each, in the layout of codelets/device/shape.h. No boundary phase.
/// Each of several ranks has those of its own tiles, and copies of the tiles around them that other
/// ranks have: whole tiles, because updates read the links of a neighbour where they lie in it.
class LinkField
{
public:
    /// The links of a source, of which every rank reads the time slices in which it has sites.
    /// Throws Error where tiles differ in shape.
    LinkField(LatticeGraph&, GaugeSource&);

    LatticeGraph& graph() const { return graph_; }
    /// The tile is owned, or an update of an owned tile reads it.
    Data at(const LinkPiece& p) const
    {
        const auto copy = copies_.find(p);
        return copy == copies_.end() ? tiles_[std::size_t(p.mu)]->at(p.parity, p.tile)
                                     : copy->second->data();
    }

    /// Submits the messages that bring links of this colour, which have been updated in all tiles,
    /// to the ranks that have copies of them.
    void share(int mu, int parity) const;

    /// On the first rank calls f(t, links) for the time slices t = 0, 1, ... with their links as
    /// GaugeSource::read_slice has them. All ranks call it, and wait.
    void visit_slices(const std::function<void(int t, std::span<const double> links)>& f) const;

    /// Bytes of the links of this rank's tiles, and of its copies of others.
    static std::size_t bytes(const LatticeGraph&);

private:
    struct Message {
        LinkPiece piece;
        int from, to; ///< ranks
    };
    /// Messages between this rank and others, in the same order on both.
    static std::vector<Message> messages_of(const LatticeGraph&);
    long tag(const LinkPiece& p) const { return first_tag_ + (8L * p.tile + 2 * p.mu + p.parity); }

    LatticeGraph& graph_;
    std::array<std::unique_ptr<TileData>, 4> tiles_;
    std::map<LinkPiece, std::unique_ptr<StarpuData>> copies_;     // of other ranks' tiles
    std::array<std::array<std::vector<Message>, 2>, 4> messages_; // by mu and parity
    long first_tag_;
};

/// Throws Error where tiles differ in shape.
void require_equal_tiles(const Tiling&);

} // namespace qcd
