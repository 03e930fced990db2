#pragma once

#include "solver/solver.hpp"

namespace qcd
{

/// Solves A x = b with iterations in a lower precision: reliable updates (Sleijpen & van der Vorst
/// 1996). Where |r| has fallen by the factor `drop` since r was last computed, or to the tolerance,
/// the correction so far is added to x and r = b - A x computed in double; the method goes on from
/// that r with its directions. The tasks decide where (solve_scalars, gate 3) and then do nothing,
/// so x, the counts and the digest depend neither on batches nor on how late the host looks. After
/// an update that brought less than a factor of two, or a breakdown, the method goes on without its
/// directions: defect correction. Where that brings no more, the lower precision has nothing to
/// give. Of a method in 16 bits the correction is in single, and r is computed anew, without the
/// directions, after 2000 iterations, too.
class MixedSolver
{
public:
    /// `lower`: the same matrix in lower precision. Both live longer.
    MixedSolver(const Operator& A, const Operator& lower, Method, int restart, double drop);

    /// As Solver::solve(), but b stays. Residuals between updates are those of the lower precision;
    /// convergence is of b - A x in double. Ends also where updates bring nothing: then neither
    /// converged nor interrupted.
    SolveReport solve(const SpinorField& b, SpinorField& x, const SolveControl&,
                      Guess = Guess::zero);

    /// The same of all right-hand sides of the graph together, from 0. They wait for each other
    /// where r is computed anew, and each has the bits of a solve of its own. One with which
    /// anything else happens (an update that brings little, a breakdown, no update in as many
    /// iterations) ends with SolveReport::is_unfinished: its own solve goes on otherwise.
    std::vector<SolveReport> solve_all(const SpinorField& b, SpinorField& x, const SolveControl&);

    /// Of its vectors.
    static std::size_t bytes(const Tiling&, Precision lower, Sites, Method, int restart);

private:
    /// r from `residual`.
    void take(const SpinorField& residual);
    double norm_of_rest(int rhs = 0) const; ///< |b - A x|/|b|; waits
    void compute_rest(const SpinorField& b, SpinorField& x);
    /// Iterations up to which the next update may wait, after so many.
    int most_before_update(const SolveControl&, int done) const;
    bool update(SolveReport&, double& before, const SolveControl&, double residual) const;

    const Operator& A_;
    double drop_;
    std::unique_ptr<Solver> solver_;
    SpinorField rest_, r_, correction_;
    LatticeSums bb_, rr_;
};

} // namespace qcd
