#include "drivers/run/run_report.hpp"
#include "program/json_file.hpp"

#include "tests/scratch.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

using namespace qcd;

namespace
{

ProblemReport problem()
{
    ProblemReport p;
    p.lattice = {8, 8, 8, 16};
    p.kappa = 0.125;
    p.gauge = "weak:0.2,1";
    p.source = "random:1";
    p.observables.plaquette_total = 0.75;
    p.observables.plaquette_spatial = 0.5;
    p.observables.plaquette_temporal = 1;
    p.observables.link_trace = 0.25;
    return p;
}

RunReport run()
{
    RunReport r;
    r.problem = problem();
    r.solver = "cr";
    r.plan.emplace();
    r.plan->lattice = {8, 8, 8, 16};
    r.plan->thickness = {{{8}, {8}, {4, 4}, {4, 4, 4, 4}}};
    r.plan->scheduler = "lws";
    r.plan->workers = r.workers = {2, 0, 1, 4};
    r.command = "qcd_starpu --lattice 8x8x8x16 --plan graph";
    r.iterations = 3;
    r.operator_applications = 7;
    r.residual = {1e-10, 5e-11, 6e-11, 7e-9};
    r.converged = true;
    r.verification = Verification::passed;
    r.residual_history = {1e-3, 1e-7, 5e-11};
    r.solution = {1.5, {2.5, -3.5}, "0123456789abcdef"};
    r.seconds = {0.5, 0.0625, 1.25, 0.125};
    r.gflops = 20;
    r.tasks = 1000;
    r.bytes_moved = 4096;
    r.load_average = 0.25;
    return r;
}

std::set<std::string> keys(const nlohmann::ordered_json& j)
{
    std::set<std::string> names;
    for (const auto& item : j.items()) names.insert(item.key());
    return names;
}

long lines_of(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

} // namespace

TEST_CASE("JSON of a solve: keys and values")
{
    const auto j = to_json(run());
    CHECK(j["lattice"] == std::vector{8, 8, 8, 16});
    CHECK(j["boundary"] == "antiperiodic");
    CHECK(j["tiles"] == std::vector{1, 1, 2, 4});
    CHECK(j["plan"]["name"] == "graph");
    CHECK(j["plan"]["tiles"] == std::vector{1, 1, 2, 4});
    CHECK(j["plan"]["owners"].is_null());
    CHECK(j["plan"]["iterations_per_task"].is_null());
    CHECK(j["plan"]["exchange"] == "StarPU");
    CHECK(j["plan"]["scheduler"] == "lws");
    CHECK(j["command"] == "qcd_starpu --lattice 8x8x8x16 --plan graph");
    CHECK(j["split"].is_null());
    CHECK(j["residual"]["true"] == 6e-11);
    CHECK(j["residual"]["heavy_quark"] == 7e-9);
    CHECK(j["residual_history"] == std::vector{1e-3, 1e-7, 5e-11});
    CHECK(j["solution"]["source_dot"] == std::vector{2.5, -3.5});
    CHECK(j["workers"]["opencl"] == 1);
    CHECK(j["workers"]["cores_per_cpu"] == 4);
    CHECK(j["converged"] == true);
}

TEST_CASE("JSON without StarPU, with what is not finite, with kernels")
{
    RunReport r = run();
    r.engine = "sequential";
    r.plan.reset();
    r.residual.recomputed = std::numeric_limits<double>::quiet_NaN();
    r.kernels = {{"hopping_f64", "CPU", 12, 50, 10.5, 12.25}};
    const auto j = nlohmann::json::parse(to_json(r).dump());
    CHECK(j["tiles"].is_null());
    CHECK(j["plan"].is_null());
    CHECK(j["scheduler"].is_null());
    CHECK(j["residual"]["true"].is_null());
    CHECK(j["kernels"][0]["gb_per_s"] == 12.25);
    CHECK(j["kernels"][0]["worker"] == "CPU");
    CHECK(j["kernels"][0]["percent_of_triad"].is_null());
    CHECK(j["triad_gb_per_s"].is_null());
}

TEST_CASE("JSON of apply has the names of the reference data")
{
    ApplyReport r;
    r.problem = problem();
    r.norms.norm2_Dpsi = 3;
    r.norms.psi_D_psi = {1, -2};
    const auto j = to_json(r);
    CHECK(
        keys(j) ==
        std::set<std::string>{
            "lattice",   "boundary",    "theta",          "kappa",          "mass",
            "mubar",     "csw",         "gauge",          "source",         "source_phases",
            "precision", "links",       "norm2_psi",      "norm2_Hpsi",     "norm2_Dpsi",
            "psi_D_psi", "psi_g5D_psi", "norm2_DdagDpsi", "norm2_psi_even", "norm2_Dhat_even_psi"});
    CHECK(j["norm2_Dpsi"] == 3);
    CHECK(j["psi_D_psi"] == std::vector{1, -2});
}

TEST_CASE("text says everything in 10 to 40 lines")
{
    std::ostringstream solve;
    RunReport r = run();
    r.repeats = {1.5, 1.25, 2};
    r.seconds.solve = 1.5; // their median
    r.kernels = {{"hopping_f64", "CPU", 12, 50, 10.5, 12.25}};
    r.triad_gb_per_s = 24.5;
    print_text(solve, r);
    const std::string text = solve.str();
    for (const char* part : {"8x8x8x16",
                             "antiperiodic",
                             "weak:0.2,1",
                             "kappa 0.125",
                             "mass 0",
                             "cr",
                             "even-odd",
                             "double",
                             "1x1x2x4 = 8",
                             "lws",
                             "graph: 8 tiles",
                             "qcd_starpu --lattice 8x8x8x16 --plan graph",
                             "2 CPU",
                             "1 OpenCL",
                             "converged, verified",
                             "requested 1e-10",
                             "iterated 5.00e-11",
                             "true 6.00e-11",
                             "heavy-quark residual 7.00e-09",
                             "0123456789abcdef",
                             "1320 flop",
                             "1000",
                             "median 1.500 s",
                             "50.0",
                             "24.5 GB/s"})
        CHECK_THAT(text, Catch::Contains(part));
    CHECK(lines_of(text) >= 10);
    CHECK(lines_of(text) <= 40);

    std::ostringstream apply;
    ApplyReport a;
    a.problem = problem();
    print_text(apply, a);
    CHECK_THAT(apply.str(), Catch::Contains("(psi|D psi)"));
    CHECK(lines_of(apply.str()) <= 40);
}

TEST_CASE("short tasks come with what would make them fewer")
{
    RunReport r = run();
    r.seconds.solve = 1e-3;
    const auto text = [&] {
        std::ostringstream out;
        print_text(out, r);
        return out.str();
    };
    CHECK_THAT(text(), Catch::Contains("short, 3 us"));
    CHECK_THAT(text(), Catch::EndsWith("less to do with fewer --tiles\n"));
    r.workers = {1, 0, 0, 1};
    CHECK_THAT(text(), Catch::EndsWith("less to do with fewer --tiles or --plan batch\n"));
    r.plan->thickness = {{{8}, {8}, {8}, {16}}};
    CHECK_THAT(text(), Catch::EndsWith("less to do with --plan batch\n"));
    r.plan->kind = PlanKind::batch;
    CHECK_THAT(text(), Catch::EndsWith("us of a worker each\n"));
}

TEST_CASE("text of an outcome", "[report]")
{
    RunReport r = run();
    const auto text = [&] {
        std::ostringstream out;
        print_text(out, r);
        return out.str();
    };
    CHECK(to_json(r)["verified"] == true);
    CHECK(to_json(r)["cg_iterations"].is_null());
    CHECK_THAT(text(), !Catch::Contains("cg went on"));
    r.cg_iterations = 2;
    CHECK_THAT(text(), Catch::Contains("3, 7 applications of the operator\n"
                                       "                   cr broke down after 1: its next step "
                                       "would have been rounding; cg went on\n"));
    CHECK(to_json(r)["cg_iterations"] == 2);
    r.converged = false;
    r.verification = Verification::nothing;
    CHECK_THAT(text(), Catch::Contains("not converged; nothing to verify: rounding alone may have "
                                       "added |b| and more\n"));
    CHECK(to_json(r)["verified"] == false);
    r.residual.recomputed = 1;
    r.fixed_iterations = true;
    CHECK_THAT(text(), Catch::Contains("as many iterations as asked for; x is no better than 0, "
                                       "whose residual is 1\n"));
}

TEST_CASE("exit status of a solve")
{
    RunReport r = run();
    CHECK(exit_status(r) == exit_converged);
    r.verification = Verification::failed;
    CHECK(exit_status(r) == exit_verify_failed);
    r.converged = false;
    CHECK(exit_status(r) == exit_not_converged);
    r.fixed_iterations = true;
    r.verification = Verification::passed;
    CHECK(exit_status(r) == exit_converged);
    r.verification = Verification::nothing;
    CHECK(exit_status(r) == exit_converged);
    r.breakdown = true;
    CHECK(exit_status(r) == exit_not_converged);
    r.breakdown = false;
    r.interrupted = true;
    CHECK(exit_status(r) == exit_not_converged);
}

TEST_CASE("JSON files are replaced, and a folder that is not there is an error")
{
    const test::Scratch folder;
    const std::string file = folder / "r.json";
    test::write_text(file, "old");
    write_json(file, to_json(run()));
    CHECK(nlohmann::ordered_json::parse(test::read_text(file)) == to_json(run()));
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
    CHECK_THROWS_AS(write_json(folder / "nowhere/r.json", to_json(run())), Error);
}

TEST_CASE("a split is told with its gain and bound", "[report]")
{
    RunReport r = run();
    r.split.emplace();
    r.split->device_share = 0.75;
    CHECK(to_json(r)["split"]["asked"] == "auto");
    CHECK(to_json(r)["split"]["gain"].is_null());
    r.split->devices = 3;
    r.split->cores = 1;
    r.split->solve = 3.6;
    const auto j = to_json(r)["split"];
    CHECK(j["gain"] == Approx(1.2));
    CHECK(j["bound"] == Approx(4.0 / 3));
    CHECK(j["reason"].is_null());
    std::ostringstream text;
    print_text(text, r);
    CHECK(text.str().find("75.0% of the sites on devices") != std::string::npos);
    CHECK(text.str().find("gain 1.200, bound 1.333") != std::string::npos);
}

TEST_CASE("the triad of a solve says whether caches served it", "[report]")
{
    RunReport r = run(); // 8x8x8x16
    r.even_odd = true;
    r.kernels = {{"hopping_f64", "CPU", 12, 50, 10.5, 12.25}};
    const auto text = [&] {
        std::ostringstream out;
        print_text(out, r);
        return out.str();
    };
    CHECK(to_json(r)["triad_in_cache"].is_null());
    CHECK(text().find("triad:") == std::string::npos);
    r.triad_gb_per_s = 169;
    CHECK(r.triad_bytes() == 2 * 4096 * 24 * 8); // vectors of the even sites
    r.cache_bytes = 32L << 20;
    CHECK(to_json(r)["triad_in_cache"] == true);
    CHECK(text().find("triad in cache: 169 GB/s") != std::string::npos);
    CHECK(text().find("1.5 MiB, the workers' caches 32.0") != std::string::npos);
    r.cache_bytes = r.triad_bytes() / 4;
    CHECK(to_json(r)["triad_in_cache"] == false);
    CHECK(text().find("  triad: 169 GB/s") != std::string::npos);
}
