#include "solver/preconditioner.hpp"

namespace qcd
{

namespace
{

/// What all have in common: vectors in the operator's precision, which may be lower.
class OnCopies : public Preconditioner
{
protected:
    explicit OnCopies(const Operator& A) : A(A), r_(A.vector()), x_(A.vector()) {}

    /// r_ = g r, by way of x_
    void take(const SpinorField& r, const chiral& g)
    {
        if (r.precision() == A.precision()) return scale(g, r, r_);
        narrow(r, x_);
        scale(g, x_, r_);
    }
    static void give(const SpinorField& x, const SpinorField& z, const ScalarData& outer)
    {
        if (z.precision() == x.precision())
            scale(spin::real(1), x, z, &outer);
        else
            widen(x, z, &outer);
    }

    const Operator& A;
    SpinorField r_, x_;
};

class InnerMethod : public OnCopies
{
public:
    InnerMethod(const Operator& A, Method method, int iterations, int restart)
        : OnCopies(A), method_(method), iterations_(iterations),
          solver_(make_solver(method, A, restart))
    {
    }

    void operator()(const SpinorField& r, const SpinorField& z, const ScalarData& outer) override
    {
        take(r, uses_gamma5(method_) ? spin::gamma5() : spin::real(1));
        solver_->apply(r_, x_, iterations_, outer);
        give(x_, z, outer);
    }
    long applications() const override { return solver_->applications_of(iterations_); }

private:
    Method method_;
    int iterations_;
    std::unique_ptr<Solver> solver_;
};

class Relaxation : public OnCopies
{
public:
    Relaxation(const DiracOperator& A, int steps)
        : OnCopies(A), D(A), other_(A.vector()), steps_(steps)
    {
    }

    void operator()(const SpinorField& r, const SpinorField& z, const ScalarData& outer) override
    {
        take(r, spin::real(1));
        const SpinorField *x = &r_, *next = &x_; // one step from 0 gives r
        for (int i = 1; i < steps_; ++i) {
            D.relax(*x, r_, *next, &outer);
            x = next;
            next = x == &x_ ? &other_ : &x_;
        }
        give(*x, z, outer);
    }
    long applications() const override { return steps_ - 1; }

private:
    const DiracOperator& D;
    SpinorField other_;
    int steps_;
};

} // namespace

std::unique_ptr<Preconditioner> make_inner_method(const Operator& A, Method method, int iterations,
                                                  int restart)
{
    return std::make_unique<InnerMethod>(A, method, iterations, restart);
}

std::unique_ptr<Preconditioner> make_relaxation(const DiracOperator& A, int steps)
{
    return std::make_unique<Relaxation>(A, steps);
}

} // namespace qcd
