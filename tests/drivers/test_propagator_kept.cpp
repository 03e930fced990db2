// Smeared sources, and propagators that go on where an earlier run ended, as a user gets them.

#include "lattice/files/spinor_file.hpp"
#include "lattice/gauge_source.hpp"
#include "lattice/smearing.hpp"
#include "tests/drivers/json_schema.hpp"
#include "tests/drivers/program.hpp"
#include "tests/reference/dirac.hpp"
#include "tests/reference/fields.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <csignal>
#include <fmt/format.h>
#include <sys/resource.h>

using namespace qcd::test;

namespace
{

/// Long enough to be ended between two of its sources.
std::string kept_problem(const std::string& kappa)
{
    return "propagator --quiet --cpus 1 --lattice 8x8x8x8 --gauge random:5 --smeared 1,2 --kappa " +
           kappa + " ";
}

int kept_sources(const nlohmann::json& j)
{
    const auto& all = j.at("sources");
    return int(std::count_if(all.begin(), all.end(), [](const auto& s) { return s.at("kept"); }));
}

std::vector<std::string> digests_of(const nlohmann::json& j)
{
    std::vector<std::string> all;
    for (const auto& s : j.at("sources")) all.push_back(s.at("digest"));
    return all;
}

/// Ends a run by the signal once so many sources are kept.
Outcome end_after(int sources, const std::string& folder, const std::string& arguments, int signal)
{
    Program program(arguments);
    const std::string last = fmt::format("{}/{:02}.json", folder, sources - 1);
    wait_until([&] { return std::filesystem::exists(last); });
    program.send(signal);
    return program.wait();
}

} // namespace

TEST_CASE("a smeared propagator is D^-1 of the smeared point, by the slow loops")
{
    namespace ref = qcd::reference;
    const qcd::Extents lattice{2, 4, 2, 4};
    const qcd::Coord point{1, 3, 0, 2};
    const Scratch scratch;
    const auto j = solve("propagator --quiet --cpus 1 --tol 1e-11 --lattice 2x4x2x4 --gauge "
                         "random:5 --kappa 0.11 --point 1,3,0,2 --smeared 1.5,5 --save " +
                         scratch / "S");
    check_valid("propagator", j);
    CHECK(j.at("source") == "point:1,3,0,2, smeared 1.5,5");
    const auto gauge = qcd::open_gauge("random:5", lattice);
    std::vector<double> links(gauge->slice_reals());
    gauge->read_slice(2, links);
    const qcd::SmearedPoint sources(lattice, point, {1.5, 5}, links);
    const ref::Wilson w{lattice, ref::load_links(*gauge), 0.11, 0, true};
    const qcd::SpinorFile s = qcd::open_spinor_file(scratch / "S", lattice);
    for (const int n : {0, 7, 11}) {
        const auto b = ref::load_spinors(lattice, *sources.source(n / 3, n % 3));
        const auto x = ref::load_spinors(lattice, *s.spinor(n));
        CHECK(std::sqrt(ref::norm2(ref::combine(1, b, -1, ref::dirac(w, x))) / ref::norm2(b)) <
              3e-11);
    }
}

TEST_CASE("smearing by no steps is the point, and a twist goes through it")
{
    const std::string small = "propagator --quiet --cpus 1 --lattice 4x4x4x4 --kappa 0.1 ";
    CHECK(digests_of(solve(small)) == digests_of(solve(small + "--smeared 2,0")));
    CHECK(run(small + "--smeared 2,5").status == 0); // as in Chroma's inputs
    // Twisted by 2 pi, and not.
    const auto twisted = solve(small + "--smeared 1,2 --theta 2,0,0,0"),
               plain = solve(small + "--smeared 1,2");
    CHECK(twisted.at("pion").at("t").at("correlator").at(1).get<double>() ==
          Approx(plain.at("pion").at("t").at("correlator").at(1).get<double>()).epsilon(1e-8));
}

TEST_CASE("a propagator that was ended goes on: the same bits, and nothing is left beside it")
{
    const Scratch scratch;
    const std::string file = scratch / "S.lime", folder = file + ".parts",
                      all = kept_problem("0.11") + "--save " + file + " --resume";
    const int signal = GENERATE(SIGKILL, SIGINT);
    const Outcome ended = end_after(3, folder, all, signal);
    INFO(ended.err);
    CHECK(ended.status == (signal == SIGKILL ? 128 + SIGKILL : 1));
    if (signal == SIGINT) CHECK(ended.err.find("the same command goes on") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(file));
    REQUIRE(std::filesystem::exists(folder + "/02.json"));

    // Two are damaged: one is found at once, one by its checksum.
    std::string bytes = read_text(folder + "/01.lime");
    bytes[bytes.size() / 2] ^= 1;
    write_text(folder + "/01.lime", bytes);
    write_text(folder + "/02.json", "{");
    const Outcome on = run(all);
    INFO(on.err);
    CHECK(on.status == 0);
    check_valid("propagator", on.json);
    CHECK(kept_sources(on.json) >= 1);
    CHECK(on.json.at("sources").at(0).at("kept") == true);
    for (const int damaged : {1, 2}) CHECK(on.json.at("sources").at(damaged).at("kept") == false);
    CHECK_FALSE(std::filesystem::exists(folder));

    const auto whole = solve(kept_problem("0.11") + "--save " + scratch / "W.lime");
    CHECK(kept_sources(whole) == 0);
    CHECK(digests_of(on.json) == digests_of(whole));
    CHECK(on.json.at("pion") == whole.at("pion"));
    for (int n = 0; n < 12; ++n)
        CHECK(on.json.at("sources").at(n).at("residual") ==
              whole.at("sources").at(n).at("residual"));
    CHECK(on.json.at("sources").at(0).at("iterations") ==
          whole.at("sources").at(0).at("iterations"));
    // But for the text that says which run they are of, the files are the same.
    const qcd::SpinorFile a = qcd::open_spinor_file(file, {}),
                          b = qcd::open_spinor_file(scratch / "W.lime", {});
    CHECK(a.checksums() == b.checksums());
}

TEST_CASE("solutions of another problem are not taken for this one's")
{
    const Scratch scratch;
    const std::string file = scratch / "S", folder = file + ".parts";
    end_after(1, folder, kept_problem("0.11") + "--resume --save " + file, SIGKILL);
    const std::string said = read_text(folder + "/00.json");
    REQUIRE_FALSE(said.empty());
    const bool lies = GENERATE(false, true); // then only D and b can tell
    if (lies) {
        std::string lie = said;
        const std::size_t at = lie.find("0.11");
        REQUIRE(at != std::string::npos);
        write_text(folder + "/00.json", lie.replace(at, 4, "0.115"));
    }
    write_text(folder + "/note", "is the user's");
    std::string loud = kept_problem("0.115");
    loud.erase(loud.find("--quiet "), 8);
    const Outcome o = run(loud + "--resume --save " + file);
    INFO(o.err);
    CHECK(o.status == 0);
    CHECK(o.err.find(lies ? "does not solve" : "another problem") != std::string::npos);
    CHECK(kept_sources(o.json) == 0);
    CHECK(std::filesystem::exists(folder + "/note"));
    CHECK_FALSE(std::filesystem::exists(folder + "/00.json"));
}

namespace
{

const std::string small_kept = "propagator --cpus 1 --cuda 0 --lattice 4x4x4x4 --kappa 0.11 "
                               "--solver gcr --resume ";

/// A propagator whose file there is no room for, so that all of its solutions are kept beside it.
void keep_all(const std::string& options, const std::string& file)
{
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit limit{200 << 10, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit); // the program inherits it
    const Outcome o = run(small_kept + options + " --quiet --save " + file);
    setrlimit(RLIMIT_FSIZE, &before);
    INFO(options << ' ' << o.err);
    REQUIRE(o.status == 2);
    REQUIRE(std::filesystem::exists(file + ".parts/11.json"));
}

/// A run with the parts of another; the parts stay.
Outcome go_on(const std::string& options, const std::string& parts)
{
    const Scratch scratch;
    std::filesystem::copy(parts, scratch / "S.parts");
    return run(small_kept + options + " --save " + scratch / "S");
}

} // namespace

TEST_CASE("kept solutions are of all that decides on their bits")
{
    const Scratch scratch;
    struct Change {
        std::string kept_with, options, says;
    };
    const Change changes[]{
        {"", "--sloppy single", "sloppy"},
        {"--sloppy single", "", "sloppy"},
        {"--sloppy single", "--sloppy single --sloppy-drop 0.5", "sloppy-drop"},
        {"", "--precision single", "precision"},
        {"", "--links 18", "links 12 there, 18 here"},
        {"", "--even-odd off", "even-odd"},
        {"", "--restart 3", "restart"},
        {"", "--precondition mr:3", "precondition"},
        {"--precondition mr:3", "--precondition mr:4", "precondition"},
        {"--precondition mr:3", "--precondition mr:3 --sloppy single", "sloppy"},
        {"--precondition mr:3", "--precondition mr:3 --domain 2x4x4x4", "domain"},
        {"", "--tol 1e-9", "tol"},
        {"", "--gauge weak:0.2,2", "links_digest"},
        {"", "--theta 0,0,0.5,0", "theta"},
        {"", "--boundary periodic", "boundary"},
        {"", "--point 1,0,0,0", "source"},
        {"", "--mubar 0.1", "mubar"},
        {"", "--csw 0.5", "csw"},
    };
    std::string kept_with = "none yet", parts;
    for (const Change& change : changes) {
        if (change.kept_with != kept_with) {
            kept_with = change.kept_with;
            const std::string file = scratch / std::to_string(&change - changes);
            keep_all(kept_with, file);
            parts = file + ".parts";
        }
        const Outcome o = go_on(change.options, parts);
        INFO(kept_with << " -> " << change.options << '\n' << o.err);
        CHECK(o.status == 0);
        CHECK(kept_sources(o.json) == 0);
        CHECK_THAT(o.err, Catch::Contains("of another problem: ") && Catch::Contains(change.says));
    }
}

TEST_CASE("kept solutions are taken by other plans, tilings and workers")
{
    const Scratch scratch;
    keep_all("--sloppy single", scratch / "S");
    for (const char* options : {"", "--plan graph --tiles 1x1x1x2", "--plan batch",
                                "--sched eager --tiles 1x1x2x1", "--max-iterations 9000"}) {
        const Outcome o = go_on(std::string("--sloppy single ") + options, scratch / "S.parts");
        INFO(options << '\n' << o.err);
        CHECK(o.status == 0);
        CHECK(kept_sources(o.json) == 12);
    }
}

TEST_CASE("kept solutions that do not say what they are of are solved again, and that is said")
{
    const Scratch scratch;
    keep_all("", scratch / "S");
    const std::string first = scratch / "S.parts/00.json";
    nlohmann::ordered_json j = nlohmann::ordered_json::parse(read_text(first));
    j["problem"].erase("sloppy"); // as before it was asked for
    write_text(first, j.dump());
    std::filesystem::remove(scratch / "S.parts/propagator.json");
    const Outcome o = go_on("", scratch / "S.parts");
    INFO(o.err);
    CHECK(o.status == 0);
    CHECK_THAT(o.err, Catch::Contains("00.json is not used: it does not say its sloppy"));
    CHECK(kept_sources(o.json) == 11);
}
