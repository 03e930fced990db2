// One digest for every scheduler, tiling, number and kind of workers, and CPU instruction set.

#include "tests/drivers/program.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

using namespace qcd::test;
using Json = nlohmann::json;

namespace
{

// Tilings of 8x4x8x14: three in z and t, two and four in t are of unequal thickness.
const std::vector<std::string> tilings{"1x1x1x1", "1x1x1x2", "2x1x1x1", "1x2x2x1",
                                       "2x2x2x2", "1x1x3x3", "1x1x1x4"};
const std::vector<std::string> schedulers{"eager", "lws", "prio", "random", "dmdas"};

struct Workers {
    int cpu, opencl = 0, cuda = 0, cores_per_cpu = 1;
};

std::string job(const std::string& method)
{
    return "--lattice 8x4x8x14 --gauge weak:0.3,5 --iterations 12 " + method;
}

std::string on_cores(const std::string& method) { return job(method) + " --cuda 0"; }

std::string options(const Workers& w)
{
    return " --cpus " + std::to_string(w.cpu) + " --opencl " + std::to_string(w.opencl) +
           " --cuda " + std::to_string(w.cuda) + " --cores-per-worker " +
           std::to_string(w.cores_per_cpu);
}

const std::vector<Workers>& all_workers()
{
    static const std::vector<Workers> all = [] {
        std::vector<Workers> w{{.cpu = 1}, {.cpu = 2}};
        if (works("opencl", options({.cpu = 0, .opencl = 1})))
            w.insert(w.end(), {{.cpu = 0, .opencl = 1}, {.cpu = 1, .opencl = 1}});
        if (works("cuda", options({.cpu = 0, .cuda = 1})))
            w.insert(w.end(), {{.cpu = 0, .cuda = 1}, {.cpu = 1, .cuda = 1}});
        return w;
    }();
    return all;
}

Json extents(std::string text)
{
    std::replace(text.begin(), text.end(), 'x', ',');
    return Json::parse("[" + text + "]");
}

/// The solution of 12 iterations on exactly these workers, tiles and with this scheduler.
Json solution(const std::string& method, const std::string& sched, const std::string& tiles,
              const Workers& w)
{
    const std::string line = job(method) + " --sched " + sched + " --tiles " + tiles + options(w);
    INFO(line);
    const Json j = solve(line);
    CHECK(j.at("scheduler") == sched);
    CHECK(j.at("tiles") == extents(tiles));
    CHECK(j.at("workers") == Json{{"cpu", w.cpu},
                                  {"cuda", w.cuda},
                                  {"opencl", w.opencl},
                                  {"cores_per_cpu", w.cores_per_cpu}});
    CHECK(j.at("iterations") == 12);
    return j.at("solution");
}

/// Tilings go with schedulers and workers such that every value of each is seen.
void check_diagonal(const std::string& method)
{
    const auto& workers = all_workers();
    const Json expected = solution(method, "eager", "1x1x1x1", {.cpu = 1});
    for (std::size_t i = 0; i < tilings.size(); ++i)
        CHECK(solution(method, schedulers[i % schedulers.size()], tilings[i],
                       workers[(i + 1) % workers.size()]) == expected);
}

} // namespace

TEST_CASE("lanes of large time slices lie in another way where cores are alone: the same bits")
{
    const std::string large = "--lattice 24x24x24x4 --iterations 2";
    const Json cores = solve(large + options({.cpu = 2})).at("solution");
    const std::string small_slices = " --tiles 1x3x3x1"; // which have the lanes of all others
    CHECK(solve(large + options({.cpu = 2}) + small_slices).at("solution") == cores);
    const Workers device{.cpu = 0, .opencl = 1};
    if (works("opencl", options(device)))
        CHECK(solve(large + options(device)).at("solution") == cores);
}

// Every scheduler meets every tiling, and either of them every set of workers (where there are at
// most five): a process each takes long. tests/solver/test_digests.cpp has all three together, in
// one.
TEST_CASE("CR in double: every scheduler, tiling and set of workers gives the same bits", "[long]")
{
    const auto& workers = all_workers();
    const Json expected = solution("", "eager", "1x1x1x1", {.cpu = 1});
    for (std::size_t s = 0; s < schedulers.size(); ++s)
        for (std::size_t t = 0; t < tilings.size(); ++t) {
            const Workers& w = workers[(s + t) % workers.size()];
            INFO(schedulers[s] << " " << tilings[t] << options(w));
            CHECK(solution("", schedulers[s], tilings[t], w) == expected);
        }
}

TEST_CASE("single precision, other solvers and other operators: the same bits", "[long]")
{
    for (const char* method : {"--precision single", "--solver cg", "--solver bicgstab",
                               "--solver bicgstab --precision single --mubar 0.03",
                               "--solver cr --even-odd off --mubar 0.03",
                               "--solver cg --even-odd off --boundary periodic", "--links 18",
                               "--links 8", "--links 12 --precision single --boundary periodic",
                               "--links 8 --precision single --solver bicgstab", "--csw 1.2",
                               "--csw 1.2 --solver bicgstab --precision single --mubar 0.03",
                               "--csw 1.2 --even-odd off --links 8"})
        check_diagonal(method);
}

TEST_CASE("links of 12 reals by default have the bits of 18")
{
    const std::string lattice = "--lattice 4x4x4x8 --iterations 5 --kappa 0.1 ";
    for (const char* problem : {"--gauge unit --source point:0,0,0,7,0,0", "--gauge random:3",
                                "--gauge weak:0.2 --source point:1,2,3,0,3,2 --even-odd off"}) {
        const std::string line = lattice + problem;
        const Json expected = solve(line + " --links 18" + options({.cpu = 1})).at("solution");
        for (const Workers& w : all_workers()) {
            INFO(line << options(w));
            const Json j = solve(line + options(w));
            CHECK(j.at("links") == 12);
            CHECK(j.at("solution") == expected);
        }
    }
}

TEST_CASE("cores that share tasks: the same bits", "[long]")
{
    const Workers pair{.cpu = 1, .cores_per_cpu = 2};
    if (!works("two cores", options(pair))) return;
    for (const char* method : {"", "--precision single --links 8", "--solver cg",
                               "--solver bicgstab", "--even-odd off --mubar 0.03", "--csw 1.2"}) {
        const Json expected = solution(method, "eager", "1x1x1x1", {.cpu = 1});
        for (const char* tiles : {"1x1x1x1", "1x1x3x3"})
            CHECK(solution(method, "lws", tiles, pair) == expected);
    }
}

TEST_CASE("tiles that have their workers, and GPUs that write each other's memory: the same bits",
          "[long]")
{
    std::vector<std::pair<Workers, std::string>> all{{{.cpu = 2}, "pinned --tiles 1x1x1x2"},
                                                     {{.cpu = 2}, "pinned --tiles 1x1x3x1"}};
    const Workers gpus{.cpu = 0, .cuda = 2};
    if (works("two GPUs", options(gpus)))
        all.insert(all.end(), {{gpus, "linked --tiles 1x1x1x2"},
                               {gpus, "linked:5 --tiles 1x1x2x1"},
                               {gpus, "pinned --tiles 1x1x1x2"}});
    for (const char* method :
         {"", "--solver cg", "--solver bicgstab", "--precision single",
          "--even-odd off --mubar 0.03", "--links 18", "--links 8 --precision single", "--csw 1.2",
          "--csw 1.2 --solver bicgstab --mubar 0.03"}) {
        const Json expected = solve(on_cores(method)).at("solution");
        for (const auto& [workers, plan] : all) {
            const std::string line = job(method) + options(workers) + " --plan " + plan;
            INFO(line);
            const Json j = solve(line);
            CHECK(j.at("scheduler") == "none");
            CHECK(j.at("solution") == expected);
        }
    }
}

TEST_CASE("several iterations in a task give the same bits")
{
    for (const char* method : {"", "--solver cg --even-odd off", "--solver bicgstab"}) {
        const Json expected = solve(job(method) + " --plan graph --cuda 0").at("solution");
        for (const char* batch : {"1", "3", "8"}) {
            INFO(method << " --plan batch:" << batch);
            CHECK(solve(job(method) + " --plan batch:" + batch).at("solution") == expected);
        }
    }
}

TEST_CASE("a lattice larger than the device's memory gives the same bits")
{
    if (!works("opencl", options({.cpu = 0, .opencl = 1}))) return;
    const std::string line = "--lattice 16x16x16x32 --links 18 --iterations 3 --cuda 0 ";
    const Json expected = solve(line + "--opencl 0").at("solution");
    // More traffic than reading each field once, and less than with data fetched long before their
    // task's turn.
    const std::string half = line + "--cpus 0 --opencl 1 --gpu-memory 100M";
    const Json small = solve(half), early = solve(half, "STARPU_PREFETCH=1");
    CHECK(small.at("solution") == expected);
    CHECK(early.at("solution") == expected);
    CHECK(small.at("bytes_moved") > 216L << 20);
    CHECK(small.at("bytes_moved") < early.at("bytes_moved"));
    const Outcome o = run(line + "--cpus 0 --opencl 1 --gpu-memory 70M");
    CHECK(o.status == 4);
    CHECK(o.err.find("70 MiB cannot hold") != std::string::npos);
}

TEST_CASE("what a device cannot hold is refused by every command")
{
    if (!works("opencl", options({.cpu = 0, .opencl = 1}))) return;
    const std::string large = " --lattice 16x16x16x16 --cuda 0 --opencl 1 --gpu-memory 16M";
    for (const char* command :
         {"--cpus 0 --tiles 1x1x1x1", "apply --cpus 0", "bench --cpus 0 --ops xpay",
          "--cpus 1 --split 0.5", "--cpus 1 --split auto"}) {
        const Outcome o = run(command + large);
        INFO(command << o.err);
        CHECK(o.status == 4);
        CHECK(o.err.find("16 MiB cannot hold") != std::string::npos);
    }
    // What it holds is measured, the bandwidth of larger vectors is not.
    const Outcome small = run("bench --lattice 4x4x4x4 --cpus 0 --cuda 0 --opencl 1 --ops xpay "
                              "--gpu-memory 4M --repeat 1");
    CHECK(small.status == 0);
    CHECK(small.json.at("bandwidth").at(0).at("device_triad").is_null());
}

/// Each kernel is compared with the triad of its own kind of worker; these add up to the whole.
void check_triads(const Json& j)
{
    std::map<std::string, double> triads;
    for (const Json& k : j.at("kernels")) {
        const double triad =
            100 * k.at("gb_per_s").get<double>() / k.at("percent_of_triad").get<double>();
        CHECK(triads.emplace(k.at("worker"), triad).first->second == Approx(triad));
    }
    CHECK(triads.size() == 2);
    double sum = 0;
    for (const auto& [worker, triad] : triads) sum += triad;
    CHECK(j.at("triad_gb_per_s") == Approx(sum));
}

TEST_CASE("devices and cores on unequal slabs give the same bits", "[long]")
{
    for (const std::string kind : {"opencl", "cuda"}) {
        const bool cuda = kind == "cuda";
        if (!works(kind, options({.cpu = 0, .opencl = !cuda, .cuda = cuda}))) continue;
        const std::string both = options({.cpu = 1, .opencl = !cuda, .cuda = cuda}) + " --split ";
        const auto check = [&](const std::string& method, const std::string& split) {
            INFO(method << both << split);
            const Json j = solve(job(method) + both + split);
            CHECK(j.at("solution") == solve(on_cores(method)).at("solution"));
            const double share = j.at("split").at("device_share");
            if (split == "0.3") {
                CHECK(share == Approx(4.0 / 14));
                check_triads(j);
            }
            if (split == "1") CHECK(share == 1);
            CHECK((share == 0 || share == 1 || j.at("tiles").at(3) == 2));
            const bool together = share > 0 && share < 1;
            CHECK(j.at("split").at("gain").is_null() == (split != "auto" || !together));
        };
        for (const char* split : {"0", "0.3", "1", "auto"}) check("", split);
        check("--solver cg --precision single", "0.7");
        check("--solver bicgstab --even-odd off", "0.5");
    }
    const Outcome o = run(job("") + " --cpus 1 --cuda 0 --opencl 0 --split 0.5");
    CHECK(o.status == 4);
    CHECK(o.err.find("split") != std::string::npos);
}

TEST_CASE("the same bits where CR breaks down and CG goes on")
{
    const std::string problem = "--lattice 4x4x4x8 --kappa 1e-6 --source point:1,0,0,0,0,0 ";
    for (const std::string even_odd : {"--even-odd on ", "--even-odd off "}) {
        std::vector<std::string> ways{
            "--cpus 1 --plan batch",  "--cpus 1 --plan batch:1",
            "--cpus 2 --plan graph",  "--cpus 2 --plan graph --tiles 1x2x1x3",
            "--cpus 2 --plan pinned", "--cores-per-worker 2",
            "--cpus 2 --plan replay", "--cpus 1 --plan replay --tiles 1x1x2x2"};
        for (std::string& way : ways) way += " --cuda 0 --opencl 0";
        if (works("opencl", options({.cpu = 0, .opencl = 1})))
            ways.push_back("--cpus 0 --opencl 1 --cuda 0");
        if (works("cuda", options({.cpu = 0, .cuda = 1})))
            ways.push_back("--cpus 0 --opencl 0 --cuda 1");
        Json expected;
        for (const std::string& way : ways) {
            const std::string line = problem + even_odd + way;
            INFO(line);
            const Json j = solve(line);
            CHECK(j.at("ending") == "converged");
            CHECK(j.at("verified") == true);
            CHECK(j.at("cg_iterations") > 0);
            if (expected.is_null()) expected = j;
            for (const char* key : {"solution", "residual", "residual_history", "iterations",
                                    "cg_iterations", "operator_applications"})
                CHECK(j.at(key) == expected.at(key));
        }
    }
    const Outcome o = run(problem + "--cpus 1 --cuda 0 --opencl 0");
    CHECK_THAT(o.out, Catch::Contains("cr broke down after 0: ") && Catch::Contains("cg went on"));
}

TEST_CASE("the boundary that theta = 1 makes is the antiperiodic one, bit for bit")
{
    const auto digest = [](const std::string& boundary) {
        return solve(on_cores(boundary)).at("solution").at("digest").get<std::string>();
    };
    CHECK(digest("--boundary periodic --theta 0,0,0,1") == digest("--links 18"));
    const std::string twisted = digest("--theta 0.25,0,0,0.5");
    CHECK(twisted != digest("--links 18"));
    CHECK(digest("--theta 0.25,0,0,0.5 --tiles 2x1x1x2 --plan graph") == twisted);
    CHECK(digest("--theta 2.25,-2,0,-1.5 --even-odd on") == twisted);
}

TEST_CASE("the digest tells solutions apart")
{
    const std::string one = solve(on_cores("")).at("solution").at("digest");
    CHECK(solve(on_cores("--source random:2")).at("solution").at("digest") != one);
    CHECK(solve(on_cores("--boundary periodic")).at("solution").at("digest") != one);
    CHECK(solve(on_cores("--precision single")).at("solution").at("digest") != one);
    CHECK(solve(on_cores("--links 8")).at("solution").at("digest") != one);
}

TEST_CASE("every instruction set gives the same bits")
{
    std::vector<std::string> sets{"generic"};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) sets.push_back("avx2");
    for (const char* precision : {"double", "single"})
        for (const char* solver : {"cr", "cg", "bicgstab"}) {
            const std::string line =
                on_cores(std::string("--solver ") + solver + " --precision " + precision);
            const Json expected = solve(line).at("solution");
            for (const auto& set : sets) {
                INFO(set << " " << line);
                CHECK(solve(line, "QCD_ISA=" + set).at("solution") == expected);
            }
        }
}

TEST_CASE("several right-hand sides have the bits of solves of their own", "[program]")
{
    const std::string method = GENERATE("--solver cr", "--solver cg", "--solver bicgstab");
    const Json together =
        solve(on_cores(method + " --rhs 3 --source random:4 --tiles 1x1x1x2 --cpus 2"));
    REQUIRE(together.at("rhs").size() == 3);
    for (int i = 0; i < 3; ++i) {
        const Json& one = together.at("rhs").at(i);
        const std::string source = "random:" + std::to_string(4 + i);
        CHECK(one.at("source") == source);
        const Json alone = solve(on_cores(method + " --source " + source));
        CHECK(alone.at("rhs").is_null());
        CHECK(one.at("solution").at("digest") == alone.at("solution").at("digest"));
        CHECK(one.at("residual") == alone.at("residual"));
        CHECK(one.at("residual_history") == alone.at("residual_history"));
    }
    CHECK(together.at("command").get<std::string>().find("--rhs 3") != std::string::npos);
}
