#pragma once
// A whole solve of D x = b on tiles, as the program sets it up.

#include "solver/dirac_solve.hpp"
#include "tests/tasks/graph.hpp"

#include <fmt/format.h>

namespace qcd::test
{

inline SolveControl until(double tol, int max_iterations = 10000)
{
    SolveControl c;
    c.tol = tol;
    c.max_iterations = max_iterations;
    return c;
}

struct Setting {
    Method method = Method::cr;
    bool even_odd = true;
    Precision precision = Precision::f64;
    LinkStorage links = LinkStorage::full;
    std::optional<Precision> sloppy{};
    std::optional<double> drop{};
    int restart = 3;
    std::optional<Preconditioning> preconditioning{};
};

inline std::string name_of(const Setting& s)
{
    constexpr std::array methods{"cr", "cg", "bicgstab", "gcr"};
    const char* method = methods[int(s.method)];
    return fmt::format("{}{}, {}{}, links of {}", method, s.even_odd ? ", even-odd" : "",
                       s.precision == Precision::f64 ? "double" : "single",
                       !s.sloppy                    ? ""
                       : s.sloppy == Precision::f16 ? " by half"
                                                    : " by single",
                       reals(s.links));
}

/// A solve of the plain arrays of `w`, on one tiling.
class TiledSolve
{
public:
    TiledSolve(const ref::Wilson& w, const Tiling& tiling, const Setting& s, Plan plan = {},
               int rhs = 1)
        : plain_(w), graph_(tiling, std::move(plan), {1, 1, 1, 1}, rhs), gauge_(w.lattice, w.links),
          tasks_(
              graph_,
              {.dirac = {w.kappa, w.mubar, w.csw},
               .antiperiodic = w.antiperiodic,
               .method = s.method,
               .even_odd = s.even_odd,
               .precision = s.precision,
               .links = s.links,
               .sloppy = s.sloppy,
               .sloppy_drop = s.drop.value_or(default_sloppy_drop(s.sloppy.value_or(s.precision))),
               .restart = s.restart,
               .preconditioning = s.preconditioning},
              gauge_),
          b_(graph_, s.precision, Sites::all)
    {
    }

    void set_source(const ref::Spinors& b)
    {
        const ref::ArraySource source(graph_.tiling().lattice(), b);
        b_.fill(source);
        tasks_.set_source(source);
    }
    SolveReport solve(const ref::Spinors& b, const SolveControl& control, Guess guess = Guess::zero)
    {
        set_source(b);
        return tasks_.solve(control, guess).front();
    }
    /// From the state of its one right-hand side.
    SolveReport resume(const State& state, const SolveControl& control)
    {
        return tasks_.resume({state}, control).front();
    }
    DiracSolve& parts() { return tasks_; }

    /// Tasks submitted so far.
    long tasks() const { return graph_.tasks(); }
    ref::Spinors x(int rhs = 0)
    {
        ref::Spinors psi(12 * volume(plain_.lattice));
        tasks_.visit_x(
            [&](const Coord& c, const double s[24]) {
                for (int k = 0; k < 12; ++k)
                    psi[12 * ref::site_number(plain_.lattice, c) + k] = {s[2 * k], s[2 * k + 1]};
            },
            rhs);
        return psi;
    }
    std::uint64_t digest() { return tasks_.digest_of_x(); }
    /// As tasks compute it.
    SolutionSums verified() { return tasks_.verify(); }
    /// |b - D x| / |b| by the plain loops in double.
    double true_residual()
    {
        const ref::Spinors b = values(b_);
        return std::sqrt(ref::norm2(ref::combine(1, b, -1, ref::dirac(plain_, x()))) /
                         ref::norm2(b));
    }

    /// lattice/heavy_quark_residual.hpp, likewise
    double heavy_quark_residual()
    {
        const ref::Spinors solution = x();
        return ref::heavy_quark_residual(
            ref::combine(1, values(b_), -1, ref::dirac(plain_, solution)), solution);
    }

private:
    ref::Wilson plain_;
    LatticeGraph graph_;
    ref::ArrayGauge gauge_;
    DiracSolve tasks_;
    SpinorField b_; // as the solve has rounded it
};

inline const Extents& small_lattice()
{
    static const Extents l{4, 6, 2, 8};
    return l;
}

/// Random links that single precision holds, and a quark that is heavy enough for few iterations.
inline ref::Wilson small_wilson(double mubar = 0, double csw = 0)
{
    return {
        small_lattice(), in_single(ref::gen_gauge(small_lattice(), 7, 1)), 0.1, mubar, true, csw};
}

/// small_wilson() with links in SU(3) to double precision.
inline ref::Wilson small_unitary_wilson(double csw = 0)
{
    return {small_lattice(), ref::gen_gauge(small_lattice(), 7, 1), 0.1, 0, true, csw};
}

inline ref::Spinors small_source() { return in_single(ref::det_spinor(small_lattice(), 1)); }

inline Tiling small_tiling() { return Tiling(small_lattice(), Extents{1, 2, 1, 2}); }

inline Setting any_setting(Method method)
{
    Setting s;
    s.method = method;
    s.even_odd = GENERATE(true, false);
    s.precision = any_precision();
    return s;
}

inline Setting any_setting()
{
    return any_setting(GENERATE(Method::cr, Method::cg, Method::bicgstab, Method::gcr));
}

} // namespace qcd::test
