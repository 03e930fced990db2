#pragma once
// Fields as data of the task graph: one handle per tile and parity.

#include "lattice/gauge_source.hpp"
#include "lattice/precision.hpp"
#include "lattice/spinor_source.hpp"
#include "tasks/data.hpp"
#include "tasks/domains.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace qcd
{

class CloverField;

/// Spinors on the sites of one parity or both, 24 reals a site, stored as codelets/device/shape.h
/// says; f16: as fixed.h there says. There is one for each right-hand side of the graph, one behind
/// the other in each tile; the host fills and visits one of them.
class SpinorField
{
public:
    /// blocks: how many each tile has, of a level of multigrid (tasks/level.hpp), where `sites` is
    /// one parity and nothing is filled or visited; null: those of the tile's sites.
    /// contents: zeros, or of_tasks: 0, too, but neither filled nor visited.
    SpinorField(LatticeGraph&, Precision, Sites, const std::vector<int>* blocks = nullptr,
                Contents contents = Contents::zeros);

    LatticeGraph& graph() const { return *graph_; }
    const Tiling& tiling() const { return graph_->tiling(); }
    Precision precision() const { return precision_; }
    Sites sites() const { return sites_; }
    Data at(int parity, int tile) const { return tiles_.at(parity, tile); }
    const TileData& data() const { return tiles_; }
    /// Blocks of one right-hand side in a tile.
    int blocks(int tile) const
    {
        return blocks_.empty() ? tiling().shape(tile).blocks : blocks_[std::size_t(tile)];
    }

    /// Fills every owned site from the source (24 doubles, rounded to the field's precision);
    /// waits. Those of other right-hand sides stay.
    void fill(const SpinorSource&, int rhs = 0);
    /// Submits tasks that set all sites of all to 0.
    void clear();
    using Visitor = std::function<void(const Coord&, const double spinor[24])>;
    /// Calls f for every owned site in site order (x fastest); sites the field does not live on are
    /// skipped. Waits for the field.
    void visit(const Visitor& f, int rhs = 0) const;
    /// Like visit(), in any order, by several threads; the visitor must not throw.
    void visit_by_threads(const Visitor& f, int rhs = 0) const;
    /// Like visit(), for every site of the lattice, by the rank that owns it: `state`, what f goes
    /// on from, goes with the sites from rank to rank, and in the end to all.
    void visit_in_turn(std::span<std::byte> state, const Visitor& f, int rhs = 0) const;
    /// Calls f for every site of the lattice, on the first rank. What f throws there is thrown when
    /// all ranks are through.
    void visit_on_first_rank(const Visitor& f, int rhs = 0) const;
    /// lattice/spinor_digest.hpp
    std::uint64_t digest(int rhs = 0) const;

    /// Bytes of one right-hand side.
    static std::size_t bytes(const Tiling&, Precision, Sites);

private:
    void zero(int rhs);
    template <class Stored>
    void fill_as(const SpinorSource&, int rhs);
    template <class Stored>
    void visit_as(const Box&, const Visitor&, int rhs) const;
    void visit(const Box&, const Visitor&, int rhs) const;
    /// Where the blocks of a right-hand side begin in a tile.
    long first_block(int tile, int rhs) const { return long(rhs) * blocks(tile); }
    LatticeGraph* graph_;
    Precision precision_;
    Sites sites_;
    std::vector<int> blocks_; // empty: as the tiling has them
    TileData tiles_;
};

/// largest_real() of lattice/source_scale.hpp, over the whole lattice: collective. 0 where nothing
/// is computed (runtime/simulation.hpp).
double largest_real(LatticeGraph&, const SpinorSource&);

/// The links of owned tiles, 4 a site in 18, 12 or 8 reals each (codelets/device/link.h).
/// Antiperiodic in t: hops across t = LT-1 <-> 0 get a factor -1, which is multiplied into links of
/// 18 reals.
class GaugeField
{
public:
    /// Reads the source slice by slice, those in which tiles are owned, and gives clover, if there
    /// is one, each before it is stored. Throws Error when a link, made whole again from fewer than
    /// 18 reals, is not what was read: by more than 1e-12 in double, 1e-6 in single.
    GaugeField(LatticeGraph&, Precision, GaugeSource&, bool antiperiodic,
               LinkStorage = LinkStorage::full, CloverField* clover = nullptr);

    /// In single or in 16 bits (f16, not of 8 reals), those of a field in double, each stored real
    /// rounded. Waits. Throws Error where a real is more than 16 bits hold, which is 1.
    GaugeField(const GaugeField& in_double, Precision);

    /// Copies the links of another field, in its precision or rounded from double to single, and
    /// makes those 0 that the domains cut. Waits. Links of 8 reals cannot be 0: throws Error.
    GaugeField(const GaugeField& whole, Precision, const Domains&);

    Data at(int parity, int tile) const { return tiles_.at(parity, tile); }
    LinkStorage storage() const { return storage_; }
    Precision precision() const { return precision_; }
    /// Domains at whose boundaries links are 0; none: all are as they were read.
    const std::optional<Domains>& domains() const { return domains_; }
    /// Must hops apply the factor -1 of the boundary in t?
    bool sign_is_left_out() const { return antiperiodic_ && storage_ != LinkStorage::full; }
    static std::size_t bytes(const Tiling&, Precision, LinkStorage = LinkStorage::full);

private:
    struct Worst { // link of a slice
        double distance = 0;
        Coord site{};
        int mu = 0;
        /// No number is above all, and stays.
        bool is_below(double other) const { return !std::isnan(distance) && !(other <= distance); }
    };
    void narrow_to_16_bits(const GaugeField& wide);
    /// Completes a field after the owned slices; slice: room for one.
    static void complete(CloverField&, GaugeSource&, std::span<double> slice);
    template <class Real>
    Worst put_slice(const LatticeGraph&, int t, std::span<const double>);
    template <class Real>
    void cut_links();

    LatticeGraph* graph_;
    Precision precision_;
    LinkStorage storage_;
    bool antiperiodic_;
    std::optional<Domains> domains_;
    TileData tiles_;
};

} // namespace qcd
