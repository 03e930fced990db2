// The program where it runs: environment variables, a home it cannot write, descriptors that nobody
// reads, names in no encoding.

#include "tests/drivers/program.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <thread>
#include <vector>

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

TEST_CASE("an environment for another machine, or with a slip, is refused in one line")
{
    for (const char* command : {"--lattice 4x4x4x4", "apply --lattice 4x4x4x4", "bench", "info"})
        for (const char* wrong : {"STARPU_MAIN_THREAD_CPUID=99999", "STARPU_WORKERS_COREID=99999",
                                  "STARPU_NCPU=x", "STARPU_NWORKER_PER_CUDA=0", "OMP_SCHEDULE=fast",
                                  "GOMP_CPU_AFFINITY=99999", "OMP_PLACES={99999}"}) {
            INFO(command << ' ' << wrong);
            const Outcome o = run(command, std::string("QCD_BANDWIDTH_MIB=1 ") + wrong);
            CHECK(o.status == 2);
            const std::string ours =
                o.err.substr(std::min(o.err.size(), o.err.find("qcd_starpu: ")));
            CHECK(ours.find(std::string(wrong).substr(0, std::string(wrong).find('='))) == 12);
            CHECK(std::count(ours.begin(), ours.end(), '\n') == 1);
        }
}

TEST_CASE("variables that hide OpenCL are named where none is found")
{
    if (!works("opencl", "--cpus 0 --opencl 1")) return;
    for (const std::string variable :
         {"OCL_ICD_VENDORS=/nonexistent", "POCL_DEVICES=pthread,basic", "POCL_DEVICES=nosuch"}) {
        const Outcome o =
            run("--lattice 4x4x4x8 --cpus 0 --opencl 1",
                "OCL_ICD_VENDORS OCL_ICD_FILENAMES POCL_DEVICES POCL_CACHE_DIR " + variable);
        CHECK(o.status == 4);
        CHECK(o.err == "qcd_starpu: 1 OpenCL workers asked for, 0 found: " + variable +
                           " says which OpenCL there is\n");
    }
}

TEST_CASE("a topology of another machine gives no more cores than there are")
{
    const std::string twice = std::to_string(2 * std::thread::hardware_concurrency());
    setenv("HWLOC_SYNTHETIC", ("pack:1 core:" + twice + " pu:1").c_str(), 1);
    const Outcome all = run("--lattice 4x4x4x8 --cuda 0 --opencl 0 --plan batch"),
                  graph = run("--lattice 4x4x4x8 --cuda 0 --opencl 0 --plan graph --cpus " + twice);
    unsetenv("HWLOC_SYNTHETIC");
    CHECK(all.status == 0);
    CHECK(all.err == "");
    CHECK(all.json.at("workers") ==
          solve("--lattice 4x4x4x8 --cuda 0 --opencl 0 --plan batch").at("workers"));
    CHECK(graph.err.find("take turns") != std::string::npos);
}

TEST_CASE("processes that MPI does not know as ranks write no file")
{
    for (const std::string variable : {"SLURM_STEP_NUM_TASKS=4", "PMI_SIZE=4"}) {
        const Outcome o = run("--lattice 4x4x4x8 --cuda 0 --opencl 0", variable);
        INFO(variable << '\n' << o.err);
        if (o.status == 4) continue; // there is no MPI here that could say so
        CHECK(o.status == 2);
        CHECK(o.err.find("qcd_starpu: --json: " + variable + ", of which MPI sees one") == 0);
    }
}

TEST_CASE("OpenMP's binding leaves a run all cores that OpenMP has")
{
    const std::string job = "--lattice 8x8x8x16 --iterations 2 ", loops = job + "--engine openmp";
    const auto command = [&](const std::string& environment) {
        return solve(job + "--cuda 0 --opencl 0", environment).at("command").get<std::string>();
    };
    const std::string all = command("OMP_PROC_BIND OMP_PLACES GOMP_CPU_AFFINITY");
    for (const char* const bound :
         {"OMP_PROC_BIND=true", "OMP_PROC_BIND=spread OMP_PLACES=cores", "OMP_PLACES=threads"}) {
        INFO(bound);
        CHECK(command(bound) == all);
        CHECK(solve(loops, bound).at("workers") == solve(loops).at("workers"));
    }
    CHECK(command("GOMP_CPU_AFFINITY=0").find("--cores-per-worker 1") != std::string::npos);
}

TEST_CASE("a library that gives up by itself is a failure of the machine")
{
    const std::string build = run("info").json.at("program").at("build_type");
    if (build.find("address") != std::string::npos) {
        WARN("SKIPPED: stacks that are too large, which AddressSanitizer answers itself");
        return;
    }
    // No machine has the memory for such a stack.
    const Outcome o =
        run("--lattice 4x4x4x4 --engine openmp --cpus 2", "OMP_STACKSIZE=90000000000k");
    CHECK(o.status == 4);
    CHECK((o.err.find("qcd_starpu: libgomp") != std::string::npos ||
           o.err.find("qcd_starpu: libomp gave up") != std::string::npos)); // clang's
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

namespace
{

const std::string small_graph = "--lattice 4x4x4x4 --cuda 0 --opencl 0 --cpus 1 --sched dmda "
                                "--tiles 1x1x1x2 --iterations 2";

/// Runs that find `home`, and nothing else that is StarPU's.
std::string at_home(const std::string& home, const std::string& more = "")
{
    return "STARPU_HOME XDG_CACHE_HOME STARPU_PERF_MODEL_DIR HOME=" + home + ' ' + more;
}

/// What StarPU keeps there.
std::vector<std::filesystem::path> kept_files(const std::string& home)
{
    std::vector<std::filesystem::path> files;
    for (const auto& file : std::filesystem::recursive_directory_iterator(home + "/.starpu"))
        if (file.is_regular_file()) files.push_back(file.path());
    return files;
}

} // namespace

TEST_CASE("a file of StarPU's that was cut, or holds something else, is no obstacle")
{
    namespace fs = std::filesystem;
    const Scratch home, temporary;
    const std::string where = at_home(home / "", "TMPDIR=" + temporary.path().string());
    solve(small_graph, where);
    const auto files = kept_files(home / "");
    REQUIRE(files.size() > 10);
    int models = 0;
    for (const fs::path& file : files) {
        const bool model = file.string().find("codelets") != std::string::npos;
        if (model && ++models > 2) continue;
        const std::string good = read_text(file);
        for (const std::string& bad :
             {std::string(), good.substr(0, 10), good.substr(0, good.size() / 2),
              good.substr(0, good.size() - 3), std::string("\xff\0 3\n7", 6)}) {
            INFO(file << " of " << bad.size() << " bytes");
            write_text(file, bad);
            solve(small_graph, where);
            if (model && !bad.empty()) CHECK(read_text(file) == bad); // the user's own to delete
        }
        write_text(file, good);
    }
}

TEST_CASE("what another user left in a home, or a home with a long name, is no obstacle")
{
    const Scratch home, temporary;
    const std::string more = "TMPDIR=" + temporary.path().string();
    write_text(home / ".starpu", "");
    solve(small_graph, at_home(home / "", more));
    const std::string long_home = home / std::string(250, 'h');
    std::filesystem::create_directory(long_home);
    solve(small_graph, at_home(long_home, more));
    CHECK(std::filesystem::is_empty(long_home));
}

TEST_CASE("what is damaged in the folder that stands in for a home is made anew")
{
    namespace fs = std::filesystem;
    const Scratch temporary;
    const std::string where = at_home("/dev/null", "TMPDIR=" + temporary.path().string());
    solve(small_graph, where);
    REQUIRE(std::distance(fs::directory_iterator(temporary.path()), fs::directory_iterator()) == 1);
    const std::string stand_in = fs::directory_iterator(temporary.path())->path();
    for (const fs::path& file : kept_files(stand_in)) fs::resize_file(file, 7);
    solve(small_graph, where);
    for (const fs::path& file : kept_files(stand_in)) {
        INFO(file);
        CHECK(fs::file_size(file) > 7);
    }
}

TEST_CASE("a folder that StarPU is told to use must be usable")
{
    const Outcome o = run(small_graph, "STARPU_PERF_MODEL_DIR=/dev/null/x");
    CHECK(o.status == 2);
    CHECK(o.err ==
          "qcd_starpu: STARPU_PERF_MODEL_DIR: '/dev/null/x': files cannot be kept there\n");
}

TEST_CASE("memory beyond the process's limit is refused before it is asked for")
{
    const std::string build = run("info").json.at("program").at("build_type");
    if (build.find("address") != std::string::npos) {
        WARN("SKIPPED: limits of address space, which AddressSanitizer exceeds before it begins");
        return;
    }
    // In bash, for ulimit. Address space: that of the libraries, and 300 MiB.
    const Scratch scratch;
    const std::string err = scratch / "err", run_it = "'" + program() + "' --lattice 32x32x32x64";
    for (const char* const limit : {"-v 700000", "-d 500000"}) {
        INFO(limit);
        write_text(scratch / "run.sh", std::string("ulimit ") + limit + '\n' + run_it);
        const int status = std::system(("bash " + scratch / "run.sh >/dev/null 2>" + err).c_str());
        CHECK(WEXITSTATUS(status) == 4);
        const std::string line = read_text(err);
        CHECK(line.find("qcd_starpu: memory: the solve needs 2.") == 0);
        CHECK(line.find(std::string("are free (ulimit ") + std::string(limit).substr(0, 2) +
                        ")\n") != std::string::npos);
    }
}

namespace
{

/// A NERSC file whose slices from t = 1 on are not there: zeros that take no room on the disk.
void write_sparse_gauge(const std::string& file, int l, int lt)
{
    std::string link; // 1
    for (int i = 0; i < 18; ++i)
        link += std::string(i % 8 ? "\0\0" : "\x3f\xf0", 2) + std::string(6, '\0');
    std::string text = "BEGIN_HEADER\nDATATYPE = 4D_SU3_GAUGE_3x3\n";
    for (int mu = 0; mu < 4; ++mu)
        text +=
            "DIMENSION_" + std::to_string(mu + 1) + " = " + std::to_string(mu < 3 ? l : lt) + '\n';
    text += "CHECKSUM = 0\nLINK_TRACE = 1\nPLAQUETTE = 1\nFLOATING_POINT = IEEE64BIG\nEND_HEADER\n";
    const std::size_t slice = 4 * link.size() * l * l * l, header = text.size();
    while (text.size() < header + slice) text += link;
    write_text(file, text);
    std::filesystem::resize_file(file, header + slice * lt);
}

} // namespace

TEST_CASE("a gauge file that is bad is refused before the fields have their memory")
{
    const Scratch scratch;
    const std::string file = scratch / "g.nersc";
    write_sparse_gauge(file, 24, 48); // 382 MB of links
    for (const char* const how :
         {"--plan graph", "--plan batch", "--engine openmp", "--precision single"}) {
        INFO(how);
        const long small = run(std::string("--lattice 4x4x4x4 ") + how).peak_bytes;
        const Outcome o = run("--gauge " + file + ' ' + how);
        CHECK(o.status == 2);
        CHECK(o.err.find("qcd_starpu: " + file + ": site (0,0,0,1): ") == 0);
        CHECK(o.peak_bytes < small + (100 << 20));
    }
}

TEST_CASE("memory that StarPU is not to use is refused")
{
    for (const char* const limit : {"STARPU_LIMIT_CPU_MEM", "STARPU_LIMIT_CPU_NUMA_MEM"})
        for (const char* const command : {"--plan graph", "apply", "bench --ops xpay"}) {
            INFO(limit << ' ' << command);
            const Outcome o = run(std::string(command) + " --lattice 8x8x8x16",
                                  std::string("QCD_BANDWIDTH_MIB=1 ") + limit + "=1");
            CHECK(o.status == 4);
            CHECK(o.err.find("qcd_starpu: memory: ") == 0);
            CHECK(o.err.find(std::string(limit) + ")\n") != std::string::npos);
        }
    solve("--lattice 4x4x4x4", "STARPU_LIMIT_CPU_MEM=0");
}

TEST_CASE("more workers than cores are said, and are not timed unasked")
{
    const int cores = solve("--lattice 4x4x4x4 --engine openmp").at("workers").at("cpu");
    const std::string many = " --cuda 0 --opencl 0 --cpus " + std::to_string(cores + 1),
                      expected = std::to_string(cores + 1) + " CPU workers on ";
    for (const char* const command : {"", "apply "}) {
        const Outcome o = run(command + std::string("--lattice 4x4x4x4") + many);
        CHECK(o.status == 0);
        CHECK(o.err.find("qcd_starpu: note: " + expected) == 0);
        CHECK(std::count(o.err.begin(), o.err.end(), '\n') == 1);
    }
    const std::string bench = "bench --lattice 4x4x4x4 --ops xpay --repeat 1" + many;
    const Outcome refused = run(bench, "QCD_BANDWIDTH_MIB=1");
    CHECK(refused.status == 2);
    CHECK(refused.err.find("qcd_starpu: bench: " + expected) == 0);
    CHECK(refused.err.find("; --oversubscribe measures all the same\n") != std::string::npos);
    CHECK(run(bench + " --oversubscribe", "QCD_BANDWIDTH_MIB=1").status == 0);
    const Outcome most = run("--lattice 4x4x4x4 --cpus 4096");
    CHECK(most.status == 4);
    CHECK(most.err.find("4096 CPU workers asked for, this StarPU has at most ") !=
          std::string::npos);
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

TEST_CASE("with --json - there is nothing else on stdout, whatever the command", "[long]")
{
    const Scratch scratch;
    const std::string folder = std::filesystem::path(program()).parent_path(),
                      field = scratch / "field", trace = scratch / "trace",
                      small = " --lattice 4x4x4x4 --cpus 1 --cuda 0 --opencl 0";
    run("--lattice 4x4x4x4 --plan graph --cuda 0 --opencl 0 --save-gauge " + field + " --trace " +
        trace);
    std::vector<std::string> commands{
        "qcd_starpu" + small,
        "qcd_starpu" + small + " --dry-run",
        "qcd_starpu --lattice 4x4x4x4 --engine sequential",
        "qcd_starpu propagator" + small,
        "qcd_starpu apply" + small,
        "qcd_starpu bench" + small + " --ops xpay --repeat 1",
        "qcd_starpu compare --lattice 4x4x4x4 --workers cpus:1 --repeat 1 --tiles 1x1x1x1,1x1x1x2 "
        "--out " +
            scratch / "c",
        "qcd_starpu ladder --lattice 4x4x4x4 --repeat 1 --devices core --out " + scratch / "l",
        "qcd_starpu calibrate" + small + " --repeat 1 --out " + scratch / "machine",
        "qcd_starpu trace " + trace,
        "qcd_starpu info",
        "qcd_starpu convert " + field + ' ' + scratch / "other.lime",
        "qcd_starpu check " + field,
        "starpu_studies sandpile --size 16 --cpus 1 --opencl 0 --cuda 0",
        "starpu_studies compare sandpile --size 16 --cpus 1 --opencl 0 --cuda 0 --repeat 1 --out " +
            scratch / "s"};
    if (std::system("command -v mpirun >/dev/null") == 0)
        for (const char* command : {"qcd_starpu", "qcd_starpu propagator"})
            commands.push_back("mpirun -q -n 2 --allow-run-as-root --oversubscribe " + folder +
                               '/' + command + " --lattice 4x4x4x4 --cpus 1 --cuda 0 --opencl 0");
    for (const std::string& command : commands) {
        INFO(command);
        const std::string line = (command.starts_with("mpirun") ? "" : folder + '/') + command +
                                 " --json - >" + scratch / "out" + " 2>" + scratch / "err";
        std::system(("QCD_BANDWIDTH_MIB=16 STARPU_SILENT=1 " + line).c_str());
        INFO(read_text(scratch / "err"));
        CHECK(Json::accept(read_text(scratch / "out")) !=
              (command.find("--dry-run") != std::string::npos)); // which has no JSON
    }
}
