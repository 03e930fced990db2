#pragma once
// Krylov methods for A x = b as the papers write them. Nothing waits inside an iteration: vectors
// and scalars are data of a task graph, and convergence is looked at some iterations late. What was
// submitted after convergence does nothing (the gate of codelets/device/solve_scalars.h), so x, the
// count and the digest do not depend on it.

#include "solver/method.hpp"
#include "solver/monitor.hpp"
#include "solver/operator.hpp"
#include "solver/state.hpp"
#include "tasks/updates.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace qcd
{

/// The x that a solve begins with.
enum class Guess { zero, x };

/// One method with its vectors and scalars, for one operator.
class Solver
{
public:
    virtual ~Solver() = default;
    Solver(const Solver&) = delete;
    Solver& operator=(const Solver&) = delete;

    /// Solves A x = b. r: b in, the method's b - A x on the way, of no use afterwards. x: a first
    /// guess in, if it is to be used, solution out. Both on the operator's sites. Residuals are
    /// relative to |b|, from any guess: from one that solves it to the tolerance there are no
    /// iterations; for b = 0 only x = 0 does. Of several right-hand sides each has the bits, the
    /// count and the residuals of a solve of its own; the report is that of the first one.
    SolveReport solve(SpinorField& r, SpinorField& x, const SolveControl&, Guess = Guess::zero);
    /// The same from a state on. A solve that pauses (SolveControl::checkpoints) and one that was
    /// resumed have the bits, counts and residuals of one that was not.
    SolveReport resume(const State&, SpinorField& r, SpinorField& x, const SolveControl&);

    // The same in parts: run() or put(), then go_on() as often as wanted, finish(). In between
    // there is a state, from which another solver of the same method and operator, on other tiles
    // and workers, goes on to the same bits. max_iterations and reports are of the whole solve; the
    // tolerance is that of its beginning. r and x are in use until finish(), which gives x the
    // steps that it lacks.
    SolveReport run(SpinorField& r, SpinorField& x, const SolveControl&, Guess = Guess::zero);
    SolveReport go_on(const SolveControl&);
    void finish();
    /// Waits. Throws Error where there are several right-hand sides.
    State state();
    /// Throws Error where the state is of another method, lattice or precision.
    void put(const State&, SpinorField& r, SpinorField& x);

    // Of a solve in two precisions (solver/mixed_solver.hpp), by a solver in the lower one, which
    // ends where r is to be computed anew, with what has broken down, or after the most iterations.
    /// From x = 0 and an r whose dot() and that of b are given, in double.
    SolveReport correct(SpinorField& r, SpinorField& x, const SolveControl&, const LatticeSums& rr,
                        const LatticeSums& bb, double drop);
    /// y += x, with the steps that x lacks; x = 0.
    void add_correction(const SpinorField& y);
    /// With an r that was computed anew, whose dot() is given; forgets: without the directions.
    SolveReport correct_further(const SolveControl&, const LatticeSums& rr, bool forgets);

    /// Of all right-hand sides.
    const std::vector<SolveReport>& reports() const { return reports_; }
    /// As correct_further(), of these right-hand sides, with their directions; the others have
    /// ended, and are left alone from now on. Each goes on in an iteration that is even or odd as
    /// in a solve of its own: so some wait while others make one.
    void correct_those(const SolveControl&, const LatticeSums& rr, const std::vector<bool>& those);
    /// Of A, in a solve of at most `most` iterations of which n were made, with so many further
    /// corrections.
    long applications_of(int n, int most, int corrections) const
    {
        return applications_of_start() + corrections * applications_of_update() +
               applications(n, most);
    }

    /// x ~ A^-1 r by so many iterations from 0, r as in solve(): submitted, nothing waits. Behind
    /// the closed gate of the method that this is for, x = 0.
    void apply(SpinorField& r, SpinorField& x, int iterations, const ScalarData& outer);
    /// Of A, in that.
    long applications_of(int iterations) const
    {
        return applications_of_start() + applications(iterations, iterations);
    }

protected:
    Solver(const Operator&, Method);

    // What a method is.
    /// Before the first iteration. From rr = dot(r).
    virtual void start(const SpinorField& r, const Start&) = 0;
    /// Iterations k for as long as the monitor wants them. |r|^2 is known to the scalars when it
    /// begins, and when it ends, unless the monitor has seen the gate closed.
    virtual void iterate(const SpinorField& r, const SpinorField& x) = 0;
    /// r has been computed anew, and x has its steps: before iteration k.
    virtual void go_on_from(const SpinorField& r, const Resume&) = 0;
    /// Those that x lacks, where nothing else adds them to it: else it gets them now.
    virtual LackingSteps lacking_steps(const SpinorField&, const SpinorField&) { return {}; }
    /// x gets the steps that it lacks.
    virtual void complete(const SpinorField& r, const SpinorField& x) = 0;
    /// Of A, in a solve that made n iterations of at most `most`, pauses left out; and in start().
    virtual long applications(int n, int most) const = 0;
    virtual long applications_of_start() const { return 0; }
    virtual long applications_of_preconditioner(int /*n*/) const { return 0; } ///< besides those
    virtual long applications_of_update() const { return 0; } ///< that go_on_from() costs
    /// What its state has besides x and r, by the paper's symbol.
    using Vectors = std::vector<std::pair<std::string, SpinorField*>>;
    virtual Vectors vectors() = 0;
    virtual std::vector<double> scalars() const = 0;
    virtual void set_scalars(const std::vector<double>&) = 0; ///< k is known
    virtual const ScalarData& scalar_data() const = 0;
    /// A vector that is of no use before start().
    virtual const SpinorField& idle() const = 0;

    const Operator& A;
    LatticeSums rr; ///< |r|^2 of an update
    Monitor monitor;
    int k = 0; ///< iterations submitted

private:
    void begin(SpinorField& r, SpinorField& x, double tol, Guess);
    SolveReport iterations(int most);
    void resume_those(const std::vector<bool>& those, const std::vector<bool>& waiting, int first,
                      const SolveControl&, const LatticeSums& rr);
    SolveReport go_to_end(const SolveControl&);
    Vectors all_vectors();
    void forget_reports() { reports_.assign(A.graph().rhs(), {}); }
    const SolveReport& first() const { return reports_.front(); }
    bool has_ended() const; ///< of all right-hand sides by itself

    Method method_;
    double drop_ = 0; ///< of correct()
    LatticeSums bb_;
    SpinorField *r_ = nullptr, *x_ = nullptr;
    long applications_at_start_ = 0;
    std::vector<SolveReport> reports_;
};

/// Conjugate Residual; A - A^dagger must be a multiple of 1: throws Error that says why if it is
/// not. With a tolerance it breaks down, too, where rounding takes the digits of a step
/// (codelets/cr_scalars/site.h).
std::unique_ptr<Solver> make_cr(const Operator&);
/// CG on the normal equations A^dagger A x = A^dagger b, stopped on |b - A x|; A with gamma5.
std::unique_ptr<Solver> make_cg(const Operator&);
/// BiCGstab, whose shadow residual is the r that it begins with.
std::unique_ptr<Solver> make_bicgstab(const Operator&);
/// GCR with a new cycle after so many directions, 1 to most_restart. M null: none; it may be in use
/// by nobody else.
class Preconditioner;
std::unique_ptr<Solver> make_gcr(const Operator&, int restart = default_restart,
                                 Preconditioner* M = nullptr);
/// restart: of gcr.
std::unique_ptr<Solver> make_solver(Method, const Operator&, int restart = default_restart);

} // namespace qcd
