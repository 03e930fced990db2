#pragma once
// The program of 2013 before any port to a runtime system, whose time is the denominator of all
// speed-ups: plain loops over sites, arrays of structures, no StarPU, no intrinsics, nothing fused.
// threads = 1 is `--engine sequential`; more are OpenMP threads, `--engine openmp`. Same source,
// same bits.

#include "lattice/extents.hpp"

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace qcd
{
class GaugeSource;
class SpinorSource;
} // namespace qcd

namespace qcd::baseline
{

struct Problem {
    Extents lattice;
    double kappa;
    double mubar = 0; ///< twisted mass, 2 kappa mu
    bool antiperiodic = true;
    bool even_odd = true;
    std::string solver = "cr"; ///< cr, cg or bicgstab
    /// On |r|/|b'| of the system iterated on, recursive residual; what has converged goes on until
    /// the true one, |b - D x|/|b|, is at most this, too (lattice/true_residual.hpp).
    double tol = 1e-10;
    int max_iterations = 10000;
    int exact_iterations = -1; ///< that many without a convergence test; -1 = off
    const std::atomic<bool>* interrupt = nullptr; ///< set from outside: end with the x so far
    int threads = 1;
    /// Iteration and |r|/|b|, after each; or none.
    std::function<void(int, double)> progress = nullptr;
};

struct Result {
    int iterations;             ///< updates of x
    long operator_applications; ///< of D, or of Dhat with even_odd
    double iterated_residual;
    bool converged;
    bool interrupted;
    bool breakdown;                       ///< the residual became no number
    std::vector<double> residual_history; ///< from 1 before the first iteration
    double seconds_solve;                 ///< with the even-odd source and completion
};

/// Solves D x = b, D = 1 - kappa H + i mubar gamma5. With even_odd on Dhat for the even sites, the
/// odd ones completed. cr works on gamma5 D (Q + i mubar) or gamma5 Dhat. Real = double or float:
/// storage and arithmetic; sums are double.
template <class Real>
class Engine
{
public:
    /// Throws Error: a solver of another name, bad numbers, cr with even_odd and mubar != 0, or a
    /// gauge field of other extents. Reads the slices of the gauge source once, in order; single
    /// precision keeps the links in double as well, for the true residual.
    Engine(const Problem& problem, GaugeSource& gauge);
    ~Engine();

    /// What a solve and its true residual need at most.
    static std::size_t bytes(const Problem& problem);

    /// The source must live until the last call of true_residual. Throws Error where its squares
    /// are no ordinary numbers.
    Result solve(const SpinorSource& b);

    /// x(site) as [spin][colour][re,im]; zero before the first solve.
    void solution_site(const Coord& site, double out[24]) const;

    struct Residual {
        double relative;    ///< |b - D x| / |b|; 0 for b = 0
        double heavy_quark; ///< lattice/heavy_quark_residual.hpp
        double x_over_b;    ///< |x| / |b|; 0 for b = 0
    };
    /// Recomputed in double with the links of the gauge source.
    Residual true_residual() const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace qcd::baseline
