// `generate` as a user runs it: published plaquettes, limits of strong and weak coupling, the same
// bits for every way of executing it, and what is refused.

#include "tests/drivers/json_schema.hpp"
#include "tests/drivers/program.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>

using namespace qcd::test;
using Json = nlohmann::json;

namespace
{

Json generate(const std::string& arguments, int status = 0)
{
    return solve("generate --cuda 0 " + arguments, "", status);
}

struct Mean {
    double value, error;
};
Mean mean_of(const Json& j, const std::string& key)
{
    const Json& m = j.at("means").at(key);
    return {m.at("mean"), m.at("error")};
}

/// At most so many errors of both from each other?
bool agree(const Mean& a, const Mean& b, double errors = 4)
{
    return std::abs(a.value - b.value) <= errors * std::hypot(a.error, b.error);
}

/// Plaquette of the last measurement.
double last_plaquette(const Json& j) { return j.at("history").back().at("plaquette"); }

const std::string small =
    "--lattice 8x4x4x8 --beta 5.7 --start hot --sweeps 4 --overrelax 1 --reunitarize-every 3 "
    "--seed 77 --measure-every 2 ";

} // namespace

TEST_CASE("generate: the same field on every tiling, scheduler, plan and kind of worker")
{
    const Json whole = generate(small + "--cpus 1 --plan batch");
    const std::string digest = whole.at("digest");
    CHECK(digest.size() == 16);
    CHECK(whole.at("heatbath").at("exhausted") == 0);
    CHECK(whole.at("heatbath").at("drawn") == 4 * 3 * 4 * 8 * 4 * 4 * 8);
    const auto same = [&](const std::string& how) {
        INFO(how);
        const Json j = generate(small + how);
        CHECK(j.at("digest") == digest);
        CHECK(j.at("history") == whole.at("history"));
        CHECK(j.at("heatbath") == whole.at("heatbath"));
    };
    same("--cpus 1 --plan graph");
    same("--cpus 1 --plan graph --tiles 1x1x1x2");
    same("--cpus 2 --tiles 1x1x2x4 --sched eager");
    same("--cpus 2 --tiles 2x2x2x2 --sched random");
    same("--cpus 2 --tiles 4x1x1x1 --plan pinned");
    same("--cpus 2 --tiles 1x1x1x4 --plan replay");
    CHECK_THAT(solve("generate " + small + "--cpus 2 --tiles 1x1x1x4 --plan replay")
                   .at("command")
                   .get<std::string>(),
               Catch::Contains(" --plan replay --tiles 1x1x1x4 ")); // replay:N would name a file
    same("--cpus 1 --cores-per-worker 2");
    if (works("opencl", "--cpus 0 --cuda 0 --opencl 1")) {
        same("--cpus 0 --opencl 1");
        same("--cpus 1 --opencl 1 --sched random --tiles 1x2x1x4");
    }
    if (works("cuda", "--cpus 0 --cuda 1")) {
        const Json j = solve("generate " + small + "--cpus 0 --cuda 1");
        CHECK(j.at("digest") == digest);
        CHECK(j.at("history") == whole.at("history"));
        CHECK(solve("generate " + small + "--cpus 1 --cuda 1 --sched random --tiles 1x2x1x4")
                  .at("digest") == digest);
    }
}

TEST_CASE("generate: lattices whose lanes have rows of both offsets, and empty ones")
{
    for (const std::string lattice : {"4x4x4x4", "6x2x4x4", "12x2x2x4", "2x2x2x2"}) {
        const std::string job = "--lattice " + lattice + " --beta 2 --sweeps 3 --overrelax 1 ";
        INFO(lattice);
        const Json whole = generate(job + "--cpus 1 --plan batch");
        if (lattice != "2x2x2x2")
            CHECK(generate(job + "--cpus 1 --tiles 1x1x1x2").at("digest") == whole.at("digest"));
        const Json quenched =
            solve("apply --lattice " + lattice + " --gauge quenched:2,1,3 --kappa 0.1 --cuda 0");
        CHECK(quenched.at("gauge").at("source") == "quenched:2,1,3");
        if (works("opencl", "--cpus 0 --cuda 0 --opencl 1"))
            CHECK(generate(job + "--cpus 0 --opencl 1").at("digest") == whole.at("digest"));
    }
}

TEST_CASE("generate: at strong coupling the plaquette is beta/18 + beta^2/216")
{
    const double beta = GENERATE(0.0, 0.3, 1.0);
    const Json j = generate(fmt::format("--lattice 4x4x4x4 --beta {} --start hot --sweeps 400 "
                                        "--overrelax 1 --thermalize 20 --cpus 1 --seed 5",
                                        beta));
    const Mean p = mean_of(j, "plaquette");
    // The next term is -5 beta^4/93312 (Balian, Drouffe and Itzykson 1975).
    const double expected = beta / 18 + beta * beta / 216 - 5 * beta * beta * beta * beta / 93312;
    INFO(p.value << " +- " << p.error << ", expected " << expected);
    CHECK(agree(p, {expected, 1e-4}));
    CHECK(p.error < 2e-3);
}

TEST_CASE("generate: at weak coupling the plaquette is 1 - 2/beta to leading order")
{
    const double beta = 200;
    const Json j = generate(fmt::format("--lattice 4x4x4x4 --beta {} --sweeps 150 --overrelax 3 "
                                        "--thermalize 40 --cpus 1 --seed 6",
                                        beta));
    const Mean p = mean_of(j, "plaquette");
    const int sites = 256; // of periodic lattices the zero modes do not move: 2/beta (1 - 1/V)
    const double deficit = 1 - p.value, leading = 2 / beta * (1 - 1.0 / sites);
    INFO(deficit << " +- " << p.error << ", leading order " << leading);
    CHECK(std::abs(deficit / leading - 1) < 0.015); // the next order is 0.6/beta of it
}

TEST_CASE("generate: overrelaxation and heat bath")
{
    const std::string l = "--lattice 4x4x4x4 --beta 5.5 --cpus 1 --thermalize 100 --sweeps 500 ";
    // Heat bath alone and with overrelaxation have the same mean.
    const Json alone = generate(l + "--overrelax 0 --seed 1"),
               with = generate(l + "--overrelax 3 --seed 2");
    const Mean a = mean_of(alone, "plaquette"), b = mean_of(with, "plaquette");
    INFO(a.value << " +- " << a.error << ", " << b.value << " +- " << b.error);
    CHECK(agree(a, b));
    CHECK(alone.at("means").at("plaquette").at("tau_sweeps") >
          with.at("means").at("plaquette").at("tau_sweeps"));
}

TEST_CASE("generate: resumed, the bits are those of one run")
{
    const Scratch scratch;
    const std::string job = "--lattice 4x4x4x8 --beta 6 --overrelax 1 --seed 9 --cpus 1 ",
                      state = scratch / "state", table = scratch / "t.csv",
                      whole_table = scratch / "w.csv";
    const Json whole = generate(job + "--sweeps 12 --measure " + whole_table);
    CHECK(generate(job + "--sweeps 5 --checkpoint " + state).at("sweeps") == 5);
    const Json rest =
        generate(job + "--sweeps 12 --tiles 1x1x2x2 --resume " + state + " --measure " + table);
    CHECK(rest.at("sweeps_before") == 5);
    CHECK(rest.at("digest") == whole.at("digest"));
    CHECK(rest.at("history") == whole.at("history"));
    CHECK(rest.at("means") == whole.at("means"));
    CHECK(rest.at("heatbath") == whole.at("heatbath"));
    CHECK(read_text(table) == read_text(whole_table));
    check_valid("generate", whole);
    check_valid("generate", rest);

    const auto refused = [&](const std::string& arguments, const std::string& line) {
        const Outcome o = run("generate --cuda 0 " + arguments);
        CHECK(o.status == 2);
        CHECK_THAT(o.err, Catch::Contains(line));
    };
    refused("--beta 5 --overrelax 1 --seed 9 --cpus 1 --sweeps 12 --resume " + state, "--beta 6");
    refused(job + "--sweeps 4 --resume " + state, "has 5 sweeps");

    const Outcome checked = run("check " + state);
    INFO(checked.out << checked.err);
    CHECK(checked.status == 0);
    CHECK_THAT(checked.out, Catch::Contains("checkpoint of generate, 5 sweeps at beta 6"));
    check_valid("check", checked.json);
    const Json& file = checked.json.at("files").at(0);
    CHECK(file.at("kind") == "ensemble");
    CHECK(file.at("seed") == 9);
    CHECK(file.at("measurements") == 6);
    CHECK(double(file.at("plaquette").at("total")) ==
          Approx(double(whole.at("history").at(5).at("plaquette"))).epsilon(1e-14));

    const std::string bytes = read_text(state);
    std::string flipped = bytes;
    flipped[bytes.size() / 2] ^= 1;
    write_text(scratch / "flipped", flipped);
    write_text(scratch / "cut", bytes.substr(0, bytes.size() - 1));
    write_text(scratch / "longer", bytes + '\n');
    write_text(scratch / "begun", bytes.substr(0, 40));
    const Outcome bad = run("check " + state + " " + scratch / "flipped " + scratch / "cut " +
                            scratch / "longer " + scratch / "begun");
    CHECK(bad.status == 2);
    CHECK(bad.json.at("bad") == 4);
    check_valid("check", bad.json);
    CHECK_THAT(bad.err, Catch::Contains("flipped': is damaged"));
    write_text(state, flipped);
    refused(job + "--sweeps 12 --resume " + state, "is damaged");
}

TEST_CASE("generate: the first field is measured once, whoever goes on from it")
{
    const Scratch scratch;
    const std::string job = "--lattice 4x4x4x4 --beta 6 --cpus 1 ", state = scratch / "state";
    CHECK(generate(job + "--sweeps 0 --checkpoint " + state).at("history").size() == 1);
    const Json rest = generate(job + "--sweeps 2 --resume " + state);
    CHECK(rest.at("history") == generate(job + "--sweeps 2").at("history"));
}

TEST_CASE("compare generate ranks ways of generating the same field")
{
    const Scratch scratch;
    const std::string job = "--lattice 4x4x4x8 --beta 5.7 --start hot --sweeps 4 --overrelax 1 ",
                      folder = scratch / "c";
    const std::string command = "compare generate " + job +
                                "--sched lws,dmda --tiles 1x1x1x2,1x1x1x4 --workers cpus:2 "
                                "--repeat 2 --out " +
                                folder;
    const Outcome o = run(command);
    INFO(o.err << o.out);
    REQUIRE(o.status == 0);
    check_valid("compare", o.json);
    CHECK(o.json.at("digest") == generate(job + "--cpus 1").at("digest"));
    CHECK(o.json.at("problem") == "qcd_starpu generate --lattice 4x4x4x8 --beta 5.7 --start hot "
                                  "--sweeps 4 --overrelax 1 --seed 1");
    REQUIRE(o.json.at("ranking").at("cases").size() == 4);
    for (const Json& c : o.json.at("ranking").at("cases")) CHECK(c.at("rounds") == 2);
    for (const Json& c : o.json.at("bounds").at("cases")) {
        INFO(c.dump());
        REQUIRE(c.at("bound").is_object());
        CHECK(c.at("bound").at("seconds") > 0);
        CHECK(c.at("bound").at("whole") == true);
    }
    CHECK_THAT(o.out, Catch::Contains("sweep: its milliseconds, of 4 in a run"));
    const std::string runs = read_text(folder + "/runs.csv");
    CHECK(run(command).status == 0);
    CHECK(read_text(folder + "/runs.csv") == runs); // what it has is not run again
    // Other sweeps are another design.
    const Outcome other = run("compare generate --lattice 4x4x4x8 --beta 5.8 --sweeps 4 "
                              "--repeat 2 --out " +
                              folder);
    CHECK(other.status == 2);
    CHECK_THAT(other.err, Catch::Contains("another design"));
}

TEST_CASE("generate: Ctrl-C ends it with a checkpoint to go on from")
{
    const Scratch scratch;
    const std::string job = "generate --cuda 0 --lattice 4x4x4x8 --beta 6 --seed 9 --cpus 1 ",
                      state = scratch / "state";
    Program program(job + "--sweeps 100000 --checkpoint " + state);
    program.wait_until_computed();
    program.interrupt();
    const Outcome o = program.wait();
    CHECK(o.status == 1);
    CHECK(o.json.at("interrupted") == true);
    const int done = o.json.at("sweeps");
    CHECK((done > 0 && done < 100000));
    const Json same = solve(job + fmt::format("--sweeps {}", done));
    CHECK(same.at("digest") == o.json.at("digest"));
    CHECK(solve(job + fmt::format("--sweeps {} --resume ", done + 1) + state).at("sweeps") ==
          done + 1);
}

TEST_CASE("generate: fields in files, and by name")
{
    const Scratch scratch;
    const std::string job = "--lattice 4x4x4x4 --beta 5.9 --seed 4 --cpus 1 ";
    const Json j = generate(job + "--sweeps 4 --every 2 --save " + scratch / "conf_%03d.lime" +
                            " --plot " + scratch / "plot");
    CHECK(j.at("files").size() == 2);
    const std::string last = scratch / "conf_004.lime";
    CHECK_FALSE(read_text(scratch / "conf_002.lime").empty());
    const Json checked = solve("check " + last);
    CHECK(double(checked.at("files").at(0).at("plaquette").at("total")) ==
          Approx(last_plaquette(j)).epsilon(1e-14));
    CHECK_THAT(read_text(scratch / "plot/history.dat"), Catch::Contains("# sweep, plaquette"));
    // The same field by name, and as a file to begin with.
    const Json by_name =
                   solve("convert quenched:5.9,4,4 " + scratch / "q.lime" + " --lattice 4x4x4x4"),
               from_file = generate("--beta 5.9 --cpus 1 --sweeps 0 --start " + last);
    CHECK(double(by_name.at("written").at("plaquette").at("total")) ==
          Approx(last_plaquette(j)).epsilon(1e-14));
    CHECK(from_file.at("digest") == j.at("digest"));
    CHECK(generate("--beta 5.9 --cpus 1 --sweeps 0 --start " + scratch / "q.lime").at("digest") ==
          j.at("digest"));
    // Every format that is written.
    for (const std::string file : {"a.nersc", "a.h5", "a.scidac", "a.openqcd"}) {
        INFO(file);
        generate(job + "--sweeps 4 --save " + scratch / file);
        CHECK(solve("check " + scratch / file)
                  .at("files")
                  .at(0)
                  .at("plaquette")
                  .at("total")
                  .get<double>() == Approx(last_plaquette(j)).epsilon(1e-12));
    }
}

TEST_CASE("generate: what is refused, in a line")
{
    const auto refused = [](const std::string& arguments, const std::string& line) {
        INFO(arguments);
        const Outcome o = run("generate " + arguments);
        CHECK(o.status == 2);
        CHECK_THAT(o.err, Catch::Contains(line));
        CHECK(std::count(o.err.begin(), o.err.end(), '\n') == 1);
    };
    const std::string l = "--lattice 4x4x4x4 ", b = "--beta 6 ", s = "--sweeps 2 ";
    refused(l + s, "--beta B is needed");
    refused(l + b, "--sweeps N is needed");
    refused(b + s, "--lattice XxYxZxT is needed");
    refused(l + s + "--beta -1", "--beta");
    refused(l + s + "--beta nan", "--beta");
    refused(l + s + "--beta 1e9", "--beta");
    refused(l + b + "--sweeps -1", "--sweeps");
    refused(l + b + s + "--overrelax -1", "--overrelax");
    refused(l + b + s + "--seed -1", "--seed");
    refused(l + b + s + "--every 0 --save c_%d.lime", "--every");
    refused(l + b + s + "--every 1", "--every: without --save");
    refused(l + b + s + "--every 1 --save c.lime", "has no %d");
    refused(l + b + s + "--save c_%s.lime", "one %d");
    refused(l + b + s + "--save c_%d_%d.lime", "one %d");
    refused(l + b + s + "--measure-every 0", "--measure-every");
    refused(l + b + s + "--start nowhere.lime", "--start");
    refused(l + b + s + "--plan linked", "--plan linked");
    refused("--lattice 8x8x8x10 " + b + s + "--cpus 1 --cuda 0 --tiles 1x1x1x2",
            "not equally thick");
    refused(l + b + s + "--save c.milc", "numbers of 32 bits");
    // No two outputs are one file, also those of sweeps on the way.
    const Scratch folder;
    const auto replaced = [&](const std::string& arguments, const std::string& options) {
        refused(l + b + "--sweeps 30 --cpus 1 --cuda 0 " + arguments, options + ": ");
    };
    const std::string fields = "--save " + folder / "c_%03d.lime" + " --every 10 ";
    replaced(fields + "--measure " + folder / "c_010.lime", "--save, --measure");
    replaced(fields + "--measure " + folder.path().string() + "/../" +
                 folder.path().filename().string() + "/c_030.lime",
             "--save, --measure");
    replaced(fields + "--checkpoint " + folder / "c_020.lime", "--save, --checkpoint");
    replaced(fields + "--report " + folder / "c_020.lime", "--save, --report");
    replaced("--save " + folder / "c1%d.lime --every 10 --measure " + folder / "c110.lime",
             "--save, --measure");
    replaced("--measure " + folder / "m --checkpoint " + folder / "m", "--measure, --checkpoint");
    replaced("--measure " + folder / "history.dat --plot " + folder.path().string(),
             "--plot, --measure");
    replaced("--plot " + folder / "p --trace " + folder / "p", "--plot, --trace");
    write_text(folder / "c_010.lime", read_text(folder / "none"));
    replaced(fields + "--start " + folder / "c_010.lime", "--start, --save");
    std::filesystem::create_symlink(folder / "c_010.lime", folder / "link");
    replaced(fields + "--measure " + folder / "link", "--save, --measure");
    generate(l + b + "--sweeps 2 --cpus 1 --every 1 --save " + folder / "d_%d.lime --measure " +
             folder / "d_3.lime");
    const auto not_compared = [](const std::string& arguments, const std::string& line) {
        INFO(arguments);
        const Scratch scratch;
        const Outcome o = run("compare generate --out " + (scratch / "c") + " " + arguments);
        CHECK(o.status == 2);
        CHECK_THAT(o.err, Catch::Contains(line));
        CHECK(std::count(o.err.begin(), o.err.end(), '\n') == 1);
    };
    not_compared(l + s, "--beta B is needed");
    not_compared(l + b, "--sweeps N is needed");
    not_compared(l + b + "--sweeps 0", "nothing to compare");
    not_compared(b + s, "--lattice XxYxZxT is needed");
    not_compared(l + b + s + "--plan graph,linked", "--plan linked");
    not_compared(l + b + s + "--split auto", "no option or argument '--split'");
    not_compared(l + b + s + "--kappa 0.1", "no option or argument '--kappa'");
    const Scratch scratch;
    write_text(scratch / "cases", "sched,split\nlws,\n");
    not_compared(l + b + s + "--cases " + (scratch / "cases"), "split is of solves");
    const Outcome o = run("solve --lattice 4x4x4x4 --gauge quenched:-1,1,3");
    CHECK(o.status == 2);
    CHECK_THAT(o.err, Catch::Contains("quenched:BETA,SEED,SWEEPS"));
}

TEST_CASE("generate: a solve on a thermalised field of 8x8x8x16", "[long]")
{
    const Scratch scratch;
    const std::string lattice = "--lattice 8x8x8x16 ", file = scratch / "beta6.lime";
    const Json made =
        generate(lattice + "--beta 6 --seed 1 --sweeps 100 --measure-every 100 --save " + file);
    CHECK(last_plaquette(made) == Approx(0.594).margin(0.004));
    const std::string solver = "solve --cuda 0 --kappa 0.15 --gauge ";
    const Json by_file = solve(solver + file),
               by_name = solve(solver + "quenched:6,1,100 " + lattice);
    CHECK(by_file.at("converged") == true);
    CHECK(by_file.at("solution").at("digest") == by_name.at("solution").at("digest"));
}

TEST_CASE("generate: published plaquettes", "[long]")
{
    struct Published {
        double beta, plaquette;
    };
    // docs/ensembles.md says by whom, and on which lattices.
    const auto [beta, plaquette] =
        GENERATE(Published{5.7, 0.549}, Published{6.0, 0.593678}, Published{6.2, 0.6136});
    // 8x8x8x8 is too small for beta >= 6: its plaquettes are larger by 5e-4.
    const Json j = generate(fmt::format("--lattice 12x12x12x12 --beta {} --sweeps 160 "
                                        "--thermalize 40 --measure-every 2 --seed 12",
                                        beta));
    const Mean p = mean_of(j, "plaquette");
    INFO(p.value << " +- " << p.error << ", published " << plaquette);
    CHECK(agree(p, {plaquette, 2e-4}, 3));
    CHECK(p.error < 5e-4);
}

TEST_CASE("generate: the Polyakov loop below and above the transition of LT = 4", "[long]")
{
    // beta = 5.69 (Boyd et al. 1996: 5.6925).
    const auto size = [](const std::string& beta) {
        return mean_of(generate("--lattice 8x8x8x4 --sweeps 400 --thermalize 150 --beta " + beta),
                       "polyakov_abs")
            .value;
    };
    const double confined = size("5.5"), deconfined = size("5.9");
    INFO(confined << " below, " << deconfined << " above");
    CHECK(confined < 0.06);
    CHECK(deconfined > 0.15);
}
