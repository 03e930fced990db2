#pragma once
// Krylov methods for A x = b as the papers write them. Nothing waits inside an iteration: vectors
// and scalars are data of a task graph, and convergence is looked at some iterations late. What was
// submitted after convergence does nothing (the gate of codelets/device/solve_scalars.h), so x, the
// count and the digest do not depend on it. Right-hand sides that have ended wait behind their
// gates for the others.

#include "solver/linear_solver.hpp"
#include "solver/method.hpp"
#include "solver/monitor.hpp"
#include "solver/operator.hpp"
#include "solver/state.hpp"
#include "tasks/updates.hpp"

#include <climits>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace qcd
{

/// One method with its vectors and scalars, for one operator.
class Solver : public LinearSolver
{
public:
    Solver(const Solver&) = delete;
    Solver& operator=(const Solver&) = delete;

    /// r: b in, the method's b - A x on the way.
    std::vector<SolveReport> solve(SpinorField& r, SpinorField& x, const SolveControl&,
                                   const std::vector<Share>&) override;
    /// Goes on from the state of each right-hand side. A solve that pauses
    /// (SolveControl::checkpoints) and one that was resumed, on other tiles and workers, have the
    /// bits, counts and residuals of one that was not; the tolerance is that of its beginning.
    /// Throws Error where a state is of another method, lattice or precision.
    std::vector<SolveReport> resume(const std::vector<State>&, SpinorField& r, SpinorField& x,
                                    const SolveControl&, const std::vector<Share>&);

    // The part of a solve in two precisions (solver/mixed_solver.hpp) that a solver in the lower
    // one does: a right-hand side pauses when its r is to be computed anew, with what has broken
    // down, or after its most iterations.
    /// From x = 0 and an r whose dot() and that of b are given, in double.
    std::vector<SolveReport> correct(SpinorField& r, SpinorField& x, const SolveControl&,
                                     const std::vector<Share>&, const LatticeSums& rr,
                                     const LatticeSums& bb, double drop);
    /// y += x, with the steps that x lacks; x = 0.
    void add_correction(const SpinorField& y);
    /// How a right-hand side goes on with an r that was computed anew.
    struct Further {
        bool goes_on = false; ///< else it has ended, and is left alone from now on
        bool forgets = false; ///< goes on without its directions
        int most = 0;         ///< iterations of the whole solve
    };
    /// rr: dot() of the new r.
    void correct_further(const SolveControl&, const LatticeSums& rr, const std::vector<Further>&);
    const std::vector<SolveReport>& reports() const { return reports_; } ///< so far

    /// x ~ A^-1 r by so many iterations from 0, or fewer if |r| falls by the factor tol before, r as
    /// in solve(): submitted, nothing waits. Behind the closed gate of the method that this is for,
    /// x = 0.
    void apply(SpinorField& r, SpinorField& x, int iterations, const ScalarData& outer,
               double tol = 0);
    /// Applications of A in these iterations.
    long applications_of(int iterations) const
    {
        return applications_of_start() + applications(iterations, iterations);
    }

protected:
    Solver(const Operator&, Method);

    // What a method is.
    /// Prepares the first iteration, from rr = dot(r).
    virtual void start(const SpinorField& r, const Start&) = 0;
    /// Iterations k for as long as the monitor wants them. |r|^2 is known to the scalars when it
    /// begins, and when it ends, unless the monitor has seen the gate closed.
    virtual void iterate(const SpinorField& r, const SpinorField& x) = 0;
    /// Prepares iteration k where r has been computed anew and x has its steps: for the right-hand
    /// sides whose gates are not those of ended or waiting ones.
    virtual void go_on_from(const SpinorField& r, const Resume&) = 0;
    /// Are even iterations other than odd ones?
    virtual bool alternates() const { return false; }
    /// Called before x is added to another vector: gives x the steps that it lacks, or returns those
    /// that are to be added together with it.
    virtual LackingSteps prepare_correction(const SpinorField&, const SpinorField&) { return {}; }
    /// x gets the steps that it lacks.
    virtual void complete(const SpinorField& r, const SpinorField& x) = 0;
    /// Applications of A in a solve that made n iterations of at most `most`, pauses left out; and
    /// in start().
    virtual long applications(int n, int most) const = 0;
    virtual long applications_of_start() const { return 0; }
    virtual long applications_of_preconditioner(int /*n*/) const { return 0; } ///< besides those
    virtual long applications_of_update() const { return 0; } ///< that go_on_from() costs
    /// What its state has besides x and r, by the paper's symbol.
    using Vectors = std::vector<std::pair<std::string, SpinorField*>>;
    virtual Vectors vectors() = 0;
    virtual std::vector<double> scalars(int rhs) const = 0;
    virtual void set_scalars(const std::vector<double>&, int rhs) = 0; ///< k is known
    virtual const ScalarData& scalar_data() const = 0;
    /// A vector that is of no use before start().
    virtual const SpinorField& idle() const = 0;

    const Operator& A;
    LatticeSums rr; ///< |r|^2 of an update
    Monitor monitor;
    int k = 0; ///< iterations submitted

private:
    void take(SpinorField& r, SpinorField& x, const std::vector<Share>&);
    void begin();
    void start_with(const SpinorField& r, const LatticeSums& rr, const LatticeSums* bb,
                    double drop = 0);
    double rounding() const;
    void leave_out_others();
    /// Iterations from k on, after what `begin` submits, until all have ended or pause, or to
    /// iteration `until`.
    void iterations(const SolveControl&, const std::function<void()>& begin, int until = INT_MAX);
    void pause_those_at_their_most();
    void count_applications();
    void resume_those(const std::vector<bool>& those, const Resume&);
    int left() const;
    bool has_open() const;
    void finish();
    Vectors all_vectors();
    std::vector<State> states();

    Method method_;
    double drop_ = 0; ///< of correct()
    LatticeSums bb_;
    SpinorField *r_ = nullptr, *x_ = nullptr;
    std::vector<Share> shares_;
    std::vector<long> applications_at_start_;
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
/// by nobody else. vectors: its own; a solver with those of tasks alone has no states.
class Preconditioner;
std::unique_ptr<Solver> make_gcr(const Operator&, int restart = default_restart,
                                 Preconditioner* M = nullptr, Contents vectors = Contents::zeros);
/// restart: of gcr.
std::unique_ptr<Solver> make_solver(Method, const Operator&, int restart = default_restart);

} // namespace qcd
