// convert and check as a user runs them, and what becomes of files that are there.

#include "lattice/files/gauge_writer.hpp"
#include "lattice/files/hdf5_dataset.hpp"
#include "lattice/gauge_source.hpp"
#include "tests/drivers/json_schema.hpp"
#include "tests/drivers/program.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <sys/resource.h>

using namespace qcd::test;
using Json = nlohmann::json;

namespace
{

long lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

/// A field in the file.
void make(const std::string& field, const std::string& file)
{
    REQUIRE(run("convert " + field + " " + file).status == 0);
}

} // namespace

TEST_CASE("a field goes through every format of its precision and comes back bit for bit")
{
    const Scratch scratch;
    const auto through = [&](const std::string& first, const std::vector<std::string>& files) {
        std::string from = first;
        for (const std::string& file : files) {
            const Outcome o = run("convert " + from + " " + scratch / file);
            INFO(file << o.out << o.err);
            CHECK(o.status == 0);
            CHECK(o.err.empty());
            CHECK(o.json.at("rounded") == false);
            CHECK(o.json.at("written").at("good") == true);
            check_valid("convert", o.json);
            from = scratch / file;
        }
    };
    make("random:4 --lattice 4x2x6x8", scratch / "a.nersc");
    through(scratch / "a.nersc", {"b.openqcd", "c.lime", "c.scidac", "d.nersc"});
    CHECK(read_text(scratch / "a.nersc") == read_text(scratch / "d.nersc"));
    make(scratch / "a.nersc" + " --precision single", scratch / "e.milc");
    through(scratch / "e.milc", {"f.lime", "g.nersc", "h.milc"});
    CHECK(read_text(scratch / "e.milc") == read_text(scratch / "h.milc"));
    if (!qcd::has_hdf5()) return;
    through(scratch / "a.nersc", {"i.h5", "j.nersc"});
    CHECK(read_text(scratch / "a.nersc") == read_text(scratch / "j.nersc"));
    through(scratch / "e.milc", {"k.h5", "l.milc"});
    CHECK(read_text(scratch / "e.milc") == read_text(scratch / "l.milc"));
}

TEST_CASE("a field of two rows in 32 bits is converted")
{
    const Scratch scratch;
    const auto source = qcd::open_gauge("random:4", qcd::Extents{4, 4, 4, 4});
    const auto writer = qcd::nersc_writer(scratch / "two", {4, 4, 4, 4}, {.bits = 32, .rows = 2});
    std::vector<double> slice(source->slice_reals());
    qcd::GaugeMeasurement measurement({4, 4, 4, 4});
    for (int t = 0; t < 4; ++t) {
        source->read_slice(t, slice);
        measurement.add_slice(t, slice);
        writer->write_slice(t, slice);
    }
    writer->finish(measurement.result());
    for (const char* to : {"a.milc", "b.lime"}) {
        const Outcome o = run("convert " + scratch / "two" + " " + scratch / to);
        INFO(o.out << o.err);
        CHECK(o.status == 0);
        CHECK(o.json.at("rounded") == false);
    }
}

TEST_CASE("convert says what it rounds or projects, and refuses what would not be read")
{
    const Scratch scratch;
    const std::string single = scratch / "s.milc", field = "random:4 --lattice 4x4x4x4 ";
    const Outcome rounded = run("convert " + field + single + " --precision single");
    CHECK(rounded.json.at("rounded") == true);
    CHECK(rounded.json.at("written").at("bits") == 32);
    const struct {
        std::string arguments, culprit;
    } bad[] = {{field + scratch / "x.milc", "--precision single"},
               {single + " " + scratch / "x.openqcd", "--reunitarize"},
               {single + " " + scratch / "x.lime --precision double", "--reunitarize"},
               {field + scratch / "x.openqcd --precision single", "not of 32"},
               {single + " --lattice 4x4x4x8 " + scratch / "x.lime", "4x4x4x8"}};
    for (const auto& c : bad) {
        const Outcome o = run("convert " + c.arguments);
        INFO(c.arguments << o.err);
        CHECK(o.status == 2);
        CHECK(lines(o.err) == 1);
        CHECK(o.err.find(c.culprit) != std::string::npos);
    }
    const std::string projected = scratch / "p.openqcd";
    const Outcome o = run("convert --reunitarize " + single + " " + projected);
    CHECK(o.status == 0);
    CHECK(o.err.find("note: ") != std::string::npos);
    CHECK(o.json.at("written").at("unitarity") < 1e-14);
    CHECK_FALSE(std::filesystem::exists(scratch / "x.milc"));
}

TEST_CASE("convert beyond the limit of files: one line, and nothing is left")
{
    const Scratch scratch;
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    for (const qcd::GaugeFormatFacts& facts : qcd::gauge_formats()) {
        if (facts.format == qcd::GaugeFormat::hdf5 && !qcd::has_hdf5()) continue;
        const std::string file = scratch / ("f" + std::string(facts.endings.front()));
        const rlimit small{32 << 10, before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &small); // the program inherits it
        const Outcome o = run("convert random:4 --lattice 4x4x4x4 --quiet " + file +
                              (facts.bits.back() == 32 ? " --precision single" : ""));
        setrlimit(RLIMIT_FSIZE, &before);
        INFO(o.err);
        CHECK(o.status == 2);
        CHECK(lines(o.err) == 1);
        CHECK(o.err.find(file + ": ") != std::string::npos);
        CHECK(o.err.find("cannot write: File too large") != std::string::npos);
        CHECK(std::filesystem::is_empty(scratch.path()));
    }
}

TEST_CASE("check looks at every file and says which are bad")
{
    const Scratch scratch;
    make("random:4 --lattice 4x4x4x4", scratch / "good.lime");
    make("gen:3,1 --lattice 4x2x2x6", scratch / "other.openqcd");
    const std::string bytes = read_text(scratch / "good.lime");
    write_text(scratch / "cut.lime", bytes.substr(0, bytes.size() / 2));
    std::string flipped = bytes;
    flipped[bytes.size() - 2000] ^= 1;
    write_text(scratch / "flip.lime", flipped);
    const Outcome one = run("check " + scratch / "good.lime");
    CHECK(one.status == 0);
    CHECK(one.err.empty());
    CHECK(one.out.find("plaquette") != std::string::npos);
    check_valid("check", one.json);
    const Outcome all = run("check " + scratch / "cut.lime " + scratch / "good.lime " +
                            scratch / "none " + scratch / "flip.lime " + scratch / "other.openqcd");
    INFO(all.out << all.err);
    CHECK(all.status == 2);
    CHECK(lines(all.err) == 3);
    CHECK(lines(all.out) == 6);
    check_valid("check", all.json);
    CHECK(all.json.at("bad") == 3);
    const Json& files = all.json.at("files");
    const std::vector<bool> good{false, true, false, false, true};
    for (std::size_t i = 0; i < good.size(); ++i) CHECK(files.at(i).at("good") == good[i]);
    CHECK(files.at(0).at("format").is_null());
    CHECK(files.at(3).at("format") == "ILDG, 64 bits");
    CHECK(files.at(3).at("plaquette").is_null());
    CHECK(files.at(4).at("lattice") == Json{4, 2, 2, 6});
    CHECK(run("check --quiet " + scratch / "good.lime").out.empty());
}

TEST_CASE("check says what files of spinors are, between gauge files")
{
    const Scratch scratch;
    const std::string field = "--lattice 4x4x4x4 --gauge random:4 --mass 0.5 --cpus 1 --quiet ";
    const Json x = solve(field + "--precision single --save-solution " + scratch / "x.lime");
    solve(field + "--save-solution " + scratch / "chiral.lime --solution-basis chiral");
    make("random:4 --lattice 4x4x4x4", scratch / "links.lime");
    const std::string bytes = read_text(scratch / "x.lime");
    std::string flipped = bytes;
    flipped[bytes.size() / 2] ^= 1;
    write_text(scratch / "flip.lime", flipped);
    write_text(scratch / "cut.lime", bytes.substr(0, bytes.size() - 1000));

    const Outcome one = run("check " + scratch / "x.lime");
    INFO(one.out << one.err);
    CHECK(one.status == 0);
    CHECK(one.out.find("degrand-rossi, as the file says") != std::string::npos);
    check_valid("check", one.json);
    const Json& file = one.json.at("files").at(0);
    CHECK(file.at("kind") == "spinors");
    CHECK(file.at("lattice") == Json{4, 4, 4, 4});
    CHECK(file.at("bits") == 32);
    CHECK(file.at("propagator") == false);
    CHECK(file.at("checksums").size() == 1);
    CHECK(file.at("spinors").at(0).at("digest") == x.at("solution").at("digest"));
    CHECK(file.at("spinors").at(0).at("norm2").get<double>() ==
          Approx(x.at("solution").at("norm2").get<double>()).epsilon(1e-12));

    const Outcome all = run("check " + scratch / "chiral.lime " + scratch / "links.lime " +
                            scratch / "flip.lime " + scratch / "cut.lime");
    INFO(all.out << all.err);
    CHECK(all.status == 2);
    CHECK(lines(all.err) == 2);
    CHECK(lines(all.out) == 5);
    check_valid("check", all.json);
    const Json& files = all.json.at("files");
    CHECK(files.at(0).at("spin_basis") == "chiral");
    CHECK(files.at(1).at("kind") == "gauge");
    CHECK(files.at(2).at("kind") == "spinors");
    CHECK(files.at(2).at("spinors").empty());
    CHECK(files.at(3).at("kind") == "spinors"); // its first records say so
    CHECK(files.at(3).at("format").is_null());
    CHECK(run("check --lattice 4x4x4x8 " + scratch / "x.lime").status == 2);
    const std::string vectors = scratch / "vectors.lime";
    solve("--lattice 8x8x8x8 --kappa 0.12 --cpus 1 --quiet --solver gcr --precondition mg "
          "--iterations 1 --mg-save " +
          vectors);
    CHECK_THAT(run("check " + vectors).out, Catch::Contains("multigrid test vectors"));
    write_text(scratch / "run.json", x.dump());
    CHECK_THAT(run("check " + scratch / "run.json").err, Catch::Contains("JSON is not supported"));

    REQUIRE(std::system(
                ("gzip '" + scratch / "x.lime" + "' '" + scratch / "links.lime" + "'").c_str()) ==
            0);
    const Outcome packed = run("check " + scratch / "x.lime.gz " + scratch / "links.lime.gz");
    CHECK(packed.status == 0);
    CHECK(packed.json.at("files").at(0).at("spinors") == file.at("spinors"));
    CHECK(packed.json.at("files").at(1).at("plaquette") == files.at(1).at("plaquette"));
}

namespace
{

using Files = std::map<std::string, std::string>;

Files files_in(const std::string& folder)
{
    Files all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        all[entry.path()] = entry.is_regular_file() ? read_text(entry.path()) : "";
    return all;
}

} // namespace

TEST_CASE("a run that cannot begin leaves what an earlier one has recorded")
{
    const Scratch scratch;
    const std::string folder = scratch / "t", job = "--quiet --lattice 4x4x4x8 --kappa 0.12 ";
    REQUIRE(run(job + "--cuda 0 --iterations 3 --trace " + folder).status == 0);
    const Files earlier = files_in(scratch.path());
    REQUIRE(earlier.size() > 5);
    const std::pair<std::string, int> failing[]{{"--cuda 99", 4},
                                                {"--sched nosuch", 4},
                                                {"--tiles 1x1x1x3x5", 2},
                                                {"--cuda 0 --tiles 1x1x1x7", 2},
                                                {"--source point:9,9,9,9,0,0", 2},
                                                {"--gpu-memory 1M --cuda 99", 4}};
    for (const auto& [options, status] : failing)
        for (const std::string to : {"t", "new/folder"}) {
            const Outcome o = run(job + options + " --trace " + scratch / to);
            INFO(options << ' ' << o.err);
            CHECK(o.status == status);
            CHECK(lines(o.err) == 1);
            CHECK(files_in(scratch.path()) == earlier);
        }
}

TEST_CASE("every option that writes a folder refuses one with files of somebody else's")
{
    const Scratch scratch;
    const std::string other = scratch / "S.parts", job = "--quiet --lattice 4x4x4x4 ";
    std::filesystem::create_directory(other);
    for (const char* name : {"trace.json", "tasks.csv", "fxt.txt", "runs.csv", "compare.json",
                             "ladder.json", "pion.gp", "pion.dat", "00.json", "00.lime", "a.txt"})
        write_text(other + "/" + name, "of another program");
    const Files before = files_in(scratch.path());
    for (const std::string& line :
         {"solve " + job + "--trace " + other, "solve " + job + "--trace-fxt " + other,
          "compare " + job + "--sched lws --repeat 1 --out " + other,
          "ladder " + job + "--ladder original --devices core --repeat 1 --out " + other,
          "propagator " + job + "--plot " + other,
          "propagator " + job + "--resume --save " + scratch / "S"}) {
        const Outcome o = run(line);
        INFO(line << '\n' << o.err);
        if (o.status == 4 && o.err.find("built without FxT") != std::string::npos) continue;
        CHECK(o.status == 2);
        CHECK(lines(o.err) == 1);
        CHECK(o.err.find("has files in it, and no ") != std::string::npos);
        CHECK(o.err.find(other) != std::string::npos);
        CHECK(files_in(scratch.path()) == before);
    }
}
