#pragma once
// The hierarchy of adaptive aggregation multigrid (Babich et al. 2010; Frommer et al. 2014) as data:
// for each level but the finest the columns of P, which span it, and its operator A_c = P^dagger A P
// (Galerkin). It is the same for any number of right-hand sides.

#include "solver/multigrid_parameters.hpp"
#include "tasks/level.hpp"

#include <deque>

namespace qcd
{

class MultigridLevels
{
public:
    /// Not made yet: see solver/multigrid_setup.hpp. Throws Error where the lattice, or its tiling,
    /// has no such levels.
    MultigridLevels(LatticeGraph&, Precision, const MultigridParameters&);

    int count() const { return int(levels_.size()); } ///< the finest level is one of them
    const Level& level(int i) const { return levels_[std::size_t(i)]; } ///< 0: the finest
    const LevelOrder& order() const { return order_; }                  ///< of the finest
    /// The vectors that lead to level i from the one below it.
    Basis& basis(int i) { return bases_[std::size_t(i)]; }
    const Basis& basis(int i) const { return bases_[std::size_t(i)]; }
    /// The operator of level i > 0.
    CoarseMatrices& matrices(int i) { return matrices_[std::size_t(i) - 1]; }
    const CoarseMatrices& matrices(int i) const { return matrices_[std::size_t(i) - 1]; }
    /// A field on level i, of as many right-hand sides as the graph has.
    SpinorField field(LatticeGraph&, int i, Contents = Contents::of_tasks) const;

    static std::deque<Level> levels_of(const Tiling&, const MultigridParameters&);
    static std::size_t bytes(const Tiling&, Precision, const MultigridParameters&);

private:
    Precision precision_;
    std::deque<Level> levels_;
    LevelOrder order_;
    std::deque<Basis> bases_;
    std::deque<CoarseMatrices> matrices_;
};

} // namespace qcd
