// Propagators and the pion's correlator as a user gets them, against other codes' numbers and
// against the slow loops.

#include "lattice/files/hdf5_dataset.hpp"
#include "lattice/files/spinor_file.hpp"
#include "lattice/gauge_source.hpp"
#include "lattice/pion_correlator.hpp"
#include "tests/drivers/json_schema.hpp"
#include "tests/drivers/program.hpp"
#include "tests/reference/golden_checks.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <fmt/format.h>
#include <sys/resource.h>

using namespace qcd::test;
using qcd::reference::golden_folder;
using qcd::reference::report_skipped;
using Json = nlohmann::json;
using Values = std::vector<double>;

namespace
{

void compare(const Json& pion, const char* axis, const Values& expected)
{
    const Values c = pion.at(axis).at("correlator");
    REQUIRE(c.size() == expected.size());
    for (std::size_t d = 0; d < c.size(); ++d) {
        INFO(axis << ' ' << d);
        CHECK(c[d] == Approx(expected[d]).epsilon(1e-9)); // as is said of those that are compared
    }
}

/// The correlator that a run with these arguments has printed.
Json pion_of(const std::string& arguments)
{
    return solve("propagator --quiet --cpus 1 --tol 1e-12 " + arguments).at("pion");
}

std::string problem(const Json& run)
{
    return fmt::format(" --kappa {} --mubar {} --csw {} --boundary {}",
                       run.at("kappa").get<double>(), run.at("mubar").get<double>(),
                       run.value("csw", 0.0), run.at("bc_t") == -1 ? "antiperiodic" : "periodic") +
           (run.at("mubar") == 0 ? "" : " --solver cg");
}

std::string file_of(const std::filesystem::path& folder, std::string name)
{
    if (!std::filesystem::exists(folder / "data" / name)) name += ".ildg";
    return folder / "data" / name;
}

/// What is found for the quark of `run` on this field.
void compare_run(const std::filesystem::path& folder, const std::string& name, const Json& run,
                 const Values& along_t, const Values& along_z)
{
    INFO(name << problem(run));
    const Json pion = pion_of("--gauge " + file_of(folder, name) + problem(run));
    compare(pion, "t", along_t);
    compare(pion, "z", along_z);
}

} // namespace

QCD_GOLDEN_CASE("correlators are those of the reference numbers")
{
    const Json configs = qcd::reference::golden_numbers(folder).at("configs");
    std::size_t compared = 0;
    for (const auto& [name, config] : configs.items())
        for (const Json& run : config.at("runs")) {
            if (!run.contains("pion")) continue;
            compare_run(folder, name, run, run.at("pion").at("C_t"), run.at("pion").at("C_z"));
            ++compared;
        }
    CHECK(compared >= qcd::reference::golden_count(folder, 2, 12));
}

QCD_GOLDEN_CASE("correlators with and without clover term are those of clover.json")
{
    std::size_t compared = 0;
    const Json numbers = qcd::reference::golden_numbers(folder, "clover.json");
    for (const Json& run : numbers.at("values")) {
        const Json& pion = run.at("pion_correlator_point_origin");
        compare_run(folder, run.at("file"), run, pion.at("t"), pion.at("z"));
        ++compared;
    }
    CHECK(compared >= qcd::reference::golden_count(folder, 1, 6));
}

TEST_CASE("correlators are CL2QCD's, times (2 kappa)^2 over the sites of a slice", "[reference]")
{
    const auto folder = golden_folder();
    if (!folder) return report_skipped();
    const auto as_here = [](Values c) {
        for (double& value : c) value *= 64 / 0.09;
        return c;
    };
    const std::string file = "--gauge " + file_of(*folder, "conf.00200"),
                      quark = " --kappa 0.15 --boundary periodic";
    compare(pion_of(file + quark), "z",
            as_here({2.23946028664745e-02, 2.05485346957700e-03, 6.96566865496375e-04,
                     2.17148162775779e-03}));
    // The same flavour has the other sign in the chiral basis.
    const Json twisted = pion_of(file + quark + " --mubar -1.2 --solver cg");
    compare(twisted, "z",
            as_here({6.40008946516344e-03, 1.17492646085198e-04, 2.50278817534017e-06,
                     1.18464343697740e-04}));
    compare(twisted, "t",
            as_here({6.39838341066878e-03, 1.18922612884654e-04, 2.48500477806187e-06,
                     1.18758214790220e-04}));
    const Json free = pion_of("--lattice 4x4x4x4 --gauge unit" + quark);
    compare(free, "z",
            as_here({1.83008474327911e-02, 3.14850262023767e-03, 7.81590667980677e-04,
                     3.14850262023767e-03}));
}

TEST_CASE("the file has S with D S = the source, by the slow loops, and the sums are its")
{
    namespace ref = qcd::reference;
    const qcd::Extents lattice{2, 4, 2, 4};
    const auto [option, source, origin] = GENERATE(table<std::string, std::string, qcd::Coord>(
        {{"--point 1,2,1,3", "point:1,2,1,3", {1, 2, 1, 3}},
         {"--wall 2", "wall:2", {0, 0, 0, 2}}}));
    const std::string name = GENERATE("S.lime", "S.h5");
    const std::string phases = GENERATE("boundary", "spread");
    if (name == "S.h5" && !qcd::has_hdf5()) return;
    const Scratch scratch;
    const std::string file = scratch / name;
    const Json j =
        solve("propagator --quiet --cpus 1 --tol 1e-11 --lattice 2x4x2x4 --gauge random:5 "
              "--kappa 0.11 " +
              option + " --save " + file + (phases == "spread" ? " --phases spread" : ""));
    check_valid("propagator", j);
    CHECK(j.at("phases") == phases);
    CHECK(j.at("source") == source);
    CHECK(j.at("file") == file);
    const qcd::SpinorFile s = qcd::open_spinor_file(file, lattice);
    s.verify();
    REQUIRE(s.is_propagator());
    CHECK(to_string(s.phases()) == phases);
    if (phases == "spread") CHECK(s.angles() == qcd::Theta{0, 0, 0, 1});
    const auto gauge = qcd::open_gauge("random:5", lattice);
    const ref::Wilson w{lattice, ref::load_links(*gauge), 0.11, 0, true};
    std::vector<double> t(4), z(2);
    for (int n = 0; n < 12; ++n) {
        const auto b = ref::load_spinors(
            lattice,
            *qcd::open_spinor_source(fmt::format("{},{},{}", source, n / 3, n % 3), lattice));
        const auto x = ref::load_spinors(lattice, *s.spinor(n));
        CHECK(std::sqrt(ref::norm2(ref::combine(1, b, -1, ref::dirac(w, x))) / ref::norm2(b)) <
              3e-11);
        for (std::size_t k = 0; k < x.size(); ++k) {
            const qcd::Coord c = ref::site_coord(lattice, long(k / 12));
            t[(c[3] - origin[3] + 4) % 4] += std::norm(x[k]);
            z[(c[2] - origin[2] + 2) % 2] += std::norm(x[k]);
        }
        const Json& solved = j.at("sources").at(n);
        CHECK(solved.at("spin") == n / 3);
        CHECK(solved.at("colour") == n % 3);
        CHECK(solved.at("residual") < 3e-11);
    }
    compare(j.at("pion"), "t", t);
    compare(j.at("pion"), "z", z);
}

TEST_CASE("a column is what solve finds, whatever the tiles")
{
    const std::string all = "--lattice 4x4x4x8 --gauge random:2 --mass 0.4 --quiet --cpus 1 ";
    const Json one = solve("propagator " + all),
               tiled = solve("propagator " + all + "--tiles 1x2x1x2");
    for (int n = 0; n < 12; ++n)
        CHECK(one.at("sources").at(n).at("digest") == tiled.at("sources").at(n).at("digest"));
    CHECK(one.at("pion") == tiled.at("pion"));
    CHECK(one.at("source") == "point:0,0,0,0");
    CHECK(one.at("sources").at(7).at("digest") ==
          solve(all + "--solver cg --sloppy single --source point:0,0,0,0,2,1")
              .at("solution")
              .at("digest"));
}

TEST_CASE("a propagator beyond the limit of files costs neither JSON nor pictures' numbers")
{
    const Scratch scratch;
    const std::string all = "propagator --lattice 4x4x4x4 --cpus 1 --quiet --save " +
                            scratch / "S" + " --plot " + scratch / "plots/new";
    const Outcome good = run(all);
    INFO(good.err);
    CHECK(good.status == 0);
    std::filesystem::remove(scratch / "S");
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small{300 << 10, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small); // the program inherits it
    const Outcome o = run(all);
    setrlimit(RLIMIT_FSIZE, &before);
    CHECK(o.status == 2);
    CHECK(std::count(o.err.begin(), o.err.end(), '\n') == 1);
    CHECK(o.err.find("cannot write") != std::string::npos);
    CHECK(o.json.at("file").is_null());
    CHECK(o.json.at("pion") == good.json.at("pion"));
    CHECK_FALSE(std::filesystem::exists(scratch / "S"));
    const std::string numbers = read_text(scratch / "plots/new/pion.dat");
    CHECK(std::count(numbers.begin(), numbers.end(), '\n') == 12); // 4 + 4 and what is between
}

TEST_CASE("the effective mass of a cosh is its mass")
{
    const double mass = GENERATE(0.05, 0.7, 2.5);
    Values c(12);
    for (int d = 0; d < 12; ++d) c[d] = 3 * std::cosh(mass * (d - 6));
    const auto masses = qcd::effective_masses(c);
    CHECK_FALSE(masses[0]);
    for (int d = 1; d < 12; ++d) CHECK(masses[d].value() == Approx(mass));
    for (const auto& none : qcd::effective_masses({1, 5, 1, 0})) CHECK_FALSE((none && *none > 2));
    CHECK_FALSE(qcd::effective_masses({1, 5, 1, 2})[1]);
}

TEST_CASE("what propagator cannot do is said in one line")
{
    const Scratch scratch;
    const std::string small = "propagator --lattice 4x4x4x4 --cpus 1 ";
    const struct {
        std::string arguments, culprit;
    } bad[] = {{"--point 0,0,0", "source"},
               {"--point 0,0,0,4", "t = 4"},
               {"--wall 4", "t = 4"},
               {"--wall 1 --point 0,0,0,0", "excludes"},
               {"--wall 1 --smeared 1,2", "excludes"},
               {"--smeared 1", "--smeared"},
               {"--resume", "--save"},
               {"--dry-run --save " + scratch / "S", "--dry-run"},
               {"--source random:1", "--source"},
               {"--solver bicgstab --even-odd off", "BiCGstab"},
               {"--save " + scratch / "no/S", "there is no folder"}};
    for (const auto& c : bad) {
        const Outcome o = run(small + c.arguments);
        INFO(c.arguments << '\n' << o.err);
        CHECK(o.status == 2);
        CHECK(std::count(o.err.begin(), o.err.end(), '\n') == 1);
        CHECK(o.err.find(c.culprit) != std::string::npos);
    }
    CHECK(run(small + "--max-iterations 2").status == 1);
}

TEST_CASE("sources that are solved together have the bits of each by itself")
{
    const std::string problem = "propagator --quiet --cpus 1 --lattice 4x4x2x4 --gauge random:5 "
                                "--kappa 0.11 " +
                                GENERATE(std::string(), std::string("--solver cg --sloppy half "));
    const Json each = solve(problem + "--rhs 1");
    for (const std::string together : {"--rhs 5", ""}) {
        const Json j = solve(problem + together);
        check_valid("propagator", j);
        CHECK(j.at("pion") == each.at("pion"));
        for (int n = 0; n < 12; ++n)
            for (const char* key :
                 {"spin", "colour", "iterations", "residual", "digest", "verified"})
                CHECK(j.at("sources").at(n).at(key) == each.at("sources").at(n).at(key));
    }
}
