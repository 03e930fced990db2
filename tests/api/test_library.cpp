// The library as a program of another project calls it: by its headers alone.

#include "api/qcd_starpu.hpp"
#include "tests/drivers/program.hpp"
#include "tests/required.hpp"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

namespace
{

const qcd::Extents lattice{2, 4, 6, 4};
constexpr std::size_t sites = 2 * 4 * 6 * 4;

qcd::Problem problem_on(const std::vector<double>& links)
{
    qcd::Problem p{.lattice = lattice, .kappa = 0.12};
    p.links.data = links.data();
    p.method = qcd::Method::bicgstab;
    return p;
}

std::string digest(const qcd::Report& r) { return fmt::format("{:016x}", r.digest); }

std::string digest_of_program(const std::string& options)
{
    return qcd::test::solve("--lattice 2x4x6x4 --gauge random:7 --kappa 0.12 --cpus 1 --quiet " +
                            options)
        .at("solution")
        .at("digest");
}

/// Another order of the same numbers: [mu][column][row][site].
std::vector<double> turned(const std::vector<double>& links)
{
    std::vector<double> out(links.size());
    for (std::size_t site = 0; site < sites; ++site)
        for (int mu = 0; mu < 4; ++mu)
            for (int row = 0; row < 3; ++row)
                for (int column = 0; column < 3; ++column)
                    std::copy_n(&links[site * 72 + mu * 18 + row * 6 + column * 2], 2,
                                &out[2 * (site + sites * (row + 3 * (column + 3 * mu)))]);
    return out;
}

std::string fails(const std::function<void()>& call, qcd_status status)
{
    try {
        call();
    } catch (const qcd::Error& e) {
        CHECK(e.status() == status);
        CHECK(std::strchr(e.what(), '\n') == nullptr);
        return e.what();
    }
    return "no error";
}

std::string refusal(const char* options)
{
    qcd_error error;
    qcd_session* session = qcd_session_open(options, &error);
    CHECK(session == nullptr);
    qcd_session_close(session);
    CHECK(error.status != QCD_DONE);
    return error.message;
}

std::string lime_record(const std::string& type, const std::string& data)
{
    std::string out("\x45\x67\x89\xab\0\1\0\0", 8);
    for (int shift = 56; shift >= 0; shift -= 8) out += char(data.size() >> shift & 0xff);
    out += type;
    out.resize(144, '\0');
    out += data;
    out.resize(out.size() + (8 - data.size() % 8) % 8, '\0');
    return out;
}

/// The numbers of a SciDAC file in one of tmLQCD's.
std::string as_tmlqcd(const std::string& scidac)
{
    const std::size_t begin = scidac.find("scidac-binary-data") + 128;
    return lime_record("etmc-propagator-format",
                       "<etmcFormat><field>diracFermion</field><precision>64</precision>"
                       "<flavours>1</flavours><lx>2</lx><ly>4</ly><lz>6</lz><lt>4</lt>"
                       "</etmcFormat>") +
           lime_record("scidac-binary-data", scidac.substr(begin, sites * 192));
}

} // namespace

TEST_CASE("the library finds the program's solution, whatever the strides and plans")
{
    const auto links = qcd::read_gauge("random:7", lattice);
    const auto b = qcd::read_source("random:3", lattice);
    const std::string expected = digest_of_program("--solver bicgstab --source random:3");
    const qcd::Session session({.cpus = 1});
    std::vector<double> x(b.size(), std::numeric_limits<double>::quiet_NaN());

    qcd::Problem problem = problem_on(links);
    for (const char* kind : {"", "graph", "batch:2"}) {
        const qcd::Report r = qcd::solve(session, problem, {.kind = kind}, b, x);
        INFO(kind);
        CHECK(r.good());
        CHECK(r.residual < 1e-9);
        CHECK(r.norm2 > 0);
        CHECK(digest(r) == expected);
    }

    const auto other = turned(links);
    problem.links = {other.data(), 2, 2 * 9 * sites, 2 * sites, 6 * sites};
    qcd::Solver solver(session, problem, {.kind = "graph", .tiles = qcd::Extents{1, 2, 1, 2}});
    CHECK(solver.plan().starts_with("graph: 4 tiles"));
    std::vector<double> spread(2 * b.size()), y(b); // [spin][colour][site][re, im, 0, 0]
    for (std::size_t site = 0; site < sites; ++site)
        for (int k = 0; k < 12; ++k)
            std::copy_n(&b[24 * site + 2 * k], 2, &spread[4 * (site + sites * k)]);
    const qcd::Report r = solver.solve({spread.data(), 4, 12 * sites, 4 * sites},
                                       {y.data(), 0, 0, 0}); // y was b: all of it is written
    CHECK(digest(r) == expected);
    CHECK(y == x);
    // b and x in the same place
    CHECK(digest(solver.solve({spread.data(), 4, 12 * sites, 4 * sites},
                              {spread.data(), 4, 12 * sites, 4 * sites})) == expected);
    for (std::size_t site = 0; site < sites; ++site)
        for (int k = 0; k < 12; ++k) {
            REQUIRE(spread[4 * (site + sites * k)] == x[24 * site + 2 * k]);
            REQUIRE(spread[4 * (site + sites * k) + 3] == 0);
        }
}

TEST_CASE("several right-hand sides at once have the digests of their own solves")
{
    const auto links = qcd::read_gauge("random:7", lattice);
    const qcd::Session session({.cpus = 1});
    std::vector<double> b;
    for (const char* source : {"random:3", "det:1", "point:0,0,0,0,0,0"})
        for (const double real : qcd::read_source(source, lattice)) b.push_back(real);
    std::vector<double> x(b.size());
    qcd::Problem problem = problem_on(links);
    problem.rhs = 3;
    qcd::Solver together(session, problem);
    const std::vector<qcd::Report> reports = together.solve_all(b, x);
    problem.rhs = 1;
    qcd::Solver alone(session, problem);
    const std::size_t reals = b.size() / 3;
    std::vector<double> y(reals);
    for (std::size_t i = 0; i < 3; ++i) {
        const qcd::Report own = alone.solve(std::span(b).subspan(i * reals, reals), y);
        CHECK(reports.at(i).good());
        CHECK(digest(reports[i]) == digest(own));
        CHECK(reports[i].iterations == own.iterations);
        CHECK(std::equal(y.begin(), y.end(), x.begin() + std::ptrdiff_t(i * reals)));
    }
    for (const qcd::Report& r : together.solve_all(b, x, true)) CHECK(r.iterations == 0);
    CHECK_THROWS_WITH(together.solve(std::span(b).first(reals), y),
                      "solver: made for 3 right-hand sides (--rhs), not for 1");
}

TEST_CASE("numbers and words of a problem are the program's options")
{
    const auto links = qcd::read_gauge("random:7", lattice);
    const auto b = qcd::read_source("random:1", lattice);
    const qcd::Session session({.cpus = 1});
    std::vector<double> x(b.size());
    qcd::Problem p = problem_on(links);
    p.method = qcd::Method::cg;
    p.mubar = 0.3;
    p.antiperiodic = false;
    p.even_odd = false;
    p.tolerance = 1e-7;
    CHECK(digest(qcd::solve(session, p, {}, b, x)) ==
          digest_of_program("--solver cg --mubar 0.3 --boundary periodic --even-odd off "
                            "--tol 1e-7"));
    qcd::Problem single = problem_on(links);
    single.precision = qcd::Precision::f32;
    CHECK(digest(qcd::solve(session, single, {}, b, x)) ==
          digest_of_program("--solver bicgstab --precision single"));

    qcd_problem c{};
    std::copy(lattice.begin(), lattice.end(), c.extents);
    c.kappa = 0.12;
    c.links.data = links.data();
    c.options = "--solver bicgstab --theta 0.1,0,0.2,0 --links 18";
    qcd_report report;
    CHECK(qcd_solve(session.get(), &c, {b.data(), 0, 0, 0}, {x.data(), 0, 0, 0}, &report,
                    nullptr) == QCD_DONE);
    CHECK(fmt::format("{:016x}", report.digest) ==
          digest_of_program("--solver bicgstab --theta 0.1,0,0.2,0"));
}

TEST_CASE("a solution as guess has no iterations, and what has not converged is a result")
{
    const auto links = qcd::read_gauge("random:7", lattice);
    const auto b = qcd::read_source("random:1", lattice);
    const qcd::Session session({.cpus = 1});
    std::vector<double> x(b.size());
    qcd::Solver solver(session, problem_on(links));
    const qcd::Report first = solver.solve(b, x);
    const qcd::Report again = solver.solve(b, x, true);
    CHECK(again.iterations == 0);
    CHECK(again.digest == first.digest);

    qcd::Problem few = problem_on(links);
    few.max_iterations = 2;
    const qcd::Report r = qcd::solve(session, few, {}, b, x);
    CHECK(r.status == QCD_NOT_CONVERGED);
    CHECK(r.iterations == 2);
    CHECK(r.message.find("not converged") == 0);
}

TEST_CASE("phases that are spread over all links are read for a problem")
{
    using namespace qcd::test;
    const Scratch scratch;
    const std::string plain = scratch / "plain", spread = scratch / "spread", tm = scratch / "tm";
    const std::string theta = " --theta 0.5,0,0,0.25 ";
    for (const std::string& options : {plain, spread + " --solution-phases spread "
                                                       "--solution-basis chiral"})
        digest_of_program("--solver bicgstab --save-solution " + options + theta);
    write_text(tm, as_tmlqcd(read_text(spread)));
    const std::vector<double> x = qcd::read_source(plain, lattice);
    const auto check = [&](const std::vector<double>& found) {
        REQUIRE(found.size() == x.size());
        for (std::size_t i = 0; i < x.size(); ++i) REQUIRE(std::abs(found[i] - x[i]) < 1e-13);
    };
    check(qcd::read_source(spread, lattice)); // it says the angles

    std::vector<double> found(x.size());
    const std::string options = "--solver bicgstab" + theta;
    qcd_problem c{};
    std::copy(lattice.begin(), lattice.end(), c.extents);
    c.kappa = 0.12;
    c.options = options.c_str();
    qcd_error error;
    REQUIRE(qcd_read_source_for(&c, tm.c_str(), found.data(), &error) == QCD_DONE);
    check(found);
    REQUIRE(qcd_read_source_for(&c, plain.c_str(), found.data(), &error) == QCD_DONE);
    CHECK(found == x);

    qcd::Problem p{.lattice = lattice, .kappa = 0.12};
    CHECK(qcd::read_source(tm, p) != x); // other angles
    CHECK(qcd::read_source("random:3", p) == qcd::read_source("random:3", lattice));
    CHECK_THAT(fails([&] { qcd::read_source(tm, lattice); }, QCD_BAD_INPUT),
               Catch::Contains("qcd_read_source_for()"));
    CHECK_THAT(
        fails([&] { qcd::read_source(tm, qcd::Problem{.lattice = lattice}); }, QCD_BAD_INPUT),
        Catch::Contains("--kappa"));
    CHECK(qcd_read_source_for(nullptr, tm.c_str(), found.data(), &error) == QCD_BAD_INPUT);
    CHECK(error.message == std::string("problem: NULL"));
}

TEST_CASE("a problem's plan is used, and its command has the program's digest")
{
    const auto links = qcd::read_gauge("random:7", lattice);
    const auto b = qcd::read_source("random:3", lattice);
    std::vector<double> x(b.size());
    std::map<std::string, std::string> digests; // of commands
    {
        const qcd::Session session({.cpus = 1});
        for (const std::string plan : {"graph", "batch:2"}) {
            qcd::Solver solver(session, problem_on(links), {.kind = plan});
            CHECK(solver.plan().starts_with(plan.substr(0, 5)));
            CHECK_THAT(solver.command(), Catch::Contains("--plan " + plan + " "));
            digests[solver.command()] = digest(solver.solve(b, x));
        }
    } // the program would have the environment of an open session
    for (const auto& [typed, found] : digests) {
        std::string command = typed;
        const std::string begin = "qcd_starpu ";
        REQUIRE(command.starts_with(begin));
        command.replace(command.find("FIELD"), 5, "random:7");
        command.replace(command.find("SOURCE"), 6, "random:3");
        CHECK(qcd::test::solve(command.substr(begin.size()) + " --quiet")
                  .at("solution")
                  .at("digest") == found);
    }
}

TEST_CASE("a solve ends when another thread says so, and the solver goes on")
{
    const auto links = qcd::read_gauge("random:7", lattice);
    const auto b = qcd::read_source("random:1", lattice);
    std::vector<double> x(b.size());
    const qcd::Session session({.cpus = 1});
    qcd_problem c{};
    std::copy(lattice.begin(), lattice.end(), c.extents);
    c.kappa = 0.12;
    c.links.data = links.data();
    c.tolerance = 1e-300; // never
    c.options = "--solver cg --even-odd off --max-iterations 1000000000";
    qcd_error error;
    qcd_solver* solver = qcd_solver_open(session.get(), &c, &error);
    REQUIRE(solver);
    for (int round = 0; round < 3; ++round) {
        std::atomic<bool> ended{false};
        std::thread stopper([&] { // a call that comes before the solve does nothing
            while (!ended) {
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
                qcd_solver_stop(solver);
            }
        });
        qcd_report report{};
        const qcd_status status =
            qcd_solver_solve(solver, {b.data(), 0, 0, 0}, {x.data(), 0, 0, 0}, 0, &report, &error);
        ended = true;
        stopper.join();
        CHECK(status == QCD_NOT_CONVERGED);
        CHECK(std::string(error.message).starts_with("interrupted: |b - D x|/|b| is "));
        CHECK(report.residual <= 1); // perhaps of x = 0
        CHECK(std::all_of(x.begin(), x.end(), [](double v) { return std::isfinite(v); }));
    }
    qcd_solver_stop(solver); // where none runs
    qcd_solver_stop(nullptr);
    qcd_solver_close(solver);
    qcd::Solver usual(session, problem_on(links));
    CHECK(usual.solve(b, x).good());
}

TEST_CASE("D x of a solution is b")
{
    const auto links = qcd::read_gauge("random:7", lattice);
    const auto b = qcd::read_source("random:1", lattice);
    std::vector<double> x(b.size()), y(b.size());
    const qcd::Session session({.cpus = 1});
    qcd::Problem p = problem_on(links);
    p.mubar = 0.1;
    qcd::Solver solver(session, p);
    const qcd::Report r = solver.solve(b, x);
    solver.apply(x, y);
    double off = 0, norm2 = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        off += (y[i] - b[i]) * (y[i] - b[i]);
        norm2 += b[i] * b[i];
    }
    CHECK(std::sqrt(off / norm2) == Approx(r.residual).epsilon(1e-3));
    CHECK(digest(solver.solve(b, x)) == digest(r)); // the solver is as it was
    solver.apply(x, x);
    CHECK(x == y);
    CHECK_THAT(fails([&] { solver.apply(std::span(x).first(24), y); }, QCD_BAD_INPUT),
               Catch::Contains("24 and"));
}

TEST_CASE("twelve sources are solved as the program's propagator solves them")
{
    const auto links = qcd::read_gauge("random:7", lattice);
    const qcd::Session session({.cpus = 1});
    qcd_problem c{};
    std::copy(lattice.begin(), lattice.end(), c.extents);
    c.kappa = 0.12;
    c.links.data = links.data();
    qcd_error error;
    const std::unique_ptr<qcd_solver, void (*)(qcd_solver*)> solver(
        qcd_solver_open_propagator(session.get(), &c, &error), qcd_solver_close);
    REQUIRE(solver);
    REQUIRE(qcd_solver_rhs(solver.get()) == 12);
    CHECK_THAT(qcd_solver_command(solver.get()),
               Catch::Contains("--solver cg") && Catch::Contains("--sloppy single"));
    std::vector<double> S(12 * 24 * sites);
    std::vector<qcd_spinor> x;
    std::vector<qcd_const_spinor> b;
    for (std::size_t n = 0; n < 12; ++n) {
        double* one = &S[n * 24 * sites];
        const std::string source = fmt::format("point:1,0,2,3,{},{}", n / 3, n % 3);
        REQUIRE(qcd_read_source_with(nullptr, lattice.data(), source.c_str(), nullptr,
                                     {one, 0, 0, 0}, &error) == QCD_DONE);
        REQUIRE(qcd_smear(lattice.data(), c.links, nullptr, 1.5, 4, {one, 0, 0, 0}, &error) ==
                QCD_DONE);
        b.push_back({one, 0, 0, 0});
        x.push_back({one, 0, 0, 0});
    }
    std::vector<qcd_report> reports(12);
    REQUIRE(qcd_solver_solve_all(solver.get(), 12, b.data(), x.data(), 0, reports.data(), &error) ==
            QCD_DONE);
    const int origin[] = {1, 0, 2, 3};
    std::vector<double> t(4), z(6), masses(4);
    REQUIRE(qcd_pion(lattice.data(), origin, 12, b.data(), t.data(), z.data(), &error) == QCD_DONE);
    REQUIRE(qcd_effective_masses(4, t.data(), masses.data(), &error) == QCD_DONE);
    CHECK(std::isnan(masses[0]));

    const auto program = qcd::test::solve("propagator --lattice 2x4x6x4 --gauge random:7 --kappa "
                                          "0.12 --cpus 1 --quiet --point 1,0,2,3 "
                                          "--smeared 1.5,4");
    for (std::size_t n = 0; n < 12; ++n)
        CHECK(fmt::format("{:016x}", reports[n].digest) == program["sources"][n]["digest"]);
    CHECK(program["pion"]["t"]["correlator"] == t);
    CHECK(program["pion"]["z"]["correlator"] == z);
    const int outside[] = {2, 0, 0, 0};
    CHECK(qcd_pion(lattice.data(), outside, 12, b.data(), nullptr, nullptr, &error) ==
          QCD_BAD_INPUT);
    CHECK(error.message == std::string("origin: 2,0,0,0 is not on the lattice"));
    CHECK(qcd_smear(lattice.data(), c.links, nullptr, -1, 4, x[0], &error) == QCD_BAD_INPUT);
}

TEST_CASE("fields are written, and read in any order of their numbers")
{
    const qcd::test::Scratch scratch;
    const auto links = qcd::read_gauge("random:7", lattice);
    const std::string file = scratch / "conf.lime", spinors = scratch / "b.lime";
    qcd_error error;
    REQUIRE(qcd_write_gauge(file.c_str(), lattice.data(), {links.data(), 0, 0, 0, 0}, 64, &error) ==
            QCD_DONE);
    int extents[4] = {0, 0, 0, 0};
    REQUIRE(qcd_read_gauge_with(file.c_str(), nullptr, extents, {}, &error) == QCD_DONE);
    CHECK(std::equal(lattice.begin(), lattice.end(), extents));
    std::vector<double> other(links.size());
    REQUIRE(qcd_read_gauge_with(file.c_str(), "--ignore-checksum", extents,
                                {other.data(), 2, 2 * 9 * sites, 2 * sites, 6 * sites},
                                &error) == QCD_DONE);
    CHECK(other == turned(links));
    double plaquette = 0, trace = 0;
    CHECK(qcd_plaquette(extents, {other.data(), 2, 2 * 9 * sites, 2 * sites, 6 * sites}, &plaquette,
                        &trace, &error) == QCD_DONE);
    CHECK(plaquette == Approx(0).margin(0.1));

    const auto b = qcd::read_source("random:1", lattice), c = qcd::read_source("det:1", lattice);
    const qcd_const_spinor two[] = {{b.data(), 0, 0, 0}, {c.data(), 0, 0, 0}};
    REQUIRE(qcd_write_spinors(spinors.c_str(), lattice.data(), 2, 0, two, 64, "two", &error) ==
            QCD_DONE);
    std::vector<double> found(b.size());
    REQUIRE(qcd_read_source_with(nullptr, lattice.data(), spinors.c_str(), "--source-number 1",
                                 {found.data(), 0, 0, 0}, &error) == QCD_DONE);
    CHECK(found == c);

    const auto refused = [&](qcd_status status, const char* line) {
        CHECK(status == QCD_BAD_INPUT);
        CHECK_THAT(error.message, Catch::Contains(line));
    };
    const auto source = [&](const char* name, const char* options) {
        return qcd_read_source_with(nullptr, lattice.data(), name, options, {found.data(), 0, 0, 0},
                                    &error);
    };
    refused(source(spinors.c_str(), nullptr), "there are 2 spinors");
    refused(source(spinors.c_str(), "--source-number 2"), "no spinor 2");
    refused(source("random:1", "--source-number 1"), "is generated");
    refused(source("random:1", "--kappa 1"), "'--kappa' is none of --ignore-checksum");
    int wrong[4] = {4, 4, 4, 4};
    refused(qcd_read_gauge_with(file.c_str(), nullptr, wrong, {}, &error), "2x4x6x4");
    int none[4] = {0, 0, 0, 0};
    refused(qcd_read_gauge_with("unit", nullptr, none, {}, &error), "extents");
    refused(qcd_read_gauge_with("unit", "--reunitarize", extents, {}, &error), "--reunitarize");
    refused(qcd_write_gauge(file.c_str(), extents, {links.data(), 0, 0, 0, 0}, 16, &error), "bits");
    refused(qcd_write_spinors(spinors.c_str(), extents, 2, 1, two, 64, "", &error), "which has 12");
}

TEST_CASE("bases, and the rows of the command line")
{
    double u[16];
    qcd_error error;
    REQUIRE(qcd_spin_rotation("chiral", u, &error) == QCD_DONE);
    CHECK(u[3] == -1);
    CHECK(qcd_spin_rotation("weyl", u, &error) == QCD_BAD_INPUT);
    CHECK(error.message == std::string("basis: 'weyl' is none of degrand-rossi, dirac, chiral"));

    const auto options = nlohmann::json::parse(qcd_options()).at("commands");
    CHECK(options.contains("compare"));
    std::map<std::string, std::vector<std::string>> readers;
    for (const auto& row : options.at("solve").at("options")) {
        CHECK_FALSE(row.at("help").get<std::string>().empty());
        readers[row.at("name")] = row.at("of").get<std::vector<std::string>>();
    }
    using Words = std::vector<std::string>;
    CHECK(readers.at("--kappa") == Words{"operator"});
    CHECK(readers.at("--plan") == Words{"session", "solve"});
    CHECK(readers.at("--ignore-checksum") == Words{"gauge", "source"});
    CHECK(readers.at("--json").empty());
}

TEST_CASE("one session at a time, several one after the other, solvers may outlive theirs")
{
    const auto links = qcd::read_gauge("random:7", lattice);
    const auto b = qcd::read_source("random:1", lattice);
    std::vector<double> x(b.size());
    auto session = std::make_unique<qcd::Session>(qcd::Workers{.cpus = 1});
    CHECK(refusal("--cpus 1").find("close the session") != std::string::npos);
    qcd::Solver solver(*session, problem_on(links));
    session.reset();
    CHECK(refusal("--cpus 1").find("close the session") != std::string::npos);
    const qcd::Report first = solver.solve(b, x);
    CHECK(first.good());
    solver = qcd::Solver(std::move(solver));
    {
        const qcd::Solver last(std::move(solver));
    }
    const qcd::Session second({.cpus = 1, .scheduler = "eager"});
    CHECK(qcd::solve(second, problem_on(links), {}, b, x).digest == first.digest);
}

TEST_CASE("a session with OpenCL may follow one of cores")
{
    if (!qcd::test::required("opencl")) return; // PoCL reports faults of its own to sanitizers
    for (const int opencl : {0, 1, 0}) {
        INFO(opencl);
        CHECK_NOTHROW(qcd::Session({.cpus = 1, .opencl = opencl}));
    }
}

TEST_CASE("options of a session that are wrong are said in one line")
{
    const struct {
        const char *options, *culprit;
    } bad[] = {{"--json x", "--json"},
               {"--help", "--help"},
               {"-v", "-v"},
               {"--cpus x", "--cpus: 'x'"},
               {"--cpus", "--cpus"},
               {"--cpus -1", "--cpus: '-1'"},
               {"--lattice 3x2x2x2", "--lattice"},
               {"words", "'words'"},
               {"--sched nobody", "nobody"},
               {"--cpus 0 --cuda 0 --opencl 0", "no worker"}};
    for (const auto& b : bad) {
        INFO(b.options);
        CHECK_THAT(refusal(b.options), Catch::Contains(b.culprit));
    }
}

TEST_CASE("what is wrong with a problem is said in one line")
{
    const auto links = qcd::read_gauge("random:7", lattice);
    const auto b = qcd::read_source("random:1", lattice);
    std::vector<double> x(b.size());
    const qcd::Session session({.cpus = 1});
    const auto refused = [&](const auto& spoil, const qcd::Plan& plan = {}) {
        qcd::Problem p = problem_on(links);
        spoil(p);
        return fails([&] { qcd::Solver(session, p, plan); }, QCD_BAD_INPUT);
    };
    using Catch::Contains;
    using P = qcd::Problem;
    CHECK_THAT(refused([](P& p) { p.kappa = 0; }), Contains("--kappa"));
    CHECK_THAT(refused([](P& p) { p.kappa = std::nan(""); }), Contains("--kappa"));
    CHECK_THAT(refused([](P& p) { p.tolerance = -1; }), Contains("--tol"));
    CHECK_THAT(refused([](P& p) { p.max_iterations = 0; }), Contains("--max-iterations"));
    CHECK_THAT(refused([](P& p) { p.lattice = {3, 4, 4, 4}; }), Contains("extents"));
    CHECK_THAT(refused([](P& p) { p.lattice = {}; }), Contains("extents"));
    CHECK_THAT(refused([](P& p) { p.links = {}; }), Contains("links"));
    CHECK_THAT(refused([](P& p) { p.links.row = 4; }), Contains("SU(3)"));
    CHECK_THAT(refused([](P&) {}, {.kind = "grape"}), Contains("--plan: 'grape'"));
    CHECK_THAT(refused([](P&) {}, {.kind = "graph --json x"}), Contains("--json"));
    CHECK_THAT(refused([](P&) {}, {.tiles = qcd::Extents{1, 1, 1, 9}}), Contains("tiles"));
    auto spoiled = links;
    spoiled[72 * 100 + 18 + 3] = std::nan("");
    CHECK_THAT(refused([&](P& p) { p.links.data = spoiled.data(); }),
               Contains("direction y") && Contains("0,2,0,2"));

    qcd::Solver solver(session, problem_on(links));
    auto source = b;
    CHECK_THAT(fails([&] { solver.solve(std::span(source).first(24), x); }, QCD_BAD_INPUT),
               Contains("24 and"));
    source[24 * 5 + 1] = std::numeric_limits<double>::infinity();
    CHECK_THAT(fails([&] { solver.solve(source, x); }, QCD_BAD_INPUT), Contains("b: a number"));
    CHECK_THAT(fails(
                   [&] {
                       solver.solve({}, {x.data(), 0, 0, 0});
                   },
                   QCD_BAD_INPUT),
               Contains("b: there is no array"));
    CHECK(solver.solve(b, x).good()); // after all that

    CHECK_THAT(fails([] { qcd::read_gauge("/nowhere", lattice); }, QCD_BAD_INPUT),
               Contains("/nowhere"));
    CHECK_THAT(fails([] { qcd::read_source("random:x", lattice); }, QCD_BAD_INPUT),
               Contains("random:x"));
}

TEST_CASE("null pointers are said, long lines are cut")
{
    qcd_error error;
    CHECK(qcd_solver_open(nullptr, nullptr, &error) == nullptr);
    CHECK(error.message == std::string("session: NULL"));
    CHECK(qcd_solve(nullptr, nullptr, {}, {}, nullptr, nullptr) == QCD_BAD_INPUT);
    CHECK(qcd_solver_solve(nullptr, {}, {}, 0, nullptr, &error) == QCD_BAD_INPUT);
    CHECK(qcd_read_gauge("unit", nullptr, nullptr, &error) == QCD_BAD_INPUT);
    CHECK(std::string(qcd_solver_plan(nullptr)).empty());
    qcd_session_close(nullptr);
    qcd_solver_close(nullptr);
    std::vector<double> links(72 * sites);
    const std::string name(3000, 'n');
    CHECK(qcd_read_gauge(name.c_str(), lattice.data(), links.data(), &error) == QCD_BAD_INPUT);
    CHECK(std::strlen(error.message) < sizeof error.message);
}
