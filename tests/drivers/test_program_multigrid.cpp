// Multigrid as a user has it: test vectors in files, and what is said of each level.

#include "tests/drivers/json_schema.hpp"
#include "tests/drivers/program.hpp"

#include <catch2/catch.hpp>

using namespace qcd::test;
using Json = nlohmann::json;

namespace
{

const std::string problem = "--lattice 8x4x4x8 --gauge weak:0.3,2 --kappa 0.13 --csw 1 ",
                  method = "--cpus 1 --cuda 0 --opencl 0 --solver gcr --precondition mg:3 "
                           "--mg-first 4 ",
                  six = "--mg-vectors 6 ", two_levels = "--mg-blocks 2x2x2x2 ",
                  multigrid = problem + method + two_levels + six;

Json levels_of(const Json& r) { return r.at("preconditioner").at("multigrid"); }

} // namespace

TEST_CASE("test vectors of multigrid that were saved make the same levels")
{
    const Scratch scratch;
    for (const char* name : {"vectors.lime", "vectors.h5"}) {
        const std::string file = scratch / name;
        INFO(file);
        const Json made = solve(multigrid + "--mg-setup 2 --mg-save " + file);
        const Json read = solve(multigrid + "--mg-load " + file);
        CHECK(read.at("solution").at("digest") == made.at("solution").at("digest"));
        CHECK(read.at("iterations") == made.at("iterations"));
        CHECK(levels_of(read).at("first_iterations") == 0);
        CHECK(levels_of(read).at("refinements") == 0);
        CHECK(levels_of(made).at("refinements") == 2);
        // Each refinement is anew on what was there.
        const Json further = solve(multigrid + "--mg-setup 1 --mg-load " + file);
        CHECK(levels_of(further).at("refinements") == 1);
        const Json at_once = solve(multigrid + "--mg-setup 3");
        CHECK(further.at("solution").at("digest") == at_once.at("solution").at("digest"));
        // At another mass, or with other boundaries, they are refined.
        const std::string field = "--lattice 8x4x4x8 --gauge weak:0.3,2 ";
        for (const char* other :
             {"--kappa 0.131 --csw 1 ", "--kappa 0.13 --csw 1 --theta 0,0,0,0.1 ",
              "--kappa 0.13 --csw 1.1 "}) {
            INFO(other);
            const Json r = solve(field + other + method + two_levels + six + "--mg-load " + file);
            CHECK(levels_of(r).at("refinements") == 1);
        }
    }
}

TEST_CASE("a propagator keeps and takes test vectors, too")
{
    const Scratch scratch;
    const std::string file = scratch / "vectors.lime",
                      run = "propagator " + multigrid + "--rhs 6 --tol 1e-6 ";
    const Json made = solve(run + "--mg-save " + file), read = solve(run + "--mg-load " + file);
    CHECK(made.at("pion") == read.at("pion"));
}

TEST_CASE("test vectors that do not belong are refused")
{
    const Scratch scratch;
    const std::string file = scratch / "vectors.lime", spinor = scratch / "x.lime",
                      load = "--mg-load " + file + " ";
    solve(multigrid + "--mg-save " + file + " --save-solution " + spinor);
    const auto refused = [&](const std::string& options, const std::string& why) {
        INFO(options);
        const Outcome o = run(options);
        CHECK(o.status == 2);
        CHECK_THAT(o.err, Catch::Contains(why));
    };
    const std::string own = method + two_levels + load;
    refused("--lattice 8x4x4x8 --gauge weak:0.3,3 " + own + six, "of other links");
    refused(problem + own + "--mg-vectors 12", "6 vectors, not the 12 of --mg-vectors");
    refused("--lattice 8x8x4x8 " + own + six, "8x4x4x8");
    refused(multigrid + "--mg-load " + spinor, "not written by --mg-save");
    refused(multigrid + "--mg-load " + (scratch / "none"), "none");
    refused("--lattice 8x4x4x8 --mg-load " + file, "of multigrid");
    refused("--lattice 8x4x4x8 --mg-save " + file, "of multigrid");
    refused(multigrid + "--mg-save " + (scratch / "no/such"), "--mg-save");
    std::string bytes = read_text(file);
    bytes[bytes.size() / 2] ^= 1;
    write_text(file, bytes);
    refused(multigrid + load, "checksum");
}

TEST_CASE("--verbose says what multigrid does on each level")
{
    const Outcome o = run(problem + method + six + "--mg-blocks 2x2x2x2,2x1x1x2 --verbose");
    REQUIRE(o.status == 0);
    CHECK_THAT(o.out, Catch::Contains("of gcr, each multiplies |r| by"));
    const Json levels = levels_of(o.json).at("levels");
    REQUIRE(levels.size() == 3);
    double share = 0;
    for (const Json& level : levels) {
        CHECK(level.at("work").at("iterations") > 0);
        CHECK(level.at("work").at("factor") < 1);
        share += level.at("work").at("share").get<double>();
    }
    CHECK(share == Approx(1));
    CHECK(levels[0].at("work").at("iterations") == o.json.at("iterations"));
    CHECK(levels_of(solve(multigrid)).at("levels")[0].at("work").is_null());
}
