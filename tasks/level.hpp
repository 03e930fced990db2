#pragma once
// Levels of multigrid as data and operations of the task graph (codelets/multigrid/). A level's
// fields are SpinorFields of Sites::even with so many blocks a tile as the level has; a tile of the
// lattice holds whole aggregates on each level.
//
// What the classes below keep does not depend on how many right-hand sides a graph has: operations
// are submitted to the graph of the field that they fill or read, whose tiling is that of the data.

#include "codelets/multigrid/restrict/slots.h"
#include "tasks/domains.hpp"
#include "tasks/field.hpp"
#include "tasks/wilson.hpp"

#include <array>
#include <complex>
#include <optional>
#include <vector>

namespace qcd
{

/// A field of a level on the host.
using LevelValues = std::vector<std::complex<double>>;

/// Makes vectors of one length orthonormal over all of it, in double and in their order; those that
/// depend on others become 0 or what rounding has left.
void make_orthonormal(std::vector<LevelValues>&);

/// The sites of a level on the tiles of a lattice, and their aggregates.
class Level
{
public:
    /// The finest: the lattice itself. Throws Error where aggregates do not divide the tiles, which
    /// have to be alike.
    Level(const Tiling&, const Extents& aggregate);
    /// The one whose sites are the aggregates of another, with n components of each chirality.
    /// A level without aggregates is the coarsest.
    Level(const Level& finer, int n, const std::optional<Extents>& aggregate);

    const level_shape& shape() const { return shape_; } ///< of each tile
    const Extents& lattice() const { return lattice_; } ///< its sites
    const std::vector<int>& blocks() const { return blocks_; }
    Extents aggregate() const;
    /// Has the lattice one aggregate only in this direction?
    bool whole(int mu) const { return lattice_[mu] == shape_.aggregate[mu]; }
    /// Components of a site.
    int components() const { return 2 * QCD_CHIRAL_COMPONENTS * shape_.lanes; }
    long sites() const;
    /// Bytes of a field, for one right-hand side.
    std::size_t bytes(Precision) const;

    /// A field of one right-hand side on the host, site by site, x fastest, whatever the tiling:
    /// components 0 to n-1 of the one chirality, then of the other. Both wait.
    LevelValues values(const SpinorField&, int rhs) const;
    void put_values(const SpinorField&, int rhs, const LevelValues&) const;

private:
    template <class Visit>
    void visit(const SpinorField&, int rhs, const Visit&) const;
    template <class Real, class Visit>
    void visit_as(const SpinorField&, int rhs, const Visit&) const;
    void set_aggregate(const Extents&);
    int tiles_;
    Extents lattice_;
    level_shape shape_{};
    std::vector<int> blocks_; // of each tile
};

/// Reorders spinors between the order of a tiling and that of the finest level.
class LevelOrder
{
public:
    LevelOrder(LatticeGraph&, const Level& finest);
    /// A field on even sites is 0 on odd ones.
    void to_level(const SpinorField& in, const SpinorField& out, const ScalarData* gate) const;
    /// Reorders what is on the sites of out.
    void from_level(const SpinorField& in, const SpinorField& out, const ScalarData* gate) const;
    static std::size_t bytes(const Tiling&, const Level&);

private:
    Level level_;
    TileData to_, from_;
};

/// P: the n vectors that span the next coarser level, cut into aggregates and chiralities. The
/// levels live longer.
class Basis
{
public:
    Basis(LatticeGraph&, Precision, const Level& level, const Level& coarse, int n);
    int vectors() const { return n_; }
    const Level& level() const { return level_; }
    const Level& coarse() const { return coarse_; }

    /// Right-hand side r of the field becomes vector first + r, if there is such a one.
    void put(int first, const SpinorField&);
    /// P^dagger P = 1 afterwards, but for vectors that depend on others.
    void orthonormalise(LatticeGraph&);
    /// out = P^dagger in; gate null: always.
    void restrict(const SpinorField& in, const SpinorField& out, const ScalarData* gate) const;
    /// out = P in
    void prolong(const SpinorField& in, const SpinorField& out, const ScalarData* gate) const;
    /// Right-hand side r of out becomes P times the unit vector of component column + r at all
    /// sites, 0 beyond the last one.
    void prolong_unit(int column, const SpinorField& out) const;

    static std::size_t bytes(Precision, const Level&, int n);

private:
    friend class CoarseMatrices;
    restrict_args restriction(int rhs) const;
    Precision precision_;
    const Level &level_, &coarse_;
    int n_;
    TileData vectors_;
};

/// The operator of a coarse level, nine dense matrices a site.
class CoarseMatrices
{
public:
    CoarseMatrices(LatticeGraph&, Precision, const Level&);
    const Level& level() const { return level_; }

    /// Columns from `column` on, of all sites, are P^dagger of the right-hand sides of `in`, which are what
    /// the finer operator makes of P times the unit vectors (Basis::prolong_unit): of its terms
    /// within aggregates, of those across their ends in a direction (codelets/multigrid/coarse_hop/),
    /// or of those in both directions of mu, where aggregates are longer than a site.
    void put_within(const Basis&, int column, const SpinorField& in);
    void put_across(const Basis&, int direction, int column, const SpinorField& in);
    void put_both_across(const Basis&, int mu, int column, const SpinorField& in);

    /// out = A in, of all terms or some (codelets/multigrid/coarse_hop/), or u - that.
    void hop(const SpinorField& in, const SpinorField& out, int terms, const SpinorField* u,
             const ScalarData* gate) const;
    /// Sums for Dots::norm2 and Dots::u_out.
    void products(const SpinorField& q, const SpinorField* u, const LatticeSums&,
                  const ScalarData* gate) const;

    static std::size_t bytes(Precision, const Level&);

private:
    void put(const Basis&, int direction, int face, int column, const SpinorField& in);
    Precision precision_;
    const Level& level_;
    TileData matrices_;
};

} // namespace qcd
