#pragma once
// D x = b with all that it needs on tiles: links, operator, method and vectors.

#include "lattice/gauge_source.hpp"
#include "lattice/spinor_source.hpp"
#include "solver/mixed_solver.hpp"
#include "solver/preconditioner.hpp"

#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

namespace qcd
{

/// Of gcr: what M is, in the precision of DiracProblem::sloppy, if there is one.
struct Preconditioning {
    std::optional<Method> method{};  ///< none: relaxation
    int restart = default_restart;   ///< where that is gcr; 1: minimal residuals
    int iterations = 4;              ///< of the method, or steps; at least 1
    std::optional<Extents> domain{}; ///< of additive Schwarz; none: the lattice
};

struct DiracProblem {
    DiracParameters dirac{};
    bool antiperiodic = true;
    Method method = Method::cr;
    bool even_odd = true;
    Precision precision = Precision::f64;
    LinkStorage links = LinkStorage::full;
    /// Of the iterations, where b - A x is in double (MixedSolver); none: precision.
    std::optional<Precision> sloppy{};
    double sloppy_drop = default_sloppy_drop(Precision::f32);
    int restart = default_restart; ///< of gcr
    std::optional<Preconditioning> preconditioning{};
};

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
    /// Reads the links; b = 0. Throws Error when the method does not solve such systems, or not
    /// several right-hand sides.
    DiracSolve(LatticeGraph&, const DiracProblem&, GaugeSource&);

    /// Collective. A source whose squares are no ordinary numbers is solved as a multiple of a
    /// power of two: the bits of x are those of that multiple. Throws Error where a solution of its
    /// size cannot be stored (lattice/source_scale.hpp).
    void set_source(const SpinorSource&, int rhs = 0);
    /// What x begins with, of the source that is set. Throws Error where it is so much larger than
    /// the source that its squares are no ordinary numbers.
    void set_guess(const SpinorSource&, int rhs = 0);
    /// From b to x, on all sites; x is there when this returns. Begins with x = 0, or with the
    /// guess, of which the even-odd system takes the even sites; residuals are relative to the |b|
    /// of the system that the method solves. Where CR breaks down on its way to a tolerance, CG
    /// goes on from its x; where iterations in lower precision bring nothing more, the method goes
    /// on in the next one: single after 16 bits, then double. Where it has converged and the true
    /// residual |b - D x| / |b| is above the tolerance, it goes on from its x until that is not, as
    /// far as rounding lets it (TrueResidualGoal); there are no checkpoints in that part.
    SolveReport solve(const SolveControl&, Guess = Guess::zero);
    /// The same of all right-hand sides of the graph at once. Each has the bits, counts and
    /// residuals of a solve of its own. CG goes on for those together of which CR has broken down,
    /// in as many iterations as are left to the one that has made most; the others stay as they
    /// are. What is rare (in two precisions all that is not an update in time; the way from a
    /// tolerance that is reached to a true residual that is not) is done by a solve of its own.
    std::vector<SolveReport> solve_all(const SolveControl&, Guess = Guess::zero);
    /// From the state of such a solve to its end, the bits of which are those of a solve that was
    /// not interrupted. The source and the parameters are those it came from, and the tolerance is.
    SolveReport resume(const State&, const SolveControl&);

    // The same in parts, in one precision and without CG for CR: run() or put(), go_on(), finish(),
    // after which x is there (Solver). A state is put where the source and the parameters are those
    // it came from.
    SolveReport run(const SolveControl&, Guess = Guess::zero);
    SolveReport go_on(const SolveControl& control) { return solver().go_on(control); }
    State state() { return solver().state(); }
    void put(const State& s) { solver().put(s, r_, y_); }
    void finish();

    // Its middle alone, for timing: the system solved, A y = r. Each is done when it returns.
    void prepare();
    SolveReport iterate(const SolveControl&);
    /// As a measure of bandwidth: r <- y + 0 r on all tiles, so many times.
    void update_vectors(int times);

    LatticeGraph& graph() const { return graph_; }
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

    /// From b and x alone. The system solved is lost.
    SolutionSums verify() { return verify_all().front(); }
    std::vector<SolutionSums> verify_all(); ///< of each right-hand side

    /// Tasks of an iteration, where each is one operation on one tile.
    static long tasks_an_iteration(const Tiling&, const DiracProblem&);
    /// Bytes that all of it registers at most, the verification included; of a solve to a tolerance
    /// also what CG takes where it goes on after CR.
    static std::size_t bytes(const Tiling&, const DiracProblem&, bool to_tolerance = true,
                             int rhs = 1);

    /// Of a state, on the host.
    static std::size_t state_bytes(const Extents&, const DiracProblem&);

private:
    /// May be of several.
    struct Links {
        std::shared_ptr<CloverField> clover; // null: csw = 0
        std::shared_ptr<GaugeField> gauge;
    };
    static Links links_of(LatticeGraph&, const DiracProblem&, GaugeSource&);
    DiracSolve(LatticeGraph&, const DiracProblem&, Links);

    void prepare(Guess);
    SolveReport solve_system(const SolveControl&, Guess);
    SolveReport end(SolveReport, const SolveControl&);
    SolveReport go_on_with(Method, const SolveReport& so_far, const SolveControl&,
                           const State* from = nullptr);
    SolveReport go_on_in_single(const SolveReport& so_far, const SolveControl&);
    SolveReport reconstruct(SolveReport);
    Solver& solver() const; ///< throws Error where there are two precisions
    void go_on_with_cg(std::vector<SolveReport>&, const SolveControl&);
    SolveReport reach_true_residual(SolveReport, SolveControl);
    SolveReport go_on_from_x(const SolveReport& so_far, const SolveControl&);
    void finish_alone(std::vector<SolveReport>&, const SolveControl&);
    SolveReport solve_alone(int rhs, const SolveControl&, const SolveReport* so_far);
    double heavy_quark_residual(const std::array<const SpinorField*, 2>& r, int rhs) const;
    SpinorField::Visitor scaled(const SpinorField::Visitor&, int rhs) const;

    /// Of each right-hand side, in units of its power of two, without the heavy-quark residual: of
    /// b and x as they are. b - D x is in rest() then.
    struct Sums {
        double residual, norm2, source_norm2;
        std::array<double, 2> source_dot;
        double x_over_b() const { return source_norm2 > 0 ? std::sqrt(norm2 / source_norm2) : 0; }
    };
    const std::vector<Sums>& sums();
    std::array<const SpinorField*, 2> rest() const; ///< on the even and on the odd sites

    LatticeGraph& graph_;
    DiracProblem problem_;
    Links shared_;
    CloverField* clover_; // null: csw = 0
    GaugeField& links_;
    Wilson wilson_;
    Operator operator_;
    struct Lower { // precision
        Lower(const DiracSolve&, Precision);
        std::unique_ptr<CloverField> clover; // null: csw = 0
        GaugeField links;
        Wilson wilson;
        Operator A;
        MixedSolver solver;
    };
    struct Inner { // what M is made of
        Inner(const DiracSolve&, const Preconditioning&);
        std::unique_ptr<CloverField> clover; // null: that of the problem, or none
        std::optional<GaugeField> links;     // none: those of the problem
        Wilson wilson;
        Operator A;
        std::unique_ptr<Preconditioner> M;
    };
    std::unique_ptr<Solver> make(Method) const;
    std::unique_ptr<Inner> inner_;   // null: no preconditioner
    std::unique_ptr<Solver> solver_; // or lower_
    std::unique_ptr<Lower> lower_;
    SpinorField b_, x_, r_, y_; // b and x in units of 2^exponents_[rhs]
    std::vector<int> exponents_;
    std::optional<std::vector<Sums>> sums_; // none: b or x have changed, or rest() has
};

} // namespace qcd
