#pragma once
// What GCR applies to its residual in each iteration: z = M r, M about A^-1. Other r may get
// another M: nothing that uses one supposes that it is linear.

#include "solver/solver.hpp"

#include <memory>

namespace qcd
{

class Preconditioner
{
public:
    virtual ~Preconditioner() = default;
    /// z = M r, submitted; nothing waits. Behind the closed gate of `outer` z stays as it is, and
    /// little is done. z must not be r.
    virtual void operator()(const SpinorField& r, const SpinorField& z,
                            const ScalarData& outer) = 0;
    /// How often it has applied an operator.
    virtual long applications() const = 0;
};

/// `iterations` iterations of a method on the operator, from 0. `A`: with gamma5 where the method
/// wants it (uses_gamma5), in any precision below that of r and z, or theirs. restart: of gcr.
std::unique_ptr<Preconditioner> make_inner_method(const Operator& A, Method, int iterations,
                                                  int restart);

/// `steps` steps x <- x + (r - A x) from 0: the Neumann series of A^-1 about 1. No sums, no
/// scalars: with an operator whose links are cut at the boundaries of tiles (Domains) a tile needs
/// nothing of another one. A without gamma5 and without a clover term.
std::unique_ptr<Preconditioner> make_relaxation(const DiracOperator& A, int steps);

} // namespace qcd
