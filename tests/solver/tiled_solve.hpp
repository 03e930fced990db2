#pragma once
// A whole solve of D x = b on tiles, as the program sets it up.

#include "solver/solver.hpp"
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
};

inline std::string name_of(const Setting& s)
{
    const char* method = s.method == Method::cr ? "cr" : s.method == Method::cg ? "cg" : "bicgstab";
    return fmt::format("{}{}, {}", method, s.even_odd ? ", even-odd" : "",
                       s.precision == Precision::f64 ? "double" : "single");
}

/// Links, operator, vectors and solver on one tiling.
class TiledSolve
{
public:
    TiledSolve(const ref::Wilson& w, const Tiling& cut, const Setting& s)
        : plain_(w), tiling_(cut), gauge_(gauge_of(tiling_, s.precision, w.links, w.antiperiodic)),
          wilson_(tiling_, *gauge_, s.precision),
          operator_(wilson_, {w.kappa, w.mubar}, s.even_odd, uses_gamma5(s.method)),
          solver_(make_solver(s.method, operator_)), b_(tiling_, s.precision, Sites::all),
          x_(tiling_, s.precision, Sites::all), r_(tiling_, s.precision, operator_.sites()),
          y_(tiling_, s.precision, operator_.sites())
    {
    }

    SolveReport solve(const ref::Spinors& b, const SolveControl& control)
    {
        b_.fill(ref::ArraySource(tiling_.lattice(), b));
        operator_.prepare(b_, r_);
        const SolveReport report = solver_->solve(r_, y_, control);
        operator_.reconstruct(y_, b_, x_);
        return report;
    }

    ref::Spinors x() const { return values(x_); }
    std::uint64_t digest() const { return x_.digest(); }
    /// |b - D x| / |b| by the plain loops in double.
    double true_residual() const
    {
        const ref::Spinors b = values(b_);
        return std::sqrt(ref::norm2(ref::combine(1, b, -1, ref::dirac(plain_, x()))) /
                         ref::norm2(b));
    }

private:
    ref::Wilson plain_;
    Tiling tiling_;
    std::unique_ptr<GaugeField> gauge_;
    Wilson wilson_;
    Operator operator_;
    std::unique_ptr<Solver> solver_;
    SpinorField b_, x_, r_, y_;
};

inline const Extents& small_lattice()
{
    static const Extents l{4, 6, 2, 8};
    return l;
}

/// Random links that single precision holds, and a quark that is heavy enough for few iterations.
inline ref::Wilson small_wilson(double mubar = 0)
{
    return {small_lattice(), in_single(ref::gen_gauge(small_lattice(), 7, 1)), 0.1, mubar, true};
}

inline ref::Spinors small_source() { return in_single(ref::det_spinor(small_lattice(), 1)); }

inline Tiling small_tiling() { return Tiling(small_lattice(), Extents{1, 2, 1, 2}); }

inline Setting any_setting()
{
    Setting s;
    s.method = GENERATE(Method::cr, Method::cg, Method::bicgstab);
    s.even_odd = GENERATE(true, false);
    s.precision = any_precision();
    return s;
}

} // namespace qcd::test
