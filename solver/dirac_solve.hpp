#pragma once
// D x = b with all that it needs on tiles: links, operator, method and vectors.

#include "lattice/gauge_source.hpp"
#include "lattice/spinor_source.hpp"
#include "solver/dirac_problem.hpp"
#include "solver/mixed_solver.hpp"
#include "solver/preconditioner.hpp"

#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

namespace qcd
{

class Multigrid;
struct MultigridReport;

/// What only the solution tells about itself; computed in double. Squares that a double does not
/// hold, of a b that is very small or large, are no numbers.
struct SolutionSums {
    double residual;                  ///< |b - D x| / |b|; 0 for b = 0
    double heavy_quark;               ///< lattice/heavy_quark_residual.hpp; b - D x as rounded
    double norm2;                     ///< |x|^2
    double x_over_b;                  ///< |x| / |b|; 0 for b = 0
    std::array<double, 2> source_dot; ///< (b|x)
};

/// The data live as long as this does; the graph must live longer.
class DiracSolve
{
public:
    /// Reads the links; b = 0. Throws Error when the method does not solve such systems.
    DiracSolve(LatticeGraph&, const DiracProblem&, GaugeSource&);

    /// Collective. A source whose squares are no ordinary numbers is solved as a multiple of a
    /// power of two: the bits of x are those of that multiple. Throws Error where a solution of its
    /// size cannot be stored (lattice/source_scale.hpp).
    void set_source(const SpinorSource&, int rhs = 0);
    /// What x begins with, of the source that is set. Throws Error where it is so much larger than
    /// the source that its squares are no ordinary numbers.
    void set_guess(const SpinorSource&, int rhs = 0);
    /// From b to x, on all sites, for all right-hand sides of the graph; x is there when this
    /// returns. Begins with x = 0, or with the guesses, of which the even-odd system takes the even
    /// sites; residuals are relative to the |b| of the system that the method solves. To a
    /// tolerance what one stage leaves open goes on in the next one (stages_of), from its x. Where
    /// it has converged and the true residual |b - D x| / |b| is above the tolerance, it goes on
    /// until that is not, as far as rounding lets it (TrueResidualGoal); there are no checkpoints
    /// in that part. Each right-hand side has the bits, counts and residuals of a solve of its own.
    std::vector<SolveReport> solve(const SolveControl&, Guess = Guess::zero);
    /// From the states of such a solve, of each right-hand side, to its end, the bits of which are
    /// those of a solve that was not interrupted. The sources and the parameters are those it came
    /// from, and the tolerance is. Throws Error in two precisions.
    std::vector<SolveReport> resume(const std::vector<State>&, const SolveControl&);

    /// D psi on all sites, in the problem's precision, site by site. The sources, and the solutions
    /// that were there, are lost.
    void apply(const SpinorSource& psi, const SpinorField::Visitor&);

    // Its middle alone, for timing: the system solved, A y = r. Each is done when it returns.
    void prepare();
    int iterate(const SolveControl&); ///< returns the most iterations of a right-hand side
    /// Computes r <- y + 0 r on all tiles so many times, which measures bandwidth.
    void update_vectors(int times);

    LatticeGraph& graph() const { return graph_; }
    /// What multigrid reports, where the preconditioner is one; null: it is not.
    const MultigridReport* multigrid() const;
    void measure_levels(); ///< Multigrid::measure_levels() of such a one
    /// The field y of the system solved.
    SpinorField& y() { return y_; }
    /// x = 0, by tasks.
    void clear_x();

    /// The solution, as SpinorField has it of a field.
    void visit_x(const SpinorField::Visitor& f, int rhs = 0) const
    {
        x_.visit(scaled(f, rhs), rhs);
    }
    void visit_x_on_first_rank(const SpinorField::Visitor& f, int rhs = 0) const
    {
        x_.visit_on_first_rank(scaled(f, rhs), rhs);
    }
    std::uint64_t digest_of_x(int rhs = 0) const;

    /// Recomputes residuals from b and x alone. The system solved is lost.
    SolutionSums verify() { return verify_all().front(); }
    std::vector<SolutionSums> verify_all(); ///< of each right-hand side

    /// Tasks of an iteration, where each is one operation on one tile.
    static long tasks_an_iteration(const Tiling&, const DiracProblem&);
    /// Bytes that all of it registers at most, the verification included; of a solve to a tolerance
    /// what the largest of its stages takes.
    static std::size_t bytes(const Tiling&, const DiracProblem&, bool to_tolerance = true,
                             int rhs = 1);

    /// Bytes of a state, on the host.
    static std::size_t state_bytes(const Extents&, const DiracProblem&);

private:
    /// A right-hand side of a solve.
    struct Side {
        SolveReport report{};  ///< so far
        std::size_t stage = 0; ///< of stages_, that it has come to
        double tol = 0;        ///< of the part that it goes on with
    };
    /// Which of the right-hand sides a part of a solve is about.
    using Those = std::vector<bool>;

    LinearSolver& in_stage(std::size_t);
    void run(std::vector<Side>&, std::size_t stage, const Those&, const SolveControl&,
             const std::vector<State>* from = nullptr);
    void go_on(std::vector<Side>&, const Those&, const SolveControl&);
    std::vector<Side> sides(const SolveControl&) const;
    void reach_true_residual(std::vector<Side>&, SolveControl);
    std::vector<SolveReport> end(std::vector<Side>, const SolveControl&);
    void count(SolveReport&, std::size_t stage, int iterations) const;
    double heavy_quark_residual(const std::array<const SpinorField*, 2>& r, int rhs) const;
    SpinorField::Visitor scaled(const SpinorField::Visitor&, int rhs) const;

    /// Sums of each right-hand side, in units of its power of two, without the heavy-quark
    /// residual: of b and x as they are. b - D x is in rest() then.
    struct Sums {
        double residual, norm2, source_norm2;
        std::array<double, 2> source_dot;
        double x_over_b() const { return source_norm2 > 0 ? std::sqrt(norm2 / source_norm2) : 0; }
    };
    const std::vector<Sums>& sums();
    std::array<const SpinorField*, 2> rest() const; ///< on the even and on the odd sites

    LatticeGraph& graph_;
    DiracProblem problem_;
    std::vector<Stage> stages_;
    std::unique_ptr<CloverField> clover_; // null: csw = 0
    GaugeField links_;
    Wilson wilson_;
    DiracOperator operator_;
    struct Lower { // precision
        Lower(const DiracSolve&, const Stage&);
        std::unique_ptr<CloverField> clover; // null: csw = 0
        GaugeField links;
        Wilson wilson;
        DiracOperator A;
        MixedSolver solver;
    };
    struct Inner { // what M is made of
        Inner(const DiracSolve&, const Preconditioning&);
        std::unique_ptr<CloverField> clover; // null: that of the problem, or none
        std::optional<GaugeField> links;     // none: those of the problem
        Wilson wilson;
        DiracOperator A;
        std::unique_ptr<Preconditioner> M;
        Multigrid* multigrid = nullptr; // M, if it is one
    };
    std::unique_ptr<Inner> inner_; // null: no preconditioner
    std::size_t stage_ = 0;        // of which one of these is, or none
    std::unique_ptr<Solver> solver_;
    std::unique_ptr<Lower> lower_;
    SpinorField b_, x_, r_, y_; // b and x in units of 2^exponents_[rhs]
    std::vector<int> exponents_;
    std::optional<std::vector<Sums>> sums_; // none: b or x have changed, or rest() has
};

} // namespace qcd
