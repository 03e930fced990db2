// `apply` against the plain loops of tests/reference.

#include "lattice/box.hpp"
#include "lattice/gauge_source.hpp"
#include "lattice/spinor_source.hpp"
#include "tests/drivers/json_schema.hpp"
#include "tests/drivers/program.hpp"
#include "tests/reference/dirac.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <numbers>

using namespace qcd::test;
namespace ref = qcd::reference;
using Json = nlohmann::json;

namespace
{

constexpr qcd::Extents apply_lattice{4, 6, 2, 8};

struct Apply {
    const char* options;
    bool antiperiodic;
    double mubar;
    double bound; ///< relative to |psi|^2
    std::array<double, 4> theta{};
    double csw = 0;
};

/// The defaults of the command line but for kappa.
ref::Wilson wilson_of(const Apply& a)
{
    const auto gauge = qcd::open_gauge("weak:0.3,5", apply_lattice);
    ref::Links links = ref::load_links(*gauge);
    std::size_t site = 0;
    qcd::for_each_site(apply_lattice, [&](const qcd::Coord& c) {
        for (int mu = 0; mu < 4; ++mu)
            if (c[mu] == apply_lattice[mu] - 1)
                for (int k = 0; k < 9; ++k)
                    links[36 * site + 9 * mu + k] *=
                        std::polar(1.0, std::numbers::pi * a.theta[mu]);
        ++site;
    });
    return {apply_lattice, links, 0.12, a.mubar, a.antiperiodic, a.csw};
}

void check_number(const Json& j, const char* name, ref::Complex expected, double bound)
{
    const Json& found = j.at(name);
    const ref::Complex z =
        found.is_array() ? ref::Complex(found.at(0), found.at(1)) : ref::Complex(found, 0);
    INFO(name << ": " << z << " is not " << expected);
    CHECK(std::abs(z - expected) <= bound);
}

void check_numbers(const Json& j, const ref::Wilson& w, double bound)
{
    const ref::Spinors psi =
        ref::load_spinors(apply_lattice, *qcd::open_spinor_source("random:3", apply_lattice));
    const ref::Spinors Dpsi = ref::dirac(w, psi);
    const auto check = [&](const char* name, ref::Complex expected) {
        check_number(j, name, expected, bound * ref::norm2(psi));
    };
    check("norm2_psi", ref::norm2(psi));
    check("norm2_Hpsi", ref::norm2(ref::hopping(w, psi)));
    check("norm2_Dpsi", ref::norm2(Dpsi));
    check("psi_D_psi", ref::inner(psi, Dpsi));
    check("psi_g5D_psi", ref::inner(psi, ref::gamma5(Dpsi)));
    check("norm2_DdagDpsi", ref::norm2(ref::dirac_dagger(w, Dpsi)));
    check("norm2_psi_even", ref::norm2(ref::only_parity(apply_lattice, psi, 0)));
    check("norm2_Dhat_even_psi", ref::norm2(ref::dirac_even(w, psi)));
}

} // namespace

TEST_CASE("apply: the numbers of the plain loops, as the schema has them")
{
    const Apply runs[] = {
        {"", true, 0, 1e-12},
        {"--mubar 0.1 --boundary periodic --tiles 1x3x1x2 --links 12", false, 0.1, 1e-12},
        {"--mubar 0.1 --tiles 2x1x1x2 --links 8", true, 0.1, 1e-12},
        {"--precision single", true, 0, 1e-5},
        {"--theta 0.3,-0.25,1.5,0.45 --tiles 2x1x1x2", true, 0, 1e-12, {0.3, -0.25, 1.5, 0.45}},
        {"--theta 0,0,0,1 --boundary periodic --mubar 0.1", false, 0.1, 1e-12, {0, 0, 0, 1}},
        {"--csw 1.3 --tiles 2x1x1x2 --links 12", true, 0, 1e-12, {}, 1.3},
        {"--csw -0.8 --mubar 0.1 --precision single", true, 0.1, 1e-5, {}, -0.8},
        {"--csw 1.3 --theta 0.3,0,0,1.5 --links 18", true, 0, 1e-12, {0.3, 0, 0, 1.5}, 1.3},
    };
    for (const Apply& a : runs) {
        INFO(a.options);
        const Json j = solve(std::string("apply --lattice 4x6x2x8 --gauge weak:0.3,5 --kappa 0.12 "
                                         "--source random:3 --cuda 0 --opencl 0 ") +
                             a.options);
        check_valid("apply", j);
        CHECK(j.at("lattice") == Json(apply_lattice));
        CHECK(j.at("kappa") == 0.12);
        CHECK(j.at("mubar") == a.mubar);
        CHECK(j.at("csw") == a.csw);
        CHECK(j.at("theta") == Json(a.theta));
        CHECK(j.at("boundary") == (a.antiperiodic ? "antiperiodic" : "periodic"));
        check_numbers(j, wilson_of(a), a.bound);
    }
}

TEST_CASE("apply prints what it writes")
{
    const Outcome o = run("apply --lattice 4x4x4x4 --cuda 0 --opencl 0");
    CHECK(o.status == 0);
    CHECK(o.err.empty());
    const std::size_t at = o.out.find("|D psi|^2");
    REQUIRE(at != std::string::npos);
    CHECK(std::stod(o.out.substr(at + 9)) ==
          Approx(o.json.at("norm2_Dpsi").get<double>()).epsilon(1e-12));
}
