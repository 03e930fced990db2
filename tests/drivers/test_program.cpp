// The program as a user runs it: exit statuses, the JSON, the engines, gauge files written and
// read.

#include "tests/drivers/program.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>

using namespace qcd::test;
using Json = nlohmann::json;

namespace
{

/// One line on stderr that names the program and the culprit; no result.
void check_refused(const std::string& arguments, int status, const std::string& culprit)
{
    const Outcome o = run(arguments);
    INFO("qcd_starpu " << arguments << "\nstdout: " << o.out << "\nstderr: " << o.err);
    CHECK(o.status == status);
    CHECK(o.err.rfind("qcd_starpu: ", 0) == 0);
    CHECK(std::count(o.err.begin(), o.err.end(), '\n') == 1);
    CHECK(o.err.size() > std::string("qcd_starpu: ").size() + 10);
    CHECK(o.err.back() == '\n');
    CHECK(o.err.find(culprit) != std::string::npos);
    CHECK(o.out.empty());
    CHECK(o.json.is_null());
}

} // namespace

TEST_CASE("status 0: converged and verified, said so")
{
    const Outcome o = run("--lattice 4x4x4x4");
    CHECK(o.status == 0);
    CHECK(o.err.empty());
    CHECK(o.out.find("converged, verified") != std::string::npos);
    CHECK(o.out.find(o.json.at("solution").at("digest").get<std::string>()) != std::string::npos);
}

TEST_CASE("status 1: not converged, and still the best x so far")
{
    for (const char* engine : {"starpu", "sequential", "openmp"}) {
        const Outcome o =
            run(std::string("--lattice 4x4x4x4 --max-iterations 3 --engine ") + engine);
        INFO(engine << o.out << o.err);
        CHECK(o.status == 1);
        CHECK(o.out.find("not converged") != std::string::npos);
        CHECK(o.json.at("converged") == false);
        CHECK(o.json.at("verified") == true);
        CHECK(o.json.at("iterations") == 3);
        CHECK(o.json.at("residual").at("true") < 1);
    }
}

TEST_CASE("status 2: bad usage and bad input, one line each")
{
    const Scratch scratch;
    const std::string good = scratch / "good", cut = scratch / "cut", long_file = scratch / "long";
    for (const std::string ending : {".lime", ".nersc"}) {
        REQUIRE(run("--lattice 4x4x4x4 --save-gauge " + good + ending).status == 0);
        const std::string bytes = read_text(good + ending);
        write_text(cut + ending, bytes.substr(0, bytes.size() / 2));
        write_text(long_file + ending, bytes + "x");
        check_refused("--gauge " + cut + ending, 2, "cut");
        check_refused("--gauge " + long_file + ending, 2, "long");
        check_refused("--lattice 4x4x4x8 --gauge " + good + ending, 2, "4x4x4x8");
    }
    write_text(scratch / "empty", "");
    check_refused("--gauge " + scratch / "empty", 2, "empty");

    const struct {
        const char *arguments, *culprit;
    } cases[] = {
        {"--lattice 5x4x4x4", "5x4x4x4"},
        {"--lattice 0x4x4x4", "0x4x4x4"},
        {"--lattice 4x4x4", "4x4x4"},
        {"--lattice 99999999999x2x2x2", "99999999999"},
        {"", "--lattice"},
        {"--gauge there-is-no-such-file", "there-is-no-such-file"},
        {"--lattice 4x4x4x4 --gauge weak:x", "weak:x"},
        {"--lattice 4x4x4x4 --source noise", "noise"},
        {"--lattice 4x4x4x4 --source point:4,0,0,0,0,0", "point:4"},
        {"--lattice 4x4x4x4 --source point:0,0,0,0,4,0", "point:0"},
        {"--lattice 4x4x4x4 --mubar 0.1 --solver cr", "--even-odd off"},
        {"--lattice 4x4x4x4 --tiles 0x1x1x1", "0x1x1x1"},
        {"--lattice 4x4x4x4 --tiles 1x1x1x3", "tiles"},
        {"--lattice 4x4x4x4 --kappa nan", "nan"},
        {"--lattice 4x4x4x4 --kappa 0.1 --mass 0", "--kappa"},
        {"--lattice 4x4x4x4 --tol 0", "--tol"},
        {"--lattice 4x4x4x4 --precision half", "half"},
        {"--lattice 4x4x4x4 --cpus -1", "--cpus"},
        {"--lattice 4x4x4x4 --save-gauge /no/such/folder/f.lime", "/no/such/folder"},
        {"--nosuch", "--nosuch"},
        {"nosuch", "nosuch"},
    };
    for (const auto& c : cases) check_refused(c.arguments, 2, c.culprit);
    const std::string long_name(250, 'a'); // as a file's it will do, not as a temporary one's
    check_refused("--lattice 4x4x4x4 --save-gauge " + scratch / long_name, 2, "too long");
    check_refused("--lattice 4x4\x1b[31mx4x4", 2, "4x4?[31mx4x4");
}

// The digests are those of g++ 12 and clang 14; they stand here, where clang runs it, too
// (test_program_same_bits is slow). Whoever changes what is computed changes these, too, and says
// so.
TEST_CASE("every compiler, machine and version gives the same bits")
{
    const std::map<std::string, std::string> digests{
        {"", "c2f9ff1fda988700"},
        {"--solver cg", "dbb345c9a6091727"},
        {"--solver bicgstab", "fa6ed273c9ce4cc5"},
        {"--even-odd off --mubar 0.03", "7576e23b2b86c661"},
        {"--precision single", "4f48dbe10224f4ea"},
        {"--links 18", "c2f9ff1fda988700"},
        {"--links 8", "d8bea17f8e651065"},
        {"--links 8 --precision single", "a1d4d220219f3eb9"},
        {"--csw 1.2", "bb1b5661e82c2576"},
        {"--csw 1.2 --solver bicgstab --mubar 0.03", "f92b6fad88f30f31"},
        {"--csw 1.2 --precision single --links 8", "901ec3dbdc469999"},
    };
    const std::string job =
        "--lattice 8x4x8x14 --gauge weak:0.3,5 --iterations 12 --cuda 0 --opencl 0 ";
    for (const auto& [method, digest] : digests) {
        INFO(method);
        CHECK(solve(job + method).at("solution").at("digest") == digest);
    }
}

TEST_CASE("what proves nothing is not called verified")
{
    const std::string singular = "--lattice 4x4x4x4 --gauge unit --boundary periodic --kappa 0.125 "
                                 "--max-iterations 2000 --cpus 1 ";
    for (const char* way : {"", "--solver cg", "--even-odd off", "--engine sequential"}) {
        const Outcome o = run(singular + way);
        INFO(way << o.out << o.err);
        CHECK(o.status == 1);
        CHECK(o.json.at("verified") == false);
        CHECK_THAT(o.out, Catch::Contains("outcome          not converged; ") &&
                              !Catch::Contains("verified"));
    }
    // The residual of BiCGstab need not fall.
    const Outcome o = run("--lattice 4x4x4x4 --gauge random:1 --kappa 0.3 --solver bicgstab "
                          "--source wall:0,0,0 --iterations 1 --cpus 1");
    INFO(o.out << o.err);
    REQUIRE(o.json.at("residual").at("true") > 1);
    CHECK(o.status == 0);
    CHECK(o.json.at("verified") == false);
    CHECK_THAT(o.out, Catch::Contains("asked for; x is no better than 0"));
}

TEST_CASE("status 3: a tolerance that the precision does not reach, said so")
{
    for (const char* engine : {"starpu", "sequential"}) {
        const Outcome o =
            run(std::string("--lattice 4x4x4x4 --precision single --tol 1e-12 --engine ") + engine);
        INFO(engine << o.out << o.err);
        CHECK(o.status == 3);
        CHECK(o.out.find("VERIFICATION FAILED: rounding in single precision") != std::string::npos);
        CHECK(o.json.at("converged") == true);
        CHECK(o.json.at("verified") == false);
        CHECK(o.json.at("residual").at("true") > 2e-12);
    }
}

TEST_CASE("status 4: a scheduler or device that is not there")
{
    check_refused("--lattice 4x4x4x4 --sched nosuch", 4, "nosuch");
    check_refused("--lattice 4x4x4x4 --cuda 99", 4, "CUDA");
    check_refused("--lattice 4x4x4x4 --cuda 99 --cpus 0", 4, "CUDA");
    check_refused("--lattice 4x4x4x4 --cpus 0 --cuda 0", 4, "no worker is left");
    check_refused("--lattice 4x4x4x4 --cuda 0 --cores-per-worker 4000", 4, "cores");
    check_refused("--lattice 4x4x4x4 --cuda 0 --opencl 0 --gpu-memory 1G", 4, "--gpu-memory");
    check_refused("--lattice 4x4x4x4 --opencl 1 --cores-per-worker 2", 2, "--cores-per-worker");
}

TEST_CASE("status 4: terabytes are refused before they are asked for")
{
    const std::string job = "--quiet --lattice 256x256x256x128";
    for (const std::string command : {"", "--engine openmp ", "apply "}) {
        INFO(command);
        check_refused(command + job, 4, "memory: ");
    }
}

TEST_CASE("the rates of a solve's kernels")
{
    const Json j = solve("--lattice 4x4x4x8 --iterations 10 --cpus 2 --opencl 0 --tiles 1x1x1x2 "
                         "--links 18");
    CHECK(j.at("triad_gb_per_s") > 0);
    std::map<std::string, Json> kernels;
    for (const Json& k : j.at("kernels")) kernels[k.at("name")] = k;
    // Two tiles: two hops for the right-hand side and x, two in each application.
    REQUIRE(kernels.count("hopping_f64") == 1);
    const Json& hop = kernels["hopping_f64"];
    CHECK(hop.at("worker") == "CPU");
    CHECK(hop.at("count") == 2 * (2 + 2 * j.at("operator_applications").get<int>()));
    CHECK(hop.at("gflops") > 0);
    // 1320 flop and, but for what comes with the hop, 1536 bytes a site
    CHECK(hop.at("gb_per_s").get<double>() / hop.at("gflops").get<double>() > 1536.0 / 1320);
    CHECK(hop.at("gb_per_s").get<double>() / hop.at("gflops").get<double>() < 2.0);
    CHECK(hop.at("percent_of_triad").get<double>() ==
          Approx(100 * hop.at("gb_per_s").get<double>() / j.at("triad_gb_per_s").get<double>()));
    CHECK(kernels["cr_update_f64"].at("count") == 20);
    // In turn 528 flop and 9 spinors a site, and 336 and 7.
    const Json& update = kernels["cr_update_f64"];
    const double intensity =
        update.at("gflops").get<double>() / update.at("gb_per_s").get<double>();
    CHECK(intensity == Approx((528.0 + 336) / ((9 + 7) * 24 * 8)).epsilon(0.05));
}

TEST_CASE("the JSON's values")
{
    const Json j = solve("--lattice 4x4x4x8 --tiles 1x1x2x2 --sched eager --cpus 2 --opencl 0");
    CHECK(j.at("lattice") == Json{4, 4, 4, 8});
    CHECK(j.at("boundary") == "antiperiodic");
    CHECK(j.at("mass") == -0.15);
    CHECK(j.at("kappa").get<double>() == Approx(1 / (2 * 3.85)).epsilon(1e-15));
    CHECK(j.at("mubar") == 0);
    CHECK(j.at("solver") == "cr");
    CHECK(j.at("even_odd") == true);
    CHECK(j.at("precision") == "double");
    CHECK(j.at("tiles") == Json{1, 1, 2, 2});
    CHECK(j.at("scheduler") == "eager");
    CHECK(j.at("workers") == Json{{"cpu", 2}, {"cuda", 0}, {"opencl", 0}, {"cores_per_cpu", 1}});

    const Json& plaquette = j.at("gauge").at("plaquette");
    CHECK(plaquette.at("total").get<double>() ==
          Approx((plaquette.at("spatial").get<double>() + plaquette.at("temporal").get<double>()) /
                 2));
    CHECK(j.at("gauge").at("link_trace") < 1);

    CHECK(j.at("converged") == true);
    CHECK(j.at("verified") == true);
    CHECK(j.at("residual").at("requested") == 1e-10);
    CHECK(j.at("residual").at("iterated") <= 1e-10);
    CHECK(j.at("residual").at("true") <= 2e-10);
    CHECK(j.at("residual").at("true") > 0);
    const Json& history = j.at("residual_history");
    CHECK(history.size() == j.at("iterations").get<std::size_t>() + 1);
    CHECK(history.front() == 1);
    CHECK(history.back() == j.at("residual").at("iterated"));
    CHECK(j.at("operator_applications") >= j.at("iterations"));

    CHECK(j.at("solution").at("norm2") > 0);
    const std::string digest = j.at("solution").at("digest");
    CHECK(digest.size() == 16);
    CHECK(digest.find_first_not_of("0123456789abcdef") == std::string::npos);
    for (const Json& seconds : j.at("seconds")) CHECK(seconds >= 0);
    CHECK(j.at("gflops") > 0);
    CHECK(j.at("tasks") > j.at("iterations"));
    CHECK(j.at("bytes_moved") == 0); // cores share one memory
}

TEST_CASE("links of 12 and 8 reals: less memory, the same answer")
{
    const std::string line = "--lattice 8x8x8x8 --gauge random:5 --kappa 0.1 --links ";
    const Json full = solve(line + "18");
    for (const int links : {12, 8}) {
        INFO(links);
        const Json fewer = solve(line + std::to_string(links));
        CHECK(fewer.at("links") == links);
        CHECK(fewer.at("verified") == true);
        CHECK(fewer.at("gauge") == full.at("gauge"));
        CHECK(fewer.at("solution").at("norm2").get<double>() ==
              Approx(full.at("solution").at("norm2").get<double>()).epsilon(1e-9));
        const bool same = fewer.at("solution").at("digest") == full.at("solution").at("digest");
        CHECK(same == (links == 12));
    }
}

TEST_CASE("links of 12 reals are the default where they change no bit")
{
    const Scratch scratch;
    const std::string file = scratch / "f.nersc", lattice = "--lattice 4x4x4x8 --gauge random:5 ";
    const std::string keep = "--save-gauge " + file;
    CHECK(solve(lattice + "--kappa 0.1 " + keep).at("links") == 12);
    CHECK(run("apply " + lattice).json.at("links") == 12);
    CHECK(solve(lattice + "--kappa 0.1 --links auto --precision single").at("links") == 18);
    CHECK(solve("--kappa 0.1 --gauge " + file).at("links") == 18); // three rows
    CHECK(solve(lattice + "--kappa 0.1 --engine openmp").at("links") == 18);
}

TEST_CASE("the engines agree for every solver")
{
    for (const char* solver : {"cr", "cg", "bicgstab"}) {
        const std::string job = std::string("--lattice 4x4x4x8 --solver ") + solver + " --engine ";
        const Json expected = solve(job + "sequential").at("solution");
        const double norm2 = expected.at("norm2");
        for (const char* engine : {"starpu", "openmp"}) {
            INFO(solver << " " << engine);
            const Json found = solve(job + engine).at("solution");
            CHECK(std::abs(found.at("norm2").get<double>() - norm2) < 1e-8 * norm2);
            double distance = 0, size = 0;
            for (int k : {0, 1}) {
                const double e = expected.at("source_dot")[k];
                distance = std::hypot(distance, found.at("source_dot")[k].get<double>() - e);
                size = std::hypot(size, e);
            }
            CHECK(distance < 1e-8 * size);
        }
    }
}

TEST_CASE("a saved gauge field read back gives the same solution")
{
    const Scratch scratch;
    const Json made = solve("--lattice 4x4x6x8 --gauge random:7 --kappa 0.1");
    for (const std::string name : {"f.lime", "f.ildg", "f.nersc"}) {
        INFO(name);
        const std::string file = scratch / name;
        const Json saved =
            solve("--lattice 4x4x6x8 --gauge random:7 --kappa 0.1 --save-gauge " + file);
        const Json read = solve("--kappa 0.1 --gauge " + file); // the file says its extents
        CHECK(saved.at("solution") == made.at("solution"));
        CHECK(read.at("solution") == made.at("solution"));
        CHECK(read.at("lattice") == made.at("lattice"));
        CHECK(read.at("gauge").at("plaquette") == made.at("gauge").at("plaquette"));
    }
}
