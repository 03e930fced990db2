// The program where it runs: environment variables, a home it cannot write, descriptors that nobody
// reads, names in no encoding.

#include "tests/drivers/program.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

using namespace qcd::test;
using Json = nlohmann::json;

TEST_CASE("StarPU's environment is honoured, and checked as the command line is")
{
    const Outcome o = run("--lattice 4x4x4x4", "STARPU_SCHED=nosuch");
    CHECK(o.status == 4);
    CHECK(o.err == "qcd_starpu: sched: this StarPU has no policy 'nosuch' (qcd_starpu info lists "
                   "them)\n");
    const std::string job = "--lattice 4x4x4x4 --cuda 0 --opencl 0";
    CHECK(solve(job, "STARPU_SCHED=eager").at("scheduler") == "eager");
    CHECK(solve(job + " --sched ws", "STARPU_SCHED=eager").at("scheduler") == "ws");
    CHECK(solve(job, "STARPU_NCPU=1").at("workers").at("cpu") == 1);
    CHECK(solve(job + " --cpus 2", "STARPU_NCPU=1").at("workers").at("cpu") == 2);
    CHECK(solve(job + " --cpus 1", "STARPU_RESERVE_NCPU=1").at("workers").at("cpu") == 1);
    const Outcome isa = run(job, "QCD_ISA=mmx");
    CHECK(isa.status == 2);
    CHECK(isa.err.find("qcd_starpu: QCD_ISA: 'mmx'") == 0);
}

TEST_CASE("a home that cannot be written is no obstacle")
{
    const std::string cores = " --cuda 0 --opencl 0 --cpus 1",
                      opencl = " --cuda 0 --opencl 1 --cpus 0";
    for (const std::string& workers : {cores, opencl}) {
        if (workers == opencl && !works("opencl", opencl)) continue;
        for (const std::string variable : {"HOME", "XDG_CACHE_HOME"}) {
            INFO(variable << workers);
            CHECK(solve("--lattice 4x4x4x4" + workers,
                        "STARPU_HOME XDG_CACHE_HOME " + variable + "=/dev/null/nowhere")
                      .at("verified") == true);
        }
    }
}

TEST_CASE("what a full disk or another user left in a home is no obstacle")
{
    namespace fs = std::filesystem;
    const Scratch home;
    const std::string job = "--lattice 4x4x4x4 --cuda 0 --opencl 0 --cpus 1",
                      environment = "STARPU_HOME XDG_CACHE_HOME HOME=" + (home / "");
    REQUIRE(solve(job, environment).at("verified") == true);
    const auto files = [&] { return fs::directory_iterator(home / ".starpu/sampling/bus"); };
    REQUIRE(files() != fs::directory_iterator());
    for (const auto& file : files()) {
        fs::resize_file(file.path(), 0);
        fs::last_write_time(file.path(), fs::file_time_type::clock::now() - std::chrono::hours(1));
    }
    CHECK(solve(job, environment).at("verified") == true);
    fs::remove_all(home / ".starpu");
    write_text(home / ".starpu", "");
    CHECK(solve(job, environment).at("verified") == true);
}

TEST_CASE("who does not read stdout still gets the files")
{
    const Scratch scratch, other;
    const std::string json = scratch / "j";
    const std::string saved = scratch / "s.lime",
                      kept = other / "s.lime"; // the name is written, too
    const std::string job =
        "STARPU_SILENT=1 '" + program() + "' --lattice 4x4x4x4 --json " + json + " --save-gauge ";
    REQUIRE(run("--lattice 4x4x4x4 --save-gauge " + kept).status == 0);
    for (const char* where : {" 2>/dev/null | true", " 2>/dev/null >&-", " 2>&- >/dev/full"}) {
        INFO(where);
        CHECK(std::system((job + saved + where).c_str()) != -1);
        CHECK(Json::parse(read_text(json)).at("verified") == true);
        CHECK(read_text(saved) == read_text(kept));
        std::filesystem::remove(json);
    }
}

TEST_CASE("a file's name that is not UTF-8 does not cost the JSON")
{
    const Scratch scratch;
    const std::string file = scratch / "f\xff.lime";
    REQUIRE(run("--lattice 4x4x4x4 --save-gauge " + file).status == 0);
    const std::string source = solve("--gauge " + file).at("gauge").at("source");
    CHECK(source.find(".lime (ILDG") != std::string::npos);
}

TEST_CASE("JSON into a pipe, a descriptor, a device")
{
    const Scratch scratch;
    const std::string out = scratch / "out", err = scratch / "err";
    // In bash, for the process substitution.
    const auto shell = [&](const std::string& command, const std::string& to) {
        write_text(scratch / "run.sh", "export STARPU_SILENT=1\n'" + program() + "' " + command +
                                           " --lattice 4x4x4x4 --json " + to);
        std::system(("bash " + scratch / "run.sh >" + out + " 2>" + err).c_str());
        return read_text(out);
    };
    const auto digest = [](const std::string& text) {
        return Json::parse(text).at("solution").at("digest").get<std::string>();
    };
    const std::string expected = solve("--lattice 4x4x4x4").at("solution").at("digest");
    CHECK(digest(shell("", "-")) == expected);
    CHECK(read_text(err).find("converged, verified") != std::string::npos);
    for (const char* to : {"-", "/dev/stdout", "/dev/stdout | cat", ">(cat) | cat", "/dev/fd/1",
                           "/dev/fd/7 7>&1 | cat"}) {
        INFO(to);
        CHECK(digest(shell("--quiet", to)) == expected);
        CHECK(read_text(err).empty());
    }
    const std::string both = shell("", "/dev/stdout");
    CHECK(digest(both.substr(both.find("\n{\n"))) == expected);
    CHECK(both.find("converged, verified") < both.find("\n{\n"));
    CHECK(shell("--quiet", "/dev/null").empty());
    CHECK(read_text(err).empty());
    CHECK(shell("--quiet", "- | true").empty());
    CHECK(read_text(err) == "qcd_starpu: stdout: cannot write: Broken pipe\n");
    CHECK(shell("--quiet", "- >&-").empty());
    CHECK(read_text(err) == "qcd_starpu: --json: '-' is not open for writing\n");
    CHECK_FALSE(std::filesystem::exists("-"));
}
