// D x = b from C++, for two sources with one solver, and by another plan.
#include <qcd_starpu.hpp>

#include <cinttypes>
#include <cstdio>

namespace
{

void print(const std::string& what, const qcd::Report& r)
{
    std::printf("%s: %d iterations, |b - D x|/|b| = %.2e, digest %016" PRIx64 "\n", what.c_str(),
                r.iterations, r.residual, r.digest);
}

} // namespace

int main()
try {
    const qcd::Extents lattice{4, 4, 4, 8};
    // Here stands what fills your links and sources; see qcd_starpu.h for their order.
    const std::vector<double> links = qcd::read_gauge("weak:0.2", lattice);

    qcd::Problem problem{.lattice = lattice, .kappa = 0.12};
    problem.links.data = links.data();
    problem.method = qcd::Method::bicgstab;
    const qcd::Session session({.cpus = 1});
    std::vector<double> x(24 * 4 * 4 * 4 * 8);

    qcd::Solver solver(session, problem);
    for (const char* source : {"random:1", "point:0,0,0,0,0,0"})
        print(source, solver.solve(qcd::read_source(source, lattice), x));

    const qcd::Plan plan{.kind = "graph", .tiles = qcd::Extents{1, 1, 2, 2}};
    const qcd::Report again =
        qcd::solve(session, problem, plan, qcd::read_source("random:1", lattice), x);
    print("random:1 on four tiles", again); // the same digest
    return again.status;
} catch (const qcd::Error& e) {
    std::fprintf(stderr, "solve: %s\n", e.what());
    return e.status();
}
