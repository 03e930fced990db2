#pragma once

#include "solver/multigrid_cycle.hpp"
#include "solver/multigrid_report.hpp"
#include "solver/test_vectors.hpp"

#include <memory>
#include <optional>

namespace qcd
{

/// Adaptive aggregation multigrid as a preconditioner of GCR: M is one cycle on the whole lattice, in
/// the precision of the links (solver/multigrid_cycle.hpp).
class Multigrid : public Preconditioner
{
public:
    /// Makes the levels; done when this returns. All live longer. clover null: csw = 0, else it has
    /// the inverse on odd sites. vectors null: none are kept. Throws Error where the lattice has no
    /// such levels.
    Multigrid(LatticeGraph&, const GaugeField& links, const CloverField* clover,
              const DiracParameters&, const MultigridParameters&, TestVectors* vectors = nullptr);

    /// r and z: on all sites, or both on the even ones: then it is the even part of a cycle on r and
    /// 0, which is to Dhat what the cycle is to D. In any precision that is not lower.
    void operator()(const SpinorField& r, const SpinorField& z, const ScalarData& outer) override;
    long applications() const override;

    const MultigridReport& report() const { return report_; }
    /// Adds to the report what a cycle on the r of the last one does on each level, but the
    /// iterations and factor of the finest one, which its GCR knows. Waits.
    void measure_levels();
    const MultigridLevels& levels() const { return levels_; }
    const MultigridCycle& cycle() const { return *cycle_; }

    /// Bytes of what it registers at most, its own links and clover term left out.
    static std::size_t bytes(const Tiling&, Precision, const MultigridParameters&, int rhs);

private:
    MultigridLevels levels_;
    MultigridReport report_;
    std::unique_ptr<MultigridCycle> cycle_;
    std::optional<SpinorField> r_, z_; // on all sites
};

} // namespace qcd
