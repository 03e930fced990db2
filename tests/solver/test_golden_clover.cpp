// Solves with a clover term against the reference numbers (clover.json).

#include "solver/operator_norms.hpp"
#include "tests/reference/golden_checks.hpp"
#include "tests/solver/tiled_solve.hpp"

#include <array>
#include <tuple>
#include <utility>

using namespace qcd;
using namespace qcd::test;
using nlohmann::json;
using ref::check_near;
using ref::near;

namespace
{

Tiling clover_tiling(const Extents& l) { return Tiling(l, Extents{1, 2, 1, 2}); }

/// Calls check(operator, values) for every entry, with a StarPU worker.
template <class Check>
void for_clover_values(const std::filesystem::path& folder, const Check& check)
{
    use_workers({.cpu = 1}); // tiny tasks: more workers only wait for each other
    ref::for_golden_clover(folder, check);
}

OperatorNorms norms_on_tiles(const ref::Wilson& w, Precision precision)
{
    LatticeGraph graph(clover_tiling(w.lattice));
    const DiracParameters parameters{w.kappa, w.mubar, w.csw};
    const auto clover = clover_of(graph, precision, parameters, CloverField::Inverse::on_odd_sites);
    const auto gauge =
        gauge_of(graph, precision, w.links, w.antiperiodic, LinkStorage::full, clover.get());
    const Wilson wilson(graph, *gauge, precision, clover.get());
    return norms_of(wilson, parameters,
                    *field_of(graph, precision, Sites::all, ref::det_spinor(w.lattice, 1)));
}

/// Correlators of the pion along t and z, from the 12 sources of one component at the origin.
std::array<std::vector<double>, 2> correlators(const ref::Wilson& w)
{
    std::array<std::vector<double>, 2> c{std::vector<double>(w.lattice[3]),
                                         std::vector<double>(w.lattice[2])};
    TiledSolve problem(w, clover_tiling(w.lattice), {Method::cg, true, Precision::f64});
    for (int component = 0; component < 12; ++component) {
        ref::Spinors b(volume(w.lattice) * 12);
        b[component] = 1;
        CHECK(problem.solve(b, until(1e-12)).converged);
        const ref::Spinors x = problem.x();
        for (std::size_t k = 0; k < x.size(); ++k) {
            const Coord site = ref::site_coord(w.lattice, long(k / 12));
            c[0][site[3]] += std::norm(x[k]);
            c[1][site[2]] += std::norm(x[k]);
        }
    }
    return c;
}

} // namespace

QCD_GOLDEN_CASE("golden: operators with a clover term")
{
    for_clover_values(folder, [](const ref::Wilson& w, const json& v) {
        for (const Precision precision : {Precision::f64, Precision::f32}) {
            const double bound = precision == Precision::f64 ? 1e-12 : 1e-6;
            const OperatorNorms n = norms_on_tiles(w, precision);
            CHECK(n.norm2_Dpsi == near(v.at("norm2_Dpsi"), bound));
            check_near(n.psi_D_psi, v.at("psi_D_psi"), bound * n.norm2_psi);
            check_near(n.psi_g5D_psi, v.at("psi_g5D_psi"), bound * n.norm2_psi);
            CHECK(n.norm2_DdagDpsi == near(v.at("norm2_DdagDpsi"), bound));
            CHECK(n.norm2_Dhat_even_psi == near(v.at("norm2_Dhat_even_psi"), bound));
        }
    });
}

QCD_GOLDEN_CASE("golden: iteration counts and solutions with a clover term")
{
    for_clover_values(folder, [](const ref::Wilson& w, const json& v) {
        const ref::Spinors b = ref::det_spinor(w.lattice, 1);
        for (const auto& [name, method, even_odd] :
             {std::tuple{"CGNR", Method::cg, false},
              {"BiCGstab", Method::bicgstab, false},
              {"eo-CGNR(even)", Method::cg, true},
              {"eo-BiCGstab(even)", Method::bicgstab, true}}) {
            INFO(name);
            TiledSolve problem(w, clover_tiling(w.lattice), {method, even_odd, Precision::f64});
            const SolveReport report = problem.solve(b, until(1e-10));
            CHECK(report.converged);
            // Rounding spreads the counts of BiCGstab where there are many.
            const int expected = v.at("iterations_to_1e-10").at(name);
            const int margin = method == Method::cg ? 1 : 1 + expected / 10;
            CHECK(std::abs(report.iterations - expected) <= margin);
            CHECK(problem.true_residual() <= 2e-10);
        }
        for (const bool even_odd : {true, false}) {
            TiledSolve problem(w, clover_tiling(w.lattice), {Method::cg, even_odd, Precision::f64});
            CHECK(problem.solve(b, until(1e-12)).converged);
            const SolutionSums s = problem.verified();
            CHECK(s.norm2 == near(v.at("solution").at("norm2"), 1e-9));
            check_near({s.source_dot[0], s.source_dot[1]}, v.at("solution").at("source_dot"),
                       1e-9 * ref::norm2(b));
        }
    });
}

QCD_GOLDEN_CASE("golden: pion correlators with a clover term")
{
    for_clover_values(folder, [](const ref::Wilson& w, const json& v) {
        const auto c = correlators(w);
        const json& pion = v.at("pion_correlator_point_origin");
        for (const auto& [axis, values] : {std::pair{"t", c[0]}, {"z", c[1]}}) {
            INFO(axis);
            REQUIRE(values.size() == pion.at(axis).size());
            for (std::size_t k = 0; k < values.size(); ++k)
                CHECK(values[k] == near(pion.at(axis)[k], 1e-9));
        }
    });
}
