// Vector operations of the ladder in both forms, and its sums in passes.

#include "tasks/ladder_vectors.hpp"
#include "tests/tasks/ladder.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>

using namespace qcd;
using namespace qcd::test;

namespace
{

ref::Complex value(const ladder_sum& s) { return {s.re, s.im}; }

/// Fields x and y, and what is done with them.
struct Vectors {
    Vectors(Graph& g, const Extents& l, const std::vector<int>& slabs, Precision p, LadderThread t)
        : graph(g), lattice(g, l, slabs), blas(lattice, p, t), x(lattice, p), y(lattice, p),
          a(in_single(ref::det_spinor(l, 4))), b(in_single(ref::det_spinor(l, 5)))
    {
        x.fill(ref::ArraySource(l, a));
        y.fill(ref::ArraySource(l, b));
    }
    Graph& graph;
    LadderLattice lattice;
    LadderVectors blas;
    LadderField x, y;
    ref::Spinors a, b;
};

} // namespace

TEST_CASE("ladder: vector operations and sums in both forms", "[ladder]")
{
    any_workers();
    const Precision precision = any_precision();
    const double eps = epsilon(precision);
    const Extents l{4, 4, 2, 10};
    // One tile, unequal ones, and more than a task adds up.
    for (const std::vector<int>& slabs : {std::vector<int>{10}, {1, 2, 7}, std::vector<int>(10, 1)})
        for (const LadderThread thread : {LadderThread::spinor, LadderThread::element}) {
            INFO(fmt::format("slabs {}, a thread {}", fmt::join(slabs, " "),
                             thread == LadderThread::spinor ? "a spinor" : "an element"));
            Graph graph({});
            Vectors v(graph, l, slabs, precision, thread);
            LadderScalar xy(graph), xx(graph), quotient(graph);
            v.blas.xdot(v.x, v.y, xy);
            v.blas.xnrm2(v.x, xx);
            v.blas.quotient(xy, xx, quotient);
            const ref::Complex dot = ref::inner(v.a, v.b);
            const double norm2 = ref::norm2(v.a);
            CHECK(std::abs(value(xy.wait()) - dot) < 1e-12 * norm2);
            CHECK(xx.wait().re == Approx(norm2).epsilon(1e-13));
            CHECK(xx.wait().im == 0);
            const ref::Complex alpha = value(quotient.wait());
            CHECK(std::abs(alpha - std::conj(dot) / norm2) < 1e-12);

            v.blas.xaxpy(-1, &quotient, v.x, v.y);
            CHECK(ref::distance(values(v.y), ref::combine(-alpha, v.a, 1, v.b)) < 4 * eps);
            v.blas.xscal(quotient, v.x);
            CHECK(ref::distance(values(v.x), ref::combine(alpha, v.a, 0, v.a)) < 4 * eps);
            v.blas.xcopy(v.x, v.y);
            CHECK(values(v.y) == values(v.x));
            v.blas.xaxpy(+1, nullptr, v.x, v.y);
            CHECK(values(v.y) == ref::combine(2, values(v.x), 0, values(v.x)));
            v.blas.clear(v.y);
            CHECK(ref::norm2(values(v.y)) == 0);
            v.blas.xnrm2(v.y, xx); // nothing divided by nothing is nothing
            v.blas.quotient(xx, xx, quotient);
            CHECK(value(quotient.wait()) == ref::Complex(0));
        }
}
