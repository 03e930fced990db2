#pragma once
// One cycle of multigrid. On a level:
//     e = about A_c^-1 P^dagger r,  z = P e,  z = z + S (r - A z)
// with a few iterations of GCR, S, as smoother, on the finest level of the even-odd system. On the
// coarsest level GCR iterates, on those between GCR with the cycle of the next one (K-cycle).

#include "solver/coarse_operator.hpp"
#include "solver/multigrid_levels.hpp"
#include "solver/preconditioner.hpp"

#include <deque>
#include <memory>
#include <vector>

namespace qcd
{

/// z = about D^-1 r on all sites, for the right-hand sides of a graph, in the precision of the links.
class MultigridCycle : public Preconditioner
{
public:
    /// All live longer. clover null: csw = 0, else it has the inverse on odd sites. With levels that
    /// are not made yet nothing but smooth() is of use.
    MultigridCycle(LatticeGraph&, const GaugeField&, const CloverField* clover,
                   const DiracParameters&, const MultigridParameters&, const MultigridLevels&);
    ~MultigridCycle() override;

    void operator()(const SpinorField& r, const SpinorField& z, const ScalarData& outer) override;
    /// How often a cycle applies D or Dhat on the finest level.
    long applications() const override;
    /// What GCR does on each coarse level, the finer one first, for the r of the finest level: its
    /// iterations, |r| relative to the first, and seconds. Waits.
    struct CoarseSolve {
        int iterations;
        double residual, seconds;
    };
    std::vector<CoarseSolve> coarse_solves(const SpinorField& r);
    /// z = so many iterations of the smoother of the finest level on r, from 0.
    void smooth(const SpinorField& r, SpinorField& z, int iterations, const ScalarData& outer);

    const DiracOperator& D() const { return D_; }
    /// The operator on level i > 0.
    const Operator& coarse_operator(int i) const { return coarse_[std::size_t(i) - 1]; }

    static std::size_t bytes(const Tiling&, Precision, const MultigridParameters&, int rhs);

private:
    class Smoother;
    class OfLevel;
    Wilson wilson_;
    DiracOperator D_, Dhat_;
    std::deque<CoarseOperator> coarse_; // of each level but the finest
    std::deque<Smoother> smoothers_;    // of each level but the coarsest
    std::deque<OfLevel> cycles_;        // the same
};

} // namespace qcd
