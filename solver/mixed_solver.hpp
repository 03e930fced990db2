#pragma once

#include "solver/solver.hpp"

namespace qcd
{

/// Solves A x = b with iterations in a lower precision: reliable updates (Sleijpen & van der Vorst
/// 1996). Where |r| has fallen by the factor `drop` since r was last computed, or to the tolerance,
/// the correction so far is added to x and r = b - A x computed in double; the method goes on from
/// that r with its directions. The tasks decide where (QCD_GATE_UPDATE_DUE) and then do nothing,
/// so x, the counts and the digest depend neither on batches nor on how late the host looks. After
/// an update that brought less than a factor of two, or a breakdown, the method goes on without its
/// directions: defect correction. Where that brings no more, the lower precision has nothing to
/// give. Of a method in 16 bits the correction is in single, and r is computed anew, without the
/// directions, after 2000 iterations, too.
class MixedSolver : public LinearSolver
{
public:
    /// `lower`: the same matrix in lower precision. Both live longer.
    MixedSolver(const Operator& A, const Operator& lower, Method, int restart, double drop);

    /// Residuals between updates are those of the lower precision; convergence is of b - A x in
    /// double. Ends also where updates bring nothing: then neither converged nor interrupted.
    /// Right-hand sides wait for each other where r is computed anew.
    std::vector<SolveReport> solve(SpinorField& b, SpinorField& x, const SolveControl&,
                                   const std::vector<Share>&) override;

    /// Bytes of its vectors, for one right-hand side.
    static std::size_t bytes(const Tiling&, Precision lower, Sites, Method, int restart);

private:
    /// What is known of a right-hand side between updates.
    struct Side {
        bool goes_on = true, forgets = false;
        double before = 0; ///< |b - A x|/|b| at the last update
        int useless = 0;   ///< updates in a row that brought less than a factor of two
        int limit = 0;     ///< iterations up to which the next update may wait
        std::vector<ReliableUpdate> updates{};
    };
    void begin(const SpinorField& b, SpinorField& x, const std::vector<Share>&);
    /// r from `residual`.
    void take(const SpinorField& residual);
    double norm_of_rest(int rhs) const; ///< |b - A x|/|b|; waits
    void compute_rest(const SpinorField& b, SpinorField& x);
    int limit_after(int iterations, const Share&) const;
    void update(Side&, SolveReport&, const Share&, double residual) const;

    const Operator& A_;
    double drop_;
    std::unique_ptr<Solver> solver_;
    SpinorField rest_, r_, correction_;
    LatticeSums bb_, rr_;
};

} // namespace qcd
