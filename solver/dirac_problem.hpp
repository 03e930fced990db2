#pragma once
// Which system is solved, and how.

#include "solver/method.hpp"
#include "solver/multigrid_parameters.hpp"
#include "solver/operator.hpp"
#include "solver/report.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace qcd
{

class TestVectors;

/// What M of gcr is, in the precision of DiracProblem::sloppy, if there is one.
struct Preconditioning {
    std::optional<Method> method{};  ///< none: relaxation
    int restart = default_restart;   ///< where that is gcr; 1: minimal residuals
    int iterations = 4;              ///< of the method, or steps; at least 1
    std::optional<Extents> domain{}; ///< of additive Schwarz; none: the lattice
    /// Cycles of multigrid, in place of all that.
    std::optional<MultigridParameters> multigrid{};
    std::shared_ptr<TestVectors> test_vectors{}; ///< of multigrid; null: each run makes its own
};

struct DiracProblem {
    DiracParameters dirac{};
    bool antiperiodic = true;
    Method method = Method::cr;
    bool even_odd = true;
    Precision precision = Precision::f64;
    LinkStorage links = LinkStorage::full;
    /// The precision of the iterations, where b - A x is in double (MixedSolver); none: precision.
    std::optional<Precision> sloppy{};
    double sloppy_drop = default_sloppy_drop(Precision::f32);
    int restart = default_restart; ///< of gcr
    std::optional<Preconditioning> preconditioning{};
};

/// Are the iterations themselves in lower precision, rather than those of a preconditioner?
inline bool is_mixed(const DiracProblem& p) { return p.sloppy && !p.preconditioning; }

/// Precision of the arithmetic that checks the solution.
inline Precision checking(Precision p) { return p == Precision::f32 ? Precision::f32_in_f64 : p; }

/// Where the system that is solved needs the inverse of the clover term.
inline CloverField::Inverse inverse_of(const DiracProblem& p)
{
    const bool smooths = p.preconditioning && p.preconditioning->multigrid;
    return p.even_odd || smooths ? CloverField::Inverse::on_odd_sites : CloverField::Inverse::none;
}

/// One of the ways of solving that follow each other where the one before does not get there.
struct Stage {
    Method method;
    std::optional<Precision> lower{}; ///< of iterations with updates in double; none: one precision
    std::optional<int> most{};        ///< iterations to a tolerance, after which it is given up
};

/// The problem's own way; where iterations in lower precision bring nothing more the method goes on
/// in the next one, single after 16 bits, then double; where CR breaks down CG goes on, which has
/// no breakdown: its divisors are squares of vectors that vanish with the residual alone, which
/// falls in each step; where GCR with multigrid gets nowhere BiCGstab goes on.
std::vector<Stage> stages_of(const DiracProblem&);

/// The stage in which a right-hand side goes on that a solve to a tolerance has left so in stage
/// `at`; none: it has ended. most: iterations of the whole solve.
std::optional<std::size_t> next_stage(const std::vector<Stage>&, std::size_t at, const SolveReport&,
                                      int most);

/// Both parts of a solve of which the second one, in a later stage or in the same, went on for the
/// first.
SolveReport joined(const SolveReport& first, const SolveReport& more);

} // namespace qcd
