// Several ranks by mpirun on one host: the numbers of one process, and one line where there are
// none. What is compared is computed by the same program without mpirun.

#include "tests/drivers/json_schema.hpp"
#include "tests/drivers/program.hpp"
#include "tests/reference/golden.hpp"
#include "tests/starvz.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <sstream>
#include <thread>

using namespace qcd::test;
namespace fs = std::filesystem;

namespace
{

constexpr double patience = 90; // seconds; with a core each it takes one or two
const std::string small = "--lattice 4x4x4x8 --cpus 1 --opencl 0 --cuda 0";
const std::string twelve = " --mass 0.5 --iterations 12", five = " --mass 0.5 --iterations 5";

std::string launcher(int ranks)
{
    return "mpirun --oversubscribe --bind-to none -n " + std::to_string(ranks);
}

const std::string as_root = "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1";

Outcome on_ranks(int ranks, const std::string& arguments, const std::string& environment = "")
{
    return Program(arguments + " --quiet", as_root + " " + environment, launcher(ranks))
        .wait(patience);
}

/// The lines of stderr that the program itself has written.
std::vector<std::string> own_lines(const Outcome& o)
{
    std::vector<std::string> lines;
    std::istringstream in(o.err);
    for (std::string line; std::getline(in, line);)
        if (line.starts_with("qcd_starpu: ") && !line.starts_with("qcd_starpu: note: "))
            lines.push_back(line);
    return lines;
}

/// Is there an mpirun, and a program that it can start? A build without MPI has none.
bool there_are_ranks()
{
    static const Outcome o = on_ranks(2, small + " --iterations 1");
    const bool there = o.status != 127 && o.err.find("cannot share a run") == std::string::npos;
    if (!there) std::cerr << "SKIPPED: no ranks: " << o.err << '\n';
    return there;
}

/// What does not depend on who computes it.
nlohmann::json numbers(const Outcome& o)
{
    if (!o.json.is_object()) return o.err;
    const nlohmann::json& j = o.json;
    return {j.at("solution").at("digest"),
            j.at("solution").at("norm2"),
            j.at("solution").at("source_dot"),
            j.at("residual"),
            j.at("residual_history"),
            j.at("iterations"),
            j.at("ending"),
            j.at("verified"),
            j.at("rhs"),
            j.at("gauge").at("plaquette"),
            j.at("gauge").at("link_trace")};
}

/// Calls of the first rank, of an operation whose name begins so.
long calls_of(const std::string& operation, const Outcome& o)
{
    long calls = 0;
    for (const nlohmann::json& kernel : o.json.at("kernels"))
        if (kernel.at("name").get<std::string>().starts_with(operation))
            calls += kernel.at("count").get<long>();
    return calls;
}

void check_the_same(int ranks, const std::string& one, const std::string& tiles = "")
{
    INFO(ranks << " ranks " << one << tiles);
    const Outcome several = on_ranks(ranks, one + tiles);
    CHECK(own_lines(several).empty());
    CHECK(numbers(several) == numbers(run(one + " --quiet")));
}

/// Ended by one line of ours that has this text.
void check_one_line(const Outcome& o, int status, const std::string& text)
{
    INFO(o.err);
    CHECK(o.status == status);
    const std::vector<std::string> lines = own_lines(o);
    REQUIRE(lines.size() == 1);
    CHECK_THAT(lines.front(), Catch::Contains(text));
}

/// Checks that a run was refused, without a result.
void check_refused(const Outcome& o, int status, const std::string& text)
{
    check_one_line(o, status, text);
    CHECK(o.json.is_null());
}

/// The processes that mpirun has started.
std::vector<pid_t> ranks_of(const Program& p)
{
    const std::string process = std::to_string(p.process());
    std::ifstream in("/proc/" + process + "/task/" + process + "/children");
    return {std::istream_iterator<pid_t>(in), {}};
}

void wait_until_it_runs(const Program& p)
{
    for (int i = 0; i < 600 && read_text(p.out_file()).empty(); ++i) // its memory
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    std::this_thread::sleep_for(std::chrono::seconds(3));
    REQUIRE(ranks_of(p).size() == 2);
}

/// The lines of a table, below its head.
std::vector<std::string> lines_of(const std::string& file)
{
    std::vector<std::string> lines;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    REQUIRE(lines.size() > 1);
    lines.erase(lines.begin());
    return lines;
}

} // namespace

TEST_CASE("ranks cut in t, z and y have the digest of one process, whatever the tiles")
{
    if (!there_are_ranks()) return;
    check_the_same(2, small + five);
    check_the_same(2, small + five, " --tiles 2x1x2x4");
    check_the_same(2, small + five + " --theta 0.5,0,0,0.25", " --tiles 1x2x1x2 --plan pinned");
    check_the_same(3, small + five + " --rhs 3");
    const std::string other = " --cpus 1 --opencl 0 --cuda 0" + five;
    check_the_same(4, "--lattice 4x4x4x4" + other);
    check_the_same(4, "--lattice 4x4x2x4" + other);
    check_the_same(2, "--lattice 4x4x2x2" + other);
}

TEST_CASE("faces of ranks that share no memory go by MPI, to the same digest")
{
    if (!there_are_ranks()) return;
    const std::string one = small + twelve, tiles = " --tiles 1x1x2x4";
    const Outcome shared = on_ranks(2, one + tiles),
                  sent = on_ranks(2, one + tiles, "QCD_SHARED_FACES=0");
    INFO(shared.err << sent.err);
    REQUIRE(shared.json.is_object());
    REQUIRE(sent.json.is_object());
    CHECK(shared.json.at("messages") == "shared");
    CHECK(sent.json.at("messages") == "staged");
    CHECK(numbers(shared) == numbers(sent));
    check_valid("solve", sent.json);
}

TEST_CASE("hops of ranks in two parts have the digest of one process, whatever the cut")
{
    if (!there_are_ranks()) return;
    const std::string parts = "QCD_HOP_PARTS=1", other = " --cpus 1 --opencl 0 --cuda 0" + five;
    const auto check = [&](int ranks, const std::string& one, const std::string& how = "",
                           const std::string& environment = "") {
        INFO(ranks << " ranks " << one << how << ' ' << environment);
        const Outcome several = on_ranks(ranks, one + how, parts + ' ' + environment);
        CHECK(own_lines(several).empty());
        CHECK(numbers(several) == numbers(run(one + " --quiet")));
        REQUIRE(several.json.is_object());
        CHECK(calls_of("hop_inside", several) > 0);
        CHECK(calls_of("hop_inside", several) == calls_of("hop_border", several));
    };
    const std::string in_t = "--lattice 4x4x4x24" + other,
                      in_t_and_z = "--lattice 4x4x12x12" + other;
    check(2, in_t);
    check(2, in_t, "", "QCD_SHARED_FACES=0");
    check(2, in_t + " --csw 1.5 --rhs 3", " --tiles 2x1x2x4 --plan pinned"); // some have no border
    check(4, in_t_and_z + " --solver cg --precision single --links 8");
    check(4, "--lattice 4x12x12x2" + other, " --tiles 1x2x2x1");
}

TEST_CASE("devices of ranks compute hops in two parts, and on one host whole ones", "[long]")
{
    if (!there_are_ranks() || !works("opencl", "--cpus 0 --opencl 1")) return;
    const std::string job = "--lattice 4x4x4x24" + twelve;
    const std::string on_device = job + " --cuda 0 --cpus 0 --opencl 1";
    const Outcome parts = on_ranks(2, on_device, "QCD_HOP_PARTS=1"), whole = on_ranks(2, on_device);
    INFO(parts.err << whole.err);
    REQUIRE(parts.json.is_object());
    REQUIRE(whole.json.is_object());
    CHECK(numbers(parts) == numbers(whole));
    CHECK(calls_of("hop_border", parts) > 0);
    CHECK(calls_of("hop_border", whole) == 0);
    CHECK(calls_of("hopping", whole) > 0);
}

TEST_CASE("ranks with GPUs, or on one, have the digest of one process by every way of exchange",
          "[long]")
{
    const std::string on_gpu = " --cpus 0 --cuda 1 --opencl 0";
    if (!there_are_ranks() || !works("cuda", "--cpus 0 --cuda 1")) return;
    for (const std::string job : {"--lattice 8x8x8x24", "--lattice 8x8x8x24 --csw 1.5 --rhs 3",
                                  "--lattice 8x8x8x24 --precision single --solver cg --links 8"}) {
        const nlohmann::json one = numbers(run(job + on_gpu + twelve + " --quiet"));
        for (const auto& [environment, messages] : {std::pair("QCD_GPU_FACES=1", ""),
                                                    {"QCD_GPU_FACES=0", "shared"},
                                                    {"QCD_GPU_FACES=0 QCD_HOP_PARTS=1", "shared"},
                                                    {"QCD_GPU_FACES=1 QCD_HOP_PARTS=1", ""},
                                                    {"QCD_SHARED_FACES=0", "staged"}}) {
            const Outcome o = on_ranks(2, job + on_gpu + twelve, environment);
            INFO(job << ' ' << environment << ' ' << o.err);
            CHECK(numbers(o) == one);
            if (*messages) CHECK(o.json.at("messages") == messages);
        }
    }
}

TEST_CASE("ranks make the clover term of links that others have read", "[long]")
{
    if (!there_are_ranks()) return;
    const std::string clover = " --csw 1.5 --kappa 0.12 --iterations 4";
    check_the_same(2, small + clover + " --theta 0.5,0,0,0.25 --mubar 0.1 --solver cg");
    check_the_same(2, small + clover + " --sloppy single", " --tiles 2x1x2x4");
    const std::string other = " --cpus 1 --opencl 0 --cuda 0" + clover;
    check_the_same(3, "--lattice 4x4x4x8" + other + " --even-odd off");
    check_the_same(4, "--lattice 4x4x4x4" + other);
    check_the_same(2, "--lattice 4x4x4x2" + other); // all slices on both
}

TEST_CASE("all methods and precisions converge on ranks as on one process", "[long]")
{
    if (!there_are_ranks()) return;
    const std::string job = small + " --mass 1 --tol 1e-6 --solver ",
                      short_job = small + " --mass 1 --tol 1e-2 --solver ";
    check_the_same(2, job + "cr");
    check_the_same(2, short_job + "cr --even-odd off --repeat 2");
    check_the_same(2, short_job + "cg --precision single");
    check_the_same(2, job + "cg --sloppy single");
    check_the_same(2, job + "cg --sloppy half --rhs 5", " --tiles 1x2x1x2");
    check_the_same(2, short_job + "bicgstab --mubar 0.1 --links 8");
    check_the_same(3, short_job + "bicgstab --precision single --rhs 13");
    check_the_same(4, job + "cr --sloppy single --rhs 2", " --tiles 1x2x2x2");
    check_the_same(2, job + "gcr --precondition schwarz:4 --domain 4x4x4x4 --rhs 3");
    const std::string heavy = small + " --kappa 1e-5 --source point:1,0,0,0,0,0"; // CG after CR
    REQUIRE(run(heavy + " --quiet").json.at("cg_iterations") > 0);
    check_the_same(2, heavy);
    check_the_same(2, small + " --kappa 1e-5 --source point:1,0,0,0 --rhs 2");
}

TEST_CASE("cores and PoCL share the tiles of each rank", "[long]")
{
    if (!there_are_ranks() || !works("opencl", "--cpus 1 --opencl 1")) return;
    check_the_same(2, "--lattice 4x4x4x8 --cuda 0 --cpus 1" + twelve,
                   " --opencl 1 --sched eager --tiles 1x1x1x4");
}

TEST_CASE("ranks apply operators to the same numbers as one process")
{
    if (!there_are_ranks()) return;
    const std::string job = "apply " + small + " --precision single";
    nlohmann::json one = run(job + " --quiet").json, two = on_ranks(2, job).json;
    for (nlohmann::json* j : {&one, &two}) {
        REQUIRE(j->is_object());
        j->erase("date");
        j->erase("arguments");
    }
    CHECK(one == two);
}

TEST_CASE("two ranks have the reference numbers", "[reference]")
{
    const auto folder = qcd::reference::golden_folder();
    if (!folder) return qcd::reference::report_skipped();
    if (!there_are_ranks()) return;
    const nlohmann::json configs = qcd::reference::golden_numbers(*folder).at("configs");
    int compared = 0;
    for (const auto& [name, config] : configs.items()) {
        const nlohmann::json run = config.at("runs").front();
        const std::string file = *folder / "data" / name;
        const Outcome o = on_ranks(
            2,
            fmt::format("apply --cpus 1 --opencl 0 --cuda 0 --source det:1 --gauge {} --kappa {} "
                        "--boundary {}",
                        fs::exists(file) ? file : file + ".ildg", run.at("kappa").get<double>(),
                        run.at("bc_t") == -1 ? "antiperiodic" : "periodic"));
        INFO(name << ' ' << o.err);
        REQUIRE(o.json.is_object());
        const nlohmann::json expected = run.at("apply").at("degrand-rossi");
        for (const char* key : {"norm2_psi", "norm2_Hpsi", "norm2_Dpsi", "norm2_DdagDpsi"}) {
            INFO(key);
            CHECK(o.json.at(key).get<double>() ==
                  Approx(expected.at(key).get<double>()).epsilon(1e-13));
        }
        ++compared;
    }
    CHECK(compared >= 4);
}

TEST_CASE("two ranks have the reference numbers of a clover term", "[reference]")
{
    const auto folder = qcd::reference::golden_folder();
    if (!folder) return qcd::reference::report_skipped();
    if (!there_are_ranks()) return;
    int compared = 0;
    const nlohmann::json numbers = qcd::reference::golden_numbers(*folder, "clover.json");
    for (const nlohmann::json& e : numbers.at("values")) {
        const std::string file = *folder / "data" / e.at("file").get<std::string>();
        const Outcome o = on_ranks(
            2, fmt::format(
                   "apply --cpus 1 --opencl 0 --cuda 0 --source det:1 --gauge {} --kappa {} "
                   "--csw {} --mubar {} --boundary {}",
                   file, e.at("kappa").get<double>(), e.at("csw").get<double>(),
                   e.at("mubar").get<double>(), e.at("bc_t") == -1 ? "antiperiodic" : "periodic"));
        INFO(e.at("file") << ' ' << o.err);
        REQUIRE(o.json.is_object());
        CHECK(o.json.at("norm2_Dpsi").get<double>() ==
              Approx(e.at("norm2_Dpsi").get<double>()).epsilon(1e-13));
        ++compared;
    }
    CHECK(compared >= 2);
}

TEST_CASE("the plan, the JSON and the command of ranks say so")
{
    if (!there_are_ranks()) return;
    const Outcome o = on_ranks(2, small + twelve);
    REQUIRE(o.json.is_object());
    check_valid("solve", o.json);
    CHECK(o.json.at("plan").at("ranks") == nlohmann::json{1, 1, 1, 2});
    CHECK(o.json.at("peak_bytes").size() == 2);
    CHECK_THAT(o.json.at("command").get<std::string>(),
               Catch::StartsWith("mpirun -n 2 qcd_starpu --lattice 4x4x4x8"));
}

TEST_CASE("a rank has its share of the memory")
{
    if (!there_are_ranks()) return;
    const std::string job = "--lattice 16x16x16x32 --cpus 1 --opencl 0 --cuda 0 --iterations 1";
    const Outcome tiny = on_ranks(2, small + " --iterations 1"), two = on_ranks(2, job);
    const Outcome one = run(job + " --quiet --plan graph --tiles 1x1x1x2");
    REQUIRE(two.json.is_object());
    // What it has for any lattice, MPI and StarPU, is not shared.
    const auto least = [](const Outcome& o) { return o.json.at("peak_bytes").at(0).get<double>(); };
    const double before = least(tiny);
    for (const double peak : two.json.at("peak_bytes"))
        CHECK(peak - before < 1.25 * (least(one) - before) / 2);
}

TEST_CASE("ranks read and save files as one process does")
{
    if (!there_are_ranks()) return;
    const Scratch scratch;
    const std::string solution = scratch / "x.lime", from_one = scratch / "one.lime",
                      from_two = scratch / "two.lime";
    const std::string job = small + " --mass 0.5 --tol 1e-8";
    REQUIRE(run(job + " --quiet --save-gauge " + from_one).status == 0);
    const Outcome o =
        on_ranks(2, job + " --save-gauge " + from_two + " --save-solution " + solution);
    INFO(o.err);
    REQUIRE(o.status == 0);
    CHECK(fs::file_size(from_one) == fs::file_size(from_two));
    check_the_same(2, job + " --gauge " + from_two);
    CHECK(run(job + " --gauge " + from_one + " --quiet").json.at("gauge").at("plaquette") ==
          o.json.at("gauge").at("plaquette"));
    const Outcome again = run(job + " --quiet --guess " + solution);
    CHECK(again.json.at("iterations") == 0);

    // The last rank's links.
    const auto end = std::ios::end;
    std::fstream file(from_two, std::ios::in | std::ios::out | std::ios::binary);
    std::string bytes(8, '\0');
    file.seekg(-40000, end);
    file.read(bytes.data(), 8);
    bytes[7] = char(bytes[7] ^ 1); // the lowest bit of a big-endian number
    file.seekp(-40000, end);
    file.write(bytes.data(), 8);
    file.close();
    check_refused(on_ranks(2, job + " --gauge " + from_two), 2, "wrong SciDAC checksum");
    fs::resize_file(from_two, fs::file_size(from_two) / 2);
    check_refused(on_ranks(2, job + " --gauge " + from_two), 2, from_two);
    check_refused(on_ranks(2, job + " --save-gauge /dev/full"), 2, "/dev/full");
    for (const fs::path& left : fs::directory_iterator(scratch.path()))
        CHECK((left == solution || left == from_one || left == from_two));
}

TEST_CASE("a checkpoint of ranks has the bytes of one process, and goes on on any number of them",
          "[long]")
{
    if (!there_are_ranks()) return;
    const Scratch scratch;
    const std::string job = small + twelve, one = scratch / "one", two = scratch / "two",
                      three = scratch / "three";
    const std::string method = GENERATE("", " --even-odd off --solver cg --precision single");
    const auto writing = [&](const std::string& file, const std::string& every) {
        return job + method + " --checkpoint " + file + " --checkpoint-every " + every;
    };
    const Outcome whole = run(job + method + " --quiet");
    REQUIRE(run(writing(one, "5") + " --quiet").status == 0);
    const Outcome o = on_ranks(2, writing(two, "5"));
    CHECK(numbers(o) == numbers(whole));
    CHECK(own_lines(o).empty());
    REQUIRE(o.json.is_object());
    check_valid("solve", o.json);
    CHECK(o.json.at("checkpoint").at("written") == 3);
    CHECK(o.json.at("checkpoint").at("iteration") == 12);
    CHECK(read_text(one) == read_text(two));
    // To ranks that are cut in t and in z.
    REQUIRE(on_ranks(2, small + " --mass 0.5 --iterations 7" + method + " --checkpoint " + three)
                .json.is_object());
    for (const auto& [ranks, tiles] : {std::pair{1, ""}, {3, ""}, {2, " --tiles 1x1x2x1"}}) {
        const std::string resumed = job + method + tiles + " --resume " + three;
        CHECK(numbers(ranks == 1 ? run(resumed + " --quiet") : on_ranks(ranks, resumed)) ==
              numbers(whole));
    }
    check_refused(on_ranks(2, job + method + " --theta 0,0,0,0.5 --resume " + two), 2,
                  "checkpoint of another problem");
    check_refused(on_ranks(2, job + method + " --gauge random:2 --resume " + two), 2, "links");
}

TEST_CASE("a checkpoint of ranks that cannot be written, or is damaged")
{
    if (!there_are_ranks()) return;
    const Scratch scratch;
    const std::string file = scratch / "c", job = small + twelve;
    // Too large in the second of four vectors; without MPI's files in shared memory.
    std::ofstream(scratch / "limit.sh") << "ulimit -f 100; exec \"$@\"\n";
    const Outcome full =
        Program(job + " --quiet --checkpoint " + file + " --checkpoint-every 5", as_root,
                launcher(2) + " --mca btl self,tcp bash " + (scratch / "limit.sh"))
            .wait(patience);
    INFO(full.err);
    CHECK(full.status == 2);
    CHECK(own_lines(full).size() == 2); // at iteration 5, and 12, where the solve ends
    CHECK_THAT(full.err, Catch::Contains("File too large"));
    CHECK(!fs::exists(file));
    REQUIRE(on_ranks(2, job + " --checkpoint " + file).json.is_object());
    std::string bytes = read_text(file);
    bytes[bytes.size() / 2] = char(bytes[bytes.size() / 2] ^ 1);
    std::ofstream(file, std::ios::binary) << bytes;
    check_refused(on_ranks(2, job + " --resume " + file), 2, "damaged");
}

TEST_CASE("a signal between pauses of ranks ends them with a checkpoint", "[long]")
{
    if (!there_are_ranks()) return;
    const Scratch scratch;
    const std::string file = scratch / "c";
    Program program(small + " --iterations 1000000 --checkpoint " + file + " --checkpoint-every 8",
                    as_root, launcher(2));
    wait_until([&] { return fs::exists(file); });
    kill(ranks_of(program).back(), SIGUSR1);
    const Outcome o = program.wait(patience);
    INFO(o.err);
    CHECK(o.status == 1);
    REQUIRE(o.json.is_object());
    CHECK(o.json.at("ending") == "interrupted");
    CHECK(o.json.at("checkpoint").at("iteration") == o.json.at("iterations"));
}

TEST_CASE("ranks have the propagator of one process, its file and its correlators", "[long]")
{
    if (!there_are_ranks()) return;
    const Scratch scratch;
    const std::string one = scratch / "one", two = scratch / "two";
    const std::string job = "propagator " + small + " --mass 1 --tol 1e-4 --precision single ";
    const std::string smeared = "--smeared 0.5,2 --point 1,0,2,5 --csw 1";
    const Outcome expected = run(job + smeared + " --quiet --save " + one);
    const Outcome o = on_ranks(2, job + smeared + " --save " + two);
    INFO(o.err << expected.err);
    CHECK(own_lines(o).empty());
    REQUIRE(o.json.is_object());
    check_valid("propagator", o.json);
    CHECK(o.status == expected.status);
    CHECK(o.json.at("pion") == expected.json.at("pion"));
    CHECK(read_text(one) == read_text(two));
}

TEST_CASE("ranks go on with a propagator that one process has begun", "[long]")
{
    if (!there_are_ranks()) return;
    const Scratch scratch;
    const std::string file = scratch / "s", kept = scratch / "kept",
                      job = "propagator " + small +
                            " --mass 1 --tol 1e-4 --precision single "
                            "--point 1,0,2,5 --save ";
    const Outcome expected = run(job + file + " --resume --quiet");
    const std::string bytes = read_text(file);
    fs::create_directories(kept);
    Program program(job + kept + "/s --resume", as_root, launcher(2));
    wait_until([&] { return fs::exists(kept + "/s.parts/01.json"); });
    kill(ranks_of(program).back(), SIGUSR1);
    const Outcome interrupted = program.wait(patience);
    INFO(interrupted.err);
    if (interrupted.status != 0) check_refused(interrupted, 1, "the same command goes on");
    const Outcome o = on_ranks(2, job + kept + "/s --resume");
    INFO(o.err);
    REQUIRE(o.json.is_object());
    CHECK(o.status == expected.status);
    CHECK(o.json.at("pion") == expected.json.at("pion"));
    CHECK(read_text(kept + "/s") == bytes);
    CHECK(!fs::exists(kept + "/s.parts"));
    const auto& sources = o.json.at("sources");
    const auto taken = std::count_if(sources.begin(), sources.end(),
                                     [](const auto& s) { return s.at("kept") == true; });
    if (interrupted.status != 0) CHECK(taken >= 2);
}

TEST_CASE("bench of ranks verifies each operation, and has the time of the slowest", "[long]")
{
    if (!there_are_ranks()) return;
    const std::string job = "bench --lattice 4x4x4x4 --precision double --cpus 1 --opencl 0 "
                            "--cuda 0 --repeat 1 --ops ";
    const Outcome o = Program(job + "hopping_clover,pack_faces,narrow_to_half --quiet",
                              as_root + " QCD_BANDWIDTH_MIB=16", launcher(2))
                          .wait(patience);
    INFO(o.err);
    CHECK(o.status == 0);
    REQUIRE(o.json.is_object());
    check_valid("bench", o.json);
    CHECK(o.json.at("ranks") == 2);
    CHECK(o.json.at("operations").size() == 3);
    CHECK(o.json.at("operations").at(0).at("tiles") == nlohmann::json{1, 1, 1, 2});
    CHECK(o.json.at("bandwidth").at(0).at("before").at("threads") == 2);
    CHECK(o.json.at("engines").empty());
    check_refused(on_ranks(2, job + "engines"), 2, "engines are of one process");
}

TEST_CASE("the cases of a comparison run on all ranks, and the first one keeps the folder",
          "[long]")
{
    if (!there_are_ranks()) return;
    const Scratch scratch;
    const std::string folder = scratch / "c";
    const std::string job = "compare --lattice 4x4x4x8 --mass 0.5 --iterations 12 "
                            "--workers cpus:1 --repeat 1 --out " +
                            folder;
    const Outcome o = on_ranks(2, job + " --plan graph,batch");
    INFO(o.err);
    CHECK(o.status == 4);
    REQUIRE(o.json.is_object());
    check_valid("compare", o.json);
    CHECK(o.json.at("ranks") == 2);
    CHECK(o.json.at("digest") == run(small + twelve + " --quiet").json.at("solution").at("digest"));
    const auto& cases = o.json.at("ranking").at("cases");
    CHECK(cases.at(0).at("failure").is_null());
    CHECK_THAT(cases.at(1).at("failure").get<std::string>(), Catch::Contains("which ranks share"));
    CHECK(lines_of(folder + "/runs.csv").size() == 3);
    check_refused(on_ranks(3, job + " --plan graph,batch"), 2, "another design ('common/ranks'");
    const Outcome again = on_ranks(2, job + " --plan graph,batch"); // what failed is tried again
    REQUIRE(again.json.is_object());
    CHECK(lines_of(folder + "/runs.csv").size() == 4);
    check_refused(on_ranks(2, "compare --simulate this --iterations 2 --lattice 4x4x4x8"), 2,
                  "compare --simulate is of one process");
}

TEST_CASE("a signal to one rank ends a comparison, which the same command goes on with", "[long]")
{
    if (!there_are_ranks()) return;
    const Scratch scratch;
    const std::string folder = scratch / "c";
    Program program("compare --lattice 4x4x4x8 --iterations 40 --workers cpus:1 --sched lws,eager "
                    "--repeat 1000 --out " +
                        folder,
                    as_root, launcher(2));
    wait_until([&] { return read_text(folder + "/runs.csv").find("\n0,1,") != std::string::npos; });
    kill(ranks_of(program).back(), SIGUSR1);
    const Outcome o = program.wait(patience);
    check_one_line(o, 1, "interrupted; the same command goes on");
    REQUIRE(o.json.is_object());
    CHECK(o.json.at("interrupted") == true);
}

TEST_CASE("rows of the ladder that ranks can share run on them", "[long]")
{
    if (!there_are_ranks()) return;
    const Scratch scratch;
    const Outcome o = on_ranks(2, "ladder --lattice 4x4x4x8 --iterations 12 --devices core "
                                  "--ladder original,auto --repeat 1 --out " +
                                      (scratch / "l"));
    INFO(o.err);
    CHECK(o.status == 4);
    REQUIRE(o.json.is_object());
    check_valid("ladder", o.json);
    CHECK(o.json.at("ranks") == 2);
    const auto& rows = o.json.at("rows");
    CHECK_THAT(rows.at(0).at("failure").get<std::string>(),
               Catch::Contains("--ladder is of one process"));
    CHECK(rows.at(1).at("rounds") == 1);
}

TEST_CASE("a trace has the workers of all ranks, and their messages")
{
    if (!there_are_ranks()) return;
    const Scratch scratch;
    const std::string folder = scratch / "t", page = scratch / "page.html";
    const std::string job = small + twelve;
    const Outcome o = on_ranks(2, job + " --tiles 1x1x1x4 --trace " + folder + " --report " + page);
    INFO(o.err);
    CHECK(own_lines(o).empty());
    REQUIRE(o.json.is_object());
    check_valid("solve", o.json);
    CHECK(numbers(o) == numbers(run(job + " --quiet"))); // looking changes nothing
    CHECK(o.json.at("messages") == "shared");
    CHECK(fs::file_size(page) > 10000);
    const Outcome read = run("trace " + folder);
    INFO(read.err);
    REQUIRE(read.json.is_object());
    check_valid("trace", read.json);
    std::vector<std::string> workers;
    for (const auto& w : read.json.at("workers")) {
        workers.push_back(w.at("name"));
        CHECK(w.at("tasks") > 0);
    }
    CHECK(workers == std::vector<std::string>{"rank 0 CPU 0", "rank 1 CPU 0"});
    CHECK_THAT(read.json.at("about").at("clocks").get<std::string>(),
               Catch::StartsWith("of 2 ranks, right to "));
    // A hop sends a face up and one down from each rank; of even-odd spinors half the sites.
    REQUIRE(read.json.at("messages").size() == 2);
    const nlohmann::json faces = read.json.at("messages").at(0),
                         sums = read.json.at("messages").at(1);
    CHECK(faces.at("what") == "faces");
    CHECK(sums.at("what") == "sums");
    const double bytes = faces.at("bytes").get<double>() / faces.at("count").get<double>();
    CHECK(bytes == 4 * 4 * 4 / 2 * 96);
    CHECK(faces.at("count").get<int>() % 4 == 0);
    CHECK(faces.at("count").get<int>() >= 4 * 2 * 12);
    for (const std::string& line : lines_of(folder + "/messages.csv")) {
        std::array<double, 6> m{}; // from, to, made, sent, received, bytes
        std::istringstream in(line.substr(line.find(',') + 1));
        for (double& number : m) in >> number, in.ignore();
        CHECK(m[0] + m[1] == 1);
        CHECK(m[2] <= m[3]);
        CHECK(m[2] <= m[4] + 1000); // us, by which clocks may differ
    }
    // One folder of all ranks for StarVZ: jobs and data have numbers of their own, messages are links.
    const Starvz tables(folder + "/starvz");
    tables.check();
    std::set<std::string> of_tasks, resources;
    for (const StarvzRow& t : tables.tasks) of_tasks.insert(t.at("MPIRank"));
    for (const StarvzRow& s : tables.workers) resources.insert(s.at("ResourceId"));
    CHECK(of_tasks == std::set<std::string>{"0", "1"});
    CHECK(resources == std::set<std::string>{"0_CPU0", "1_CPU0"});
    CHECK(tables.links.size() ==
          faces.at("count").get<std::size_t>() + sums.at("count").get<std::size_t>());
}

TEST_CASE("what ranks cannot share is refused in one line", "[long]")
{
    if (!there_are_ranks()) return;
    const std::string lattice = "--lattice 4x4x4x4 --cpus 1 --opencl 0 --cuda 0";
    check_refused(on_ranks(3, lattice), 2, "4x4x4x4 cannot be cut into parts for 3 ranks");
    check_refused(on_ranks(2, small + " --tiles 1x1x1x3"), 2, "2 ranks cannot have equal numbers");
    check_refused(on_ranks(2, small + " --plan batch"), 2, "--plan batch: a batch is of the whole");
    check_refused(on_ranks(2, small + " --no-such-option"), 2, "--no-such-option");
    check_refused(on_ranks(2, small + " --split auto"), 2, "--split is of one process");
    check_refused(on_ranks(2, "bench --grain"), 2, "--grain is of one process");
    check_refused(on_ranks(2, small + " --resume none"), 2, "there is no file 'none'");
    check_refused(on_ranks(2, "--lattice 4x4x4x8 --engine openmp"), 2,
                  "--engine is of one process");
    const std::string colon = " : -n 1 " + program() + " --lattice 4x4x4x4 --quiet";
    check_refused(Program(small + colon, as_root, launcher(1)).wait(patience), 2,
                  "other arguments or another program than rank 0");
}

TEST_CASE("a signal to one rank ends all of them at the same iteration", "[long]")
{
    if (!there_are_ranks()) return;
    Program program(small + " --iterations 1000000", as_root, launcher(2));
    wait_until_it_runs(program);
    kill(ranks_of(program).back(), SIGUSR1);
    const Outcome o = program.wait(patience);
    INFO(o.err);
    CHECK(o.status == 1);
    CHECK(own_lines(o).empty());
    REQUIRE(o.json.is_object());
    CHECK(o.json.at("ending") == "interrupted");
    CHECK(o.json.at("verified") == true);
}

TEST_CASE("a rank that dies ends all within 30 s, with one line", "[long]")
{
    if (!there_are_ranks()) return;
    for (const int rank : {0, 1}) {
        Program program(small + " --iterations 1000000", as_root, launcher(2));
        wait_until_it_runs(program);
        const auto begin = std::chrono::steady_clock::now();
        kill(ranks_of(program)[rank], SIGKILL);
        const Outcome o = program.wait(patience);
        CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(30));
        check_refused(o, 128 + SIGKILL, "mpirun ends all ranks: one has died");
    }
}

namespace
{

const std::string chain = "generate --beta 5.7 --start hot --overrelax 1 --reunitarize-every 2 "
                          "--seed 77 --cpus 1 --opencl 0 --cuda 0 --lattice ";

void check_the_same_field(int ranks, const std::string& one, const std::string& tiles = "")
{
    INFO(ranks << " ranks " << one << tiles);
    const Outcome several = on_ranks(ranks, one + tiles), alone = run(one + " --quiet");
    CHECK(own_lines(several).empty());
    REQUIRE(several.json.is_object());
    for (const char* key : {"digest", "history", "heatbath", "sweeps", "means"})
        CHECK(several.json.at(key) == alone.json.at(key));
}

} // namespace

TEST_CASE("ranks generate the fields of one process")
{
    if (!there_are_ranks()) return;
    const Scratch scratch;
    check_the_same_field(4, chain + "4x4x2x4 --sweeps 2"); // cut in t and y
    // Begun by three, gone on with by two; files from all of them.
    const std::string job = chain + "4x4x4x12 ", state = scratch / "state";
    CHECK(on_ranks(3, job + "--sweeps 1 --checkpoint " + state).status == 0);
    const Outcome rest = on_ranks(2, job + "--sweeps 2 --tiles 1x1x2x6 --plan pinned --resume " +
                                         state + " --save " + scratch / "r.nersc"),
                  whole = run(job + "--sweeps 2 --quiet");
    REQUIRE(rest.json.is_object());
    CHECK(rest.json.at("digest") == whole.json.at("digest"));
    CHECK(rest.json.at("history") == whole.json.at("history"));
    CHECK(on_ranks(2, "generate --beta 5.7 --sweeps 0 --cpus 1 --start " + scratch / "r.nersc")
              .json.at("digest") == whole.json.at("digest"));
    check_refused(on_ranks(4, job + "--sweeps 2"), 2, "4 ranks have no equally thick tiles");
}

TEST_CASE("ranks generate the same fields on other cuts, and refuse what they cannot", "[long]")
{
    if (!there_are_ranks()) return;
    const Scratch scratch;
    const std::string job = chain + "4x4x4x8 --sweeps 4";
    check_the_same_field(2, job);
    check_the_same_field(2, job, " --tiles 2x2x2x4 --plan pinned");
    check_the_same_field(4, job, " --tiles 1x1x2x4");
    check_the_same_field(4, chain + "4x4x4x4 --sweeps 3"); // cut in t and z
    check_refused(on_ranks(2, job + " --plan batch"), 2, "--plan batch");
    check_refused(on_ranks(2, job + " --cores-per-worker 2"), 2, "--cores-per-worker");
    write_text(scratch / "no-state", "nothing");
    check_refused(on_ranks(2, job + " --resume " + scratch / "no-state"), 2,
                  "is no file of --checkpoint");
}
