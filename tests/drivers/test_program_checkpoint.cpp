// Checkpoints as a user has them: written while a solve goes on, resumed elsewhere, after any end.

#include "lattice/files/checksum.hpp"
#include "lattice/files/file_bytes.hpp"
#include "lattice/files/lime.hpp"
#include "tests/drivers/json_schema.hpp"
#include "tests/drivers/program.hpp"
#include "tests/seed.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <fmt/format.h>
#include <random>
#include <span>
#include <sys/resource.h>
#include <thread>
#include <vector>

using namespace qcd::test;
using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace
{

const std::string small = "--lattice 4x4x4x8 --gauge random:3 --mass 0.5 ";
const std::string one_core = "--cpus 1 --cuda 0 --opencl 0 ";

long lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

/// One line that says it, status 2.
void check_refused(const std::string& arguments, const std::string& culprit)
{
    const Outcome o = run(arguments);
    INFO(arguments << '\n' << o.err);
    CHECK(o.status == 2);
    CHECK(lines(o.err) == 1);
    CHECK(o.err.find(culprit) != std::string::npos);
}

void check_same_solve(const Json& resumed, const Json& whole)
{
    for (const char* key : {"iterations", "cg_iterations", "operator_applications", "residual",
                            "residual_history", "converged", "verified", "solution", "ending"})
        CHECK(resumed.at(key) == whole.at(key));
}

/// Is there a file? It must be a good checkpoint.
bool is_there(const std::string& file)
{
    if (!fs::exists(file)) return false;
    const Outcome o = run("check " + file);
    INFO(o.err);
    CHECK(o.status == 0);
    return true;
}

/// The fault is in x alone, whose sites move on by one; the file's checksums are made right again.
void put_wrong_x_into(const std::string& file)
{
    std::string text = read_text(file), sums;
    const auto whole = std::as_bytes(std::span(text));
    const auto memory = qcd::memory_bytes(file, {whole.begin(), whole.end()});
    std::vector<qcd::LimeRecord> records;
    qcd::LimeReader reader(*memory);
    for (auto record = reader.next(); record; record = reader.next()) records.push_back(*record);
    const auto x = std::find_if(records.begin(), records.end(),
                                [](const qcd::LimeRecord& r) { return r.type == "qcd-vector"; });
    constexpr long site = 24 * sizeof(double);
    const auto begin = text.begin() + long(x->offset);
    std::rotate(begin, begin + site, begin + long(x->length));
    for (std::size_t i = 0; i + 1 < records.size(); ++i)
        sums += fmt::format(
            "{:016x}\n",
            qcd::xxh64(
                std::as_bytes(std::span(text)).subspan(records[i].offset, records[i].length)));
    text.replace(records.back().offset, sums.size(), sums);
    write_text(file, text);
}

/// A second of iterations or more.
const std::string long_solve = "--lattice 8x8x8x16 --iterations 1200 --quiet ";

/// Runs the long solve until a signal at some moment; JSON of what it left.
Outcome killed(const std::string& arguments, int signal, double after)
{
    Program program(long_solve + one_core + arguments);
    std::this_thread::sleep_for(std::chrono::duration<double>(after));
    program.send(signal);
    return program.wait();
}

} // namespace

TEST_CASE("a solve resumed from a checkpoint is as one that was not interrupted")
{
    const std::string method =
        GENERATE("", "--precision single ", "--even-odd off --solver cg --mubar 0.1 ",
                 "--solver bicgstab --theta 0.5,0,0,0 --boundary periodic ");
    INFO(method);
    const Scratch scratch;
    const std::string file = scratch / "c";
    const Json whole = solve(small + method + one_core);
    CHECK(whole.at("checkpoint").is_null());
    CHECK(whole.at("resumed").is_null());
    const Json with = solve(small + method + one_core + "--tiles 1x1x2x2 --checkpoint " + file +
                            " --checkpoint-every 5");
    check_valid("solve", with);
    check_same_solve(with, whole);
    const Json& c = with.at("checkpoint");
    CHECK(c.at("written").get<int>() == (whole.at("iterations").get<int>() - 1) / 5);
    CHECK(c.at("failed") == 0);
    CHECK(c.at("iteration").get<int>() % 5 == 0);
    CHECK(c.at("bytes") == fs::file_size(file));
    CHECK(c.at("every_iterations") == 5);
    CHECK(c.at("every_seconds").is_null());

    const Outcome checked = run("check " + file);
    check_valid("check", checked.json);
    CHECK(checked.json.at("bad") == 0);
    CHECK(checked.json.at("files").at(0).at("iteration") == c.at("iteration"));
    for (const std::string plan : {"--plan graph --tiles 2x1x1x4 ", "--plan batch:3 "}) {
        INFO(plan);
        const Json resumed = solve(small + method + one_core + plan + "--resume " + file);
        check_valid("solve", resumed);
        check_same_solve(resumed, whole);
        CHECK(resumed.at("resumed").at("iteration") == c.at("iteration"));
        CHECK(resumed.at("resumed").at("file") == file);
        CHECK(resumed.at("checkpoint").is_null());
    }
}

TEST_CASE("status 3: a wrong x, behind right checksums and a residual that says converged")
{
    const Scratch scratch;
    const std::string file = scratch / "c";
    const std::string arguments = small + one_core + "--resume " + file;
    solve(small + one_core + "--checkpoint " + file + " --checkpoint-every 5");
    solve(arguments);
    put_wrong_x_into(file);
    CHECK(run("check " + file).status == 0);
    const Outcome o = run(arguments);
    INFO(o.out << o.err);
    CHECK(o.status == 3);
    CHECK_THAT(o.out, Catch::Contains("converged, VERIFICATION FAILED: the true residual "
                                      "contradicts it"));
    CHECK(o.json.at("converged") == true);
    CHECK(o.json.at("verified") == false);
    CHECK(o.json.at("residual").at("iterated") < 1e-10);
    CHECK(o.json.at("residual").at("true") > 1e-6);
}

TEST_CASE("a checkpoint of a core is resumed on devices, and theirs on a core")
{
    const Scratch scratch;
    const std::string file = scratch / "c", back = scratch / "d";
    const Json whole = solve(small + one_core);
    solve(small + one_core + "--checkpoint " + file + " --checkpoint-every 4");
    for (const auto& [kind, workers] : {std::pair{"opencl", "--cpus 0 --cuda 0 --opencl 1 "},
                                        std::pair{"cuda", "--cpus 0 --cuda 1 --opencl 0 "}}) {
        if (!works(kind, workers)) continue;
        INFO(kind);
        check_same_solve(solve(small + workers + "--resume " + file), whole);
        solve(small + workers + "--checkpoint " + back + " --checkpoint-every 3");
        check_same_solve(solve(small + one_core + "--resume " + back), whole);
    }
}

TEST_CASE("where CG goes on for CR its checkpoints are of both")
{
    const Scratch scratch;
    const std::string file = scratch / "c";
    const std::string breaking = "--lattice 4x4x4x8 --gauge random:3 --mass 0 --source random:2 "
                                 "--precision single " +
                                 one_core;
    const Json whole = solve(breaking);
    REQUIRE(whole.at("cg_iterations") > 4);
    check_same_solve(solve(breaking + "--checkpoint " + file + " --checkpoint-every 3"), whole);
    const Json state = run("check " + file).json.at("files").at(0);
    CHECK(state.at("solver") == "cr");
    CHECK(state.at("method") == "cg");
    check_same_solve(solve(breaking + "--tiles 1x1x1x2 --resume " + file), whole);
}

TEST_CASE("the limit of iterations leaves a checkpoint, from which a larger one goes on")
{
    const Scratch scratch;
    const std::string file = scratch / "c";
    const Json limited = solve(small + one_core + "--max-iterations 7 --checkpoint " + file, "", 1);
    CHECK(limited.at("checkpoint").at("iteration") == 7);
    CHECK(limited.at("checkpoint").at("every_seconds") == 600);
    check_same_solve(solve(small + one_core + "--resume " + file), solve(small + one_core));
    // In steps, each from the last: the file may be the same.
    for (const std::string limit : {"9", "10", "13"}) {
        const Json step = solve(small + one_core + "--max-iterations " + limit + " --resume " +
                                    file + " --checkpoint " + file,
                                "", 1);
        CHECK(step.at("checkpoint").at("iteration") == std::stoi(limit));
    }
    check_same_solve(solve(small + one_core + "--resume " + file), solve(small + one_core));
}

TEST_CASE("several right-hand sides: checkpoints, and spinors of files as sources and guesses")
{
    const Scratch scratch;
    const std::string c = scratch / "c", x = scratch / "x.lime",
                      three = small + one_core + "--rhs 3 --source det:5 --tol 1e-9 ";
    const Json whole = solve(three + "--solver cg --save-solution " + x);
    solve(three + "--solver cg --max-iterations 7 --checkpoint " + c, "", 1);
    const Outcome checked = run("check " + c);
    check_valid("check", checked.json);
    CHECK(checked.json.at("files").at(0).at("iteration") == 7);
    const Json resumed = solve(three + "--solver cg --resume " + c);
    check_valid("solve", resumed);
    REQUIRE(resumed.at("rhs").size() == 3);
    for (int i = 0; i < 3; ++i)
        for (const char* key : {"iterations", "operator_applications", "residual_history",
                                "converged", "verified", "solution"})
            CHECK(resumed.at("rhs").at(i).at(key) == whole.at("rhs").at(i).at(key));
    check_refused(small + one_core + "--solver cg --rhs 2 --source det:5 --tol 1e-9 --resume " + c,
                  "right-hand sides: 3 there, 2 here");

    const Json guessed = solve(three + "--solver gcr --guess " + x);
    for (const Json& one : guessed.at("rhs")) CHECK(one.at("iterations") == 0);
    // Its spinors as sources: the last two of three, together and alone.
    const std::string from_file = small + one_core + "--solver bicgstab --source " + x;
    CHECK(solve(from_file + " --rhs 2 --source-number 1")
              .at("rhs")
              .at(1)
              .at("solution")
              .at("digest") == solve(from_file + " --source-number 2").at("solution").at("digest"));
    check_refused(from_file + " --rhs 3 --source-number 1",
                  "--rhs 3 are spinors 1 to 3, numbered from 0 on: there are 3");
}

TEST_CASE("a checkpoint of another problem, damaged or foreign: one line, and it stays")
{
    const Scratch scratch;
    const std::string file = scratch / "c";
    solve(small + one_core + "--checkpoint " + file + " --checkpoint-every 5");
    const std::string bytes = read_text(file);
    std::string flipped = bytes;
    flipped[bytes.size() / 2] ^= 1;
    write_text(scratch / "flipped", flipped);
    write_text(scratch / "cut", bytes.substr(0, bytes.size() / 2));
    write_text(scratch / "text", "nobody's");
    const std::string base = "--lattice 4x4x4x8 --quiet " + one_core;
    const std::string gauge = "--gauge random:3 ", mass = "--mass 0.5 ";
    const std::pair<std::string, std::string> others[]{
        {base + gauge + "--mass 0.4 ", "another problem: kappa"},
        {base + mass + "--gauge random:4 ", "another problem: digest of the links"},
        {base + gauge + mass + "--source random:2 ", "another problem: digest of the source"},
        {base + gauge + mass + "--solver cg ", "another problem: solver cr there, cg here"},
        {base + gauge + mass + "--precision single ", "another problem: bits of a real 64"},
        {base + gauge + mass + "--links 18 ", "another problem: links 12 there, 18 here"},
        {base + gauge + mass + "--even-odd off ", "another problem: even-odd on"},
        {base + gauge + mass + "--tol 1e-8 ", "another problem: tolerance 1e-10 there, 1e-08"},
        {base + gauge + mass + "--boundary periodic ", "another problem: boundary"},
        {"--lattice 4x4x4x4 --quiet " + one_core + gauge + mass, "another problem: lattice"},
    };
    for (const auto& [other, culprit] : others) {
        check_refused(other + "--resume " + file, culprit);
        check_refused(other + "--checkpoint " + file, culprit);
    }
    const std::string same = base + gauge + mass;
    check_refused(same + "--resume " + scratch / "flipped", "damaged: wrong checksum of vector");
    check_refused(same + "--resume " + scratch / "cut", "truncated");
    for (const std::string foreign : {"text", "cut"}) {
        const std::string kept = read_text(scratch / foreign);
        check_refused(same + "--checkpoint " + scratch / foreign, "--checkpoint would replace it");
        CHECK(read_text(scratch / foreign) == kept);
    }
    check_refused(same + "--resume " + scratch / "text", "not a checkpoint");
    check_refused(same + "--resume " + scratch / "none", "there is no file");
    CHECK(read_text(file) == bytes);
    CHECK(run("check " + scratch / "flipped").status == 2);
}

TEST_CASE("a full disk costs the checkpoint, not the solve nor the earlier checkpoint")
{
    const Scratch scratch;
    const std::string file = scratch / "c";
    solve(small + one_core + "--checkpoint " + file + " --checkpoint-every 5");
    const std::string bytes = read_text(file);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit limit{64 << 10, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit); // the program inherits it
    const std::string again =
        small + one_core + "--quiet --resume " + file + " --checkpoint " + file;
    const Outcome o = run(again + " --checkpoint-every 2");
    const Outcome unsolved = run(again + " --max-iterations 12");
    setrlimit(RLIMIT_FSIZE, &before);
    INFO(o.err << unsolved.err);
    CHECK(o.status == 0);
    CHECK(lines(o.err) == 1);
    CHECK(o.err.find("cannot write") != std::string::npos);
    check_valid("solve", o.json);
    CHECK(o.json.at("converged") == true);
    CHECK(o.json.at("checkpoint").at("written") == 0);
    CHECK(o.json.at("checkpoint").at("failed") > 0);
    CHECK(o.json.at("checkpoint").at("iteration").is_null());
    // Where it was all that there is of the solve, it is an error.
    CHECK(unsolved.status == 2);
    CHECK(lines(unsolved.err) == 1);
    CHECK(read_text(file) == bytes);
    CHECK(std::distance(fs::directory_iterator(scratch.path()), {}) == 1);
}

TEST_CASE("SIGUSR1, Ctrl-C and SIGTERM leave a checkpoint")
{
    const Json whole = solve(long_solve + one_core);
    for (const int signal : {SIGUSR1, SIGINT, SIGTERM}) {
        const Scratch scratch;
        const std::string file = scratch / "c";
        // The signal comes after the set-up, when the first file is there.
        Program program(long_solve + one_core + "--checkpoint " + file + " --checkpoint-every 20");
        wait_until([&] { return fs::exists(file); });
        program.send(signal);
        if (signal == SIGUSR1) program.send(SIGTERM); // as a batch system goes on
        const Outcome o = program.wait();
        INFO(signal << ' ' << o.err);
        CHECK(o.status == 1);
        CHECK(o.err.empty());
        check_valid("solve", o.json);
        CHECK(o.json.at("ending") == "interrupted");
        CHECK(o.json.at("checkpoint").at("iteration") == o.json.at("iterations"));
        check_same_solve(solve(long_solve + one_core + "--tiles 1x1x2x2 --resume " + file), whole);
    }
}

TEST_CASE("SIGUSR1 means nothing to a run without checkpoints")
{
    CHECK(killed("", SIGUSR1, 0.1).status == 128 + SIGUSR1);
}

TEST_CASE("killed at any moment, a run leaves the old checkpoint or the new one", "[long]")
{
    const Json whole = solve(long_solve + one_core);
    std::mt19937 random(any_seed());
    const Scratch scratch;
    const std::string file = scratch / "c";
    bool there = false;
    for (int i = 0; i < 6; ++i) {
        const std::string from = there ? "--resume " + file + ' ' : "";
        const double when = std::uniform_real_distribution<double>(0.1, 1.5)(random);
        const Outcome o =
            killed(from + "--checkpoint " + file + " --checkpoint-every 1", SIGKILL, when);
        INFO(when << " s: " << o.status << ' ' << o.err);
        CHECK((o.status == 128 + SIGKILL || o.status == 0));
        CHECK((is_there(file) || !there));
        there = there || is_there(file);
    }
    if (there) check_same_solve(solve(long_solve + one_core + "--resume " + file), whole);
}
