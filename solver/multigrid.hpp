#pragma once
// Adaptive aggregation multigrid for the Dirac operator (Babich et al. 2010; Frommer et al. 2014),
// as a preconditioner of GCR.
//
// A level's test vectors, near its null space, are cut into aggregates (blocks of sites) and
// chiralities and made orthonormal there: the columns of P. The coarse operator is P^dagger A P
// (Galerkin). One cycle on a level:
//     e = about A_c^-1 P^dagger r,  z = P e,  z = z + S (r - A z)
// with a few iterations of GCR, S, as smoother, on the finest level of the even-odd system. On the
// coarsest level GCR iterates, on those between GCR with the cycle of the next one (K-cycle).
//
// Test vectors begin as random numbers to which the smoother is applied, and are refined by cycles
// with what they have made so far: v = M v, inverse iteration.

#include "solver/coarse_operator.hpp"
#include "solver/multigrid_parameters.hpp"
#include "solver/preconditioner.hpp"

#include <deque>
#include <memory>

namespace qcd
{

/// M: one cycle on the whole lattice, in the precision of the links.
class Multigrid : public Preconditioner
{
public:
    /// Makes the hierarchy; done when this returns. All live longer. clover null: csw = 0, else it
    /// has the inverse on odd sites. Throws Error where the lattice has no such levels.
    Multigrid(LatticeGraph&, const GaugeField&, const CloverField* clover, const DiracParameters&,
              const MultigridParameters&);
    ~Multigrid() override;

    /// r and z: on all sites, or both on the even ones: then it is the even part of a cycle on r and
    /// 0, which is to Dhat what the cycle is to D. In any precision that is not lower.
    void operator()(const SpinorField& r, const SpinorField& z, const ScalarData& outer) override;
    /// How often a cycle applies D or Dhat on the finest level.
    long applications() const override;

    /// Levels, the finest one among them.
    int levels() const { return int(levels_.size()); }

    /// Bytes of what it registers for so many right-hand sides, its own links and clover term left out.
    static std::size_t bytes(const Tiling&, Precision, const MultigridParameters&, int rhs);

    // For tests.
    const Basis& basis(int level) const;
    const Operator& coarse_operator(int level) const;

private:
    class Smoother;
    class Cycle;
    struct Stage;
    using Fields = std::deque<SpinorField>;

    void set_up();
    void make_coarse(std::size_t stage, const Fields& test_vectors);
    void refine(const Fields& test_vectors);
    void galerkin(std::size_t stage);

    LatticeGraph& graph_;
    const GaugeField& links_;
    const CloverField* clover_;
    DiracParameters dirac_;
    MultigridParameters parameters_;
    Wilson wilson_;
    DiracOperator D_;
    std::deque<Level> levels_;
    std::unique_ptr<LevelOrder> order_;
    std::deque<Stage> stages_; // of each level but the coarsest
    SpinorField r_, z_;        // on all sites
};

} // namespace qcd
