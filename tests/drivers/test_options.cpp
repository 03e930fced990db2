#include "drivers/spec/commands.hpp"

#include "base/error.hpp"
#include "drivers/spec/dirac_problem.hpp"
#include "drivers/spec/rules.hpp"
#include "tests/scratch.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace qcd;
using cli::Text;

namespace
{

/// A folder of its own for every case, with a file `gauge` in it; the case runs inside.
class InScratch
{
public:
    InScratch() : back_(std::filesystem::current_path())
    {
        std::filesystem::current_path(scratch_.path());
        std::filesystem::create_directory("folder");
        test::write_text("gauge", "x");
        test::write_text("folder/profile.txt", "x");
        std::filesystem::create_symlink("nowhere/out.json", "link");
        std::filesystem::create_symlink("gauge", "soft");
        std::filesystem::create_hard_link("gauge", "hard");
        std::filesystem::create_symlink("folder", "way");
        std::filesystem::create_symlink("new.json", "to-new");
        std::filesystem::create_symlink("../gauge", "folder/paje.trace");
    }
    ~InScratch() { std::filesystem::current_path(back_); }

private:
    const test::Scratch scratch_;
    const std::filesystem::path back_;
};

/// As a shell splits it; no quoting. An argument written '' is empty.
std::vector<std::string> words(const std::string& line)
{
    std::istringstream in(line);
    std::vector<std::string> result;
    for (std::string word; in >> word;) result.push_back(word == "''" ? "" : word);
    return result;
}

template <class Options>
Options parse_as(const std::string& line)
{
    const Command command = parse(words(line));
    REQUIRE(std::holds_alternative<Options>(command));
    return std::get<Options>(command);
}

} // namespace

namespace
{

DiracProblem with_links(RunSpec s)
{
    if (!s.method.links()) s.method.links = LinkStorage::full;
    return problem_of(s);
}

RunSpec solve_of(const std::string& line) { return completed(parse_as<SolveSpec>(line).run); }

} // namespace

TEST_CASE("defaults of solve")
{
    const RunSpec o = solve_of("--lattice 16x16x16x32");
    CHECK(o.problem.lattice() == Extents{16, 16, 16, 32});
    CHECK(o.problem.gauge() == "weak:0.2");
    CHECK(mass_of(o.problem) == -0.15);
    CHECK(kappa_of(o.problem) == 1 / (2 * (-0.15 + 4)));
    CHECK(o.problem.mubar() == 0);
    CHECK(o.problem.csw() == 0);
    CHECK(o.problem.antiperiodic());
    CHECK(o.problem.source() == "random:1");
    CHECK(o.output.save_gauge().empty());
    CHECK(o.execution.engine() == Engine::starpu);
    CHECK(o.method.solver() == Method::cr);
    CHECK(o.method.precision() == Precision::f64);
    CHECK_FALSE(o.method.links());
    CHECK(o.method.even_odd() == true);
    CHECK(o.method.tolerance() == 1e-10);
    CHECK(o.method.max_iterations() == 10000);
    CHECK_FALSE(o.method.iterations());
    CHECK(o.execution.repeat() == 1);
    CHECK_FALSE(o.execution.plan());
    CHECK_FALSE(o.output.dry_run());
    CHECK_FALSE(o.execution.gpu_memory());
    CHECK_FALSE(o.execution.tiles());
    CHECK_FALSE(o.execution.split());
    CHECK(o.execution.sched().empty());
    CHECK_FALSE((o.execution.cpus() || o.execution.cuda() || o.execution.opencl()));
    CHECK(o.output.json().empty());
    CHECK(o.output.trace().empty());
    CHECK_FALSE(o.output.quiet());
    CHECK_FALSE(o.output.verbose());
}

TEST_CASE("verbose: solve, apply and bench")
{
    for (const char* flag : {" -v", " --verbose"}) {
        CHECK(solve_of(std::string("solve --lattice 4x4x4x4") + flag).output.verbose());
        CHECK(parse_as<ApplySpec>(std::string("apply --lattice 4x4x4x4") + flag)
                  .run.output.verbose());
        CHECK(parse_as<BenchSpec>(std::string("bench") + flag).run.output.verbose());
        CHECK_THROWS_AS(parse(words(std::string("info") + flag)), Error);
    }
}

TEST_CASE("every option of solve")
{
    const InScratch scratch;
    const RunSpec o =
        solve_of("solve --lattice 4x6x2x8 --gauge gen:7,1 --kappa 0.13 --mubar -0.05 --csw 1.25 "
                 "--boundary periodic --source "
                 "point:0,0,0,0,1,2 --solver cg --even-odd off --precision "
                 "single --iterations 40 --tiles "
                 "1x2x1x4 --sched dmdas --cpus 2 --cuda 0 --opencl 1 --repeat 3 "
                 "--plan batch:8 --links 12 --gpu-memory 512M --trace new --json out.json --quiet "
                 "--save-gauge folder/copy");
    CHECK(o.problem.lattice() == Extents{4, 6, 2, 8});
    CHECK(o.problem.gauge() == "gen:7,1");
    CHECK(kappa_of(o.problem) == 0.13);
    CHECK(mass_of(o.problem) == 1 / (2 * 0.13) - 4);
    CHECK(o.problem.mubar() == -0.05);
    CHECK(o.problem.csw() == 1.25);
    CHECK_FALSE(o.problem.antiperiodic());
    CHECK(o.problem.source() == "point:0,0,0,0,1,2");
    CHECK(o.output.save_gauge() == "folder/copy");
    CHECK(o.method.solver() == Method::cg);
    CHECK(o.method.even_odd() == false);
    CHECK(o.method.precision() == Precision::f32);
    CHECK(o.method.iterations() == 40);
    CHECK(o.execution.repeat() == 3);
    REQUIRE(o.execution.plan());
    CHECK(o.execution.plan()->kind == PlanKind::batch);
    CHECK(o.execution.plan()->iterations == 8);
    CHECK(o.method.links() == LinkStorage::two_rows);
    CHECK(o.execution.gpu_memory() == 512L << 20);
    CHECK(o.execution.tiles() == Extents{1, 2, 1, 4});
    CHECK(o.execution.sched() == "dmdas");
    CHECK(o.execution.cpus() == 2);
    CHECK(o.execution.cuda() == 0);
    CHECK(o.execution.opencl() == 1);
    CHECK(o.output.trace() == "new");
    CHECK(o.output.json() == "out.json");
    CHECK(o.output.quiet());
    CHECK(o.output.call.arguments.front() == "solve");
    CHECK(o.output.call.arguments.back() == "folder/copy");
}

TEST_CASE("checkpoints: how often, and where")
{
    const InScratch scratch;
    const std::string l = "--lattice 4x4x4x4 ";
    const RunSpec none = solve_of(l);
    CHECK(none.execution.checkpoint().empty());
    CHECK(none.execution.resume().empty());
    const auto every = [&](const std::string& text) {
        return solve_of(l + "--checkpoint new" +
                        (text.empty() ? "" : " --checkpoint-every " + text))
            .execution.checkpoint_every()
            .value_or(CheckpointInterval{});
    };
    CHECK(every("").iterations == 0);
    CHECK(every("").time == std::chrono::minutes(10));
    CHECK(every("500").iterations == 500);
    CHECK(every("030s").time == std::chrono::seconds(30));
    CHECK(every("30s").iterations == 0);
    CHECK(every("7min").time == std::chrono::minutes(7));
    CHECK(every("2h").time == std::chrono::hours(2));
    // Both may be one file, which is replaced.
    const RunSpec both = solve_of(l + "--resume gauge --checkpoint gauge");
    CHECK(both.execution.checkpoint() == "gauge");
    CHECK(both.execution.resume() == "gauge");
}

TEST_CASE("numbers are decimal")
{
    const auto o = solve_of("--lattice 4x4x4x4 --iterations 010 --cpus 08 --cuda 00");
    CHECK(o.method.iterations() == 10);
    CHECK(o.execution.cpus() == 8);
    CHECK(o.execution.cuda() == 0);
}

TEST_CASE("iterations in lower precision")
{
    const std::string l = "--lattice 4x4x4x4 ";
    CHECK_FALSE(solve_of(l).method.sloppy());
    CHECK_FALSE(solve_of(l + "--sloppy off").method.sloppy());
    const auto o = solve_of(l + "--sloppy single --sloppy-drop 0.1 --links 12");
    CHECK(o.method.sloppy() == Precision::f32);
    CHECK(o.method.sloppy_drop() == 0.1);
    CHECK(o.method.precision() == Precision::f64);
    const auto half = solve_of(l + "--sloppy half --links 12");
    CHECK(half.method.sloppy() == Precision::f16);
    CHECK(with_links(half).sloppy_drop == default_sloppy_drop(Precision::f16));
    CHECK(with_links(o).sloppy_drop == 0.1);
    CHECK(parse_as<PropagatorSpec>("propagator " + l + "--sloppy single").run.method.sloppy());
    for (const char* line :
         {"--sloppy double", "--sloppy quarter", "--sloppy", "--sloppy single --precision single",
          "--sloppy single --engine openmp", "--sloppy-drop 0.1", "--sloppy single --sloppy-drop 1",
          "--sloppy single --sloppy-drop 0", "--sloppy single --sloppy-drop nan",
          "--sloppy off --sloppy-drop 0.1", "--sloppy half --links 8",
          "--sloppy half --precision single", "--sloppy half --engine sequential"})
        CHECK_THROWS_WITH(parse(words(l + line)), Catch::Contains("--sloppy"));
}

TEST_CASE("options: several right-hand sides")
{
    const std::string l = "--lattice 4x4x4x4 ";
    CHECK(solve_of(l).execution.rhs() == 1);
    CHECK(solve_of(l + "--rhs 1 --source point:0,0,0,0,0,0 --sloppy single").execution.rhs() == 1);
    CHECK(solve_of(l + "--rhs 5 --source det:3").execution.rhs() == 5);
    CHECK(solve_of(l + "--rhs 12 --source point:0,0,0,0").execution.rhs() == 12);
    CHECK(solve_of(l + "--rhs 2 --sloppy half --plan linked").execution.rhs() == 2);
    CHECK(parse_as<BenchSpec>("bench").rhs() == 1);
    CHECK(parse_as<BenchSpec>("bench --rhs 12").rhs() == 12);
    CHECK_FALSE(parse_as<PropagatorSpec>("propagator " + l).run.execution.rhs());
    CHECK(parse_as<PropagatorSpec>("propagator " + l + "--rhs 5").run.execution.rhs() == 5);
    for (const std::string line :
         {"bench --rhs 0", "bench --rhs 65", "propagator --rhs 0", "propagator --rhs 13"})
        CHECK_THROWS_WITH(parse(words(line)), Catch::Contains("--rhs"));
    for (const char* line :
         {"--rhs 0", "--rhs -1", "--rhs 65", "--rhs two", "--rhs 1.5", "--rhs",
          "--rhs 13 --source point:0,0,0,0", "--rhs 2 --source point:0,0,0,0,1,1",
          "--rhs 2 --source wall:0,1,1", "--rhs 2 --source timeslice:0",
          "--rhs 2 --source random:x", "--rhs 2 --engine openmp", "--rhs 2 --ladder 1.2"})
        CHECK_THROWS_WITH(parse(words(l + line)), Catch::Contains("--rhs"));
}

TEST_CASE("gcr and its preconditioner")
{
    const std::string l = "--lattice 8x8x8x8 ", gcr = l + "--solver gcr ";
    const auto plain = solve_of(gcr);
    CHECK(plain.method.solver() == Method::gcr);
    CHECK(plain.method.restart() == default_restart);
    CHECK_FALSE(plain.method.precondition());
    const auto o = solve_of(gcr + "--restart 12 --precondition schwarz:6 --domain "
                                  "4x4x8x8 --sloppy single --csw 0");
    CHECK(o.method.restart() == 12);
    CHECK(o.method.precondition()->method == "schwarz");
    CHECK(o.method.precondition()->iterations == 6);
    CHECK(o.method.domain() == Extents{4, 4, 8, 8});
    CHECK(solve_of(gcr + "--precondition mr").method.precondition()->iterations == 4);
    CHECK_FALSE(solve_of(gcr + "--precondition off").method.precondition());
    CHECK_NOTHROW(parse(words(l + "--precondition off")));
    for (const char* method : {"mr", "gcr:3", "bicgstab:2", "cr", "cg:1000"})
        CHECK_NOTHROW(parse(words(gcr + "--domain 4x4x4x4 --precondition " + method)));
    for (const auto& [line, option] : std::initializer_list<std::pair<std::string, const char*>>{
             {gcr + "--restart 0", "--restart"},
             {gcr + "--restart 17", "--restart"},
             {gcr + "--restart 2.5", "--restart"},
             {l + "--restart 4", "--restart"},
             {l + "--solver bicgstab --restart 4", "--restart"},
             {l + "--precondition mr", "--precondition"},
             {l + "--solver cg --precondition mr:4", "--precondition"},
             {gcr + "--precondition jacobi", "--precondition"},
             {gcr + "--precondition mr:0", "--precondition"},
             {gcr + "--precondition mr:-1", "--precondition"},
             {gcr + "--precondition mr:1001", "--precondition"},
             {gcr + "--precondition mr:", "--precondition"},
             {gcr + "--precondition mr:2x", "--precondition"},
             {gcr + "--precondition ''", "--precondition"},
             {gcr + "--precondition schwarz", "--domain"},
             {gcr + "--precondition schwarz --domain 4x4x4x4 --csw 1", "--precondition"},
             {gcr + "--precondition cr --mubar 0.1", "--precondition"},
             {gcr + "--domain 4x4x4x4", "--domain"},
             {l + "--domain 4x4x4x4", "--domain"},
             {gcr + "--precondition mr --domain 4x4x4", "--domain"},
             {gcr + "--precondition mr --domain 3x4x4x4", "odd"},
             {gcr + "--precondition mr --domain 4x4x4x6", "domain 4x4x4x6"},
             {gcr + "--precondition mr --domain 4x4x4x16", "domain 4x4x4x16"},
             {gcr + "--precondition mr --domain 4x4x4x4 --links 8", "--links"},
             {gcr + "--precondition mr --sloppy single --sloppy-drop 0.1", "--sloppy-drop"},
             {gcr + "--engine openmp", "--solver"},
             {gcr + "--checkpoint c", "--checkpoint"}})
        CHECK_THROWS_WITH(parse(words(line)), Catch::Contains(option));
}

TEST_CASE("gcr with multigrid")
{
    const std::string gcr = "--lattice 8x8x8x8 --solver gcr ", mg = gcr + "--precondition mg ";
    const auto parameters = [](RunSpec s) {
        s.method.links = LinkStorage::full;
        return *problem_of(s).preconditioning->multigrid;
    };
    const auto usual = solve_of(mg);
    CHECK(usual.method.precondition()->iterations == MultigridParameters{}.smoothing);
    CHECK(usual.method.sloppy() == Precision::f32);
    CHECK(usual.method.restart() == most_restart);
    CHECK(parameters(usual) == MultigridParameters{});
    CHECK(default_multigrid_blocks({8, 8, 8, 8}) == std::vector<Extents>{{4, 4, 4, 4}});
    CHECK(default_multigrid_blocks({24, 16, 16, 18}) ==
          std::vector<Extents>{{4, 4, 4, 6}, {2, 2, 2, 3}});
    const auto o = solve_of(gcr + "--precondition mg:3 --mg-blocks 4x4x4x2,2x1x1x4 --mg-vectors 12 "
                                  "--mg-first 7 --mg-setup 1 --mg-cycle 5 --mg-coarse 20 --mg-tol "
                                  "0.5 --restart 3 --sloppy single");
    const MultigridParameters expected{.blocks = {{4, 4, 4, 2}, {2, 1, 1, 4}},
                                       .vectors = 12,
                                       .first_iterations = 7,
                                       .refinements = 1,
                                       .smoothing = 3,
                                       .cycle_iterations = 5,
                                       .coarse_iterations = 20,
                                       .coarse_tolerance = 0.5};
    CHECK(parameters(o) == expected);
    CHECK(o.method.restart() == 3);
    for (const auto& [line, option] : std::initializer_list<std::pair<std::string, const char*>>{
             {gcr + "--mg-vectors 12", "--mg-vectors"},
             {gcr + "--precondition mr --mg-tol 0.5", "--mg-tol"},
             {mg + "--mg-vectors 23", "--mg-vectors"},
             {mg + "--mg-blocks 4x4x4", "--mg-blocks"},
             {mg + "--mg-blocks 4x4x4x4,", "--mg-blocks"},
             {mg + "--mg-blocks 4x4x4x0", "--mg-blocks"},
             {mg + "--mg-setup -1", "--mg-setup"},
             {mg + "--mg-coarse 0", "--mg-coarse"},
             {mg + "--mg-tol 1", "--mg-tol"},
             {mg + "--mg-tol nan", "--mg-tol"},
             {mg + "--domain 4x4x4x4", "--domain"},
             {mg + "--links 8", "--links"},
             {mg + "--plan linked", "--plan"},
             {mg + "--sloppy half", "--sloppy"}})
        CHECK_THROWS_WITH(parse(words(line)), Catch::Contains(option));
}

TEST_CASE("the tolerance follows the precision unless given")
{
    const std::string line = "--lattice 4x4x4x4 --precision single";
    CHECK(solve_of(line).method.tolerance() == 1e-4);
    CHECK(solve_of(line + " --tol 1e-10").method.tolerance() == 1e-10);
}

TEST_CASE("a page may be written to a new file or over one")
{
    for (const char* file : {"new.html", "gauge"})
        CHECK(solve_of(std::string("--lattice 4x4x4x4 --report ") + file).output.report() == file);
    CHECK(solve_of("--lattice 4x4x4x4").output.report().empty());
}

TEST_CASE("the folder of a trace may be made, with those above it")
{
    const InScratch scratch;
    for (const std::string folder : {"a/b/c", "folder/a", "way/a/b", "../new/a"})
        CHECK(solve_of("--lattice 4x4x4x4 --trace " + folder).output.trace() == folder);
    CHECK_FALSE(std::filesystem::exists("a"));
}

TEST_CASE("JSON may go where no file is")
{
    const InScratch scratch;
    REQUIRE(mkfifo("pipe", 0600) == 0);
    for (const std::string to : {"-", "/dev/null", "/dev/stdout", "/dev/fd/2", "pipe", "out.json"})
        CHECK(parse_as<InfoSpec>("info --json " + to).run.output.json() == to);
    std::filesystem::permissions("pipe", std::filesystem::perms::none);
    if (geteuid() != 0) CHECK_THROWS_AS(parse(words("info --json pipe")), Error);
}

TEST_CASE("--ladder has the name that it had before, too")
{
    const InScratch scratch;
    const std::string lattice = "--lattice 4x4x4x4 ";
    const RunSpec now = solve_of(lattice + "--ladder 1.2");
    CHECK(solve_of(lattice + "--stencil 1.2") == now);
    CHECK(now.method.ladder()->name == std::string("1.2"));
    test::write_text("run.toml", "stencil = \"1.2\"\n");
    CHECK(solve_of(lattice + "--config run.toml").method.ladder() == now.method.ladder());
    CHECK_THAT(typed(now, {Role::identity}),
               Catch::Contains("--ladder 1.2") && !Catch::Contains("stencil"));
    CHECK(parse_as<CompareSpec>("compare " + lattice + "--stencil auto,1.2").lists.at("ladder") ==
          "auto,1.2");
    CHECK(parse_as<LadderSpec>("ladder --stencil 1.2,auto").versions() ==
          parse_as<LadderSpec>("ladder --ladder 1.2,auto").versions());
    for (const char* command : {"", "compare ", "ladder "})
        CHECK_THAT(parse_as<Text>(std::string(command) + "--help").text,
                   Catch::Contains("--ladder,--stencil"));
}

TEST_CASE("names and notations of other programs")
{
    const InScratch scratch;
    const auto o =
        solve_of("--load-gauge gauge --recon 12 --prec single --niter 7 --tiles 1.1.1.2");
    CHECK(o.problem.gauge() == "gauge");
    CHECK(o.method.links() == LinkStorage::two_rows);
    CHECK(o.method.precision() == Precision::f32);
    CHECK(o.method.iterations() == 7);
    CHECK(o.execution.tiles() == Extents{1, 1, 1, 2});
    CHECK(solve_of("--lattice 16.16.16.32").problem.lattice() == Extents{16, 16, 16, 32});
    CHECK(parse_as<BenchSpec>("bench --lattice 4.4.4.4,8x8x8x8 --recon 8 --prec double")
              .lattices()
              .size() == 2);
    CHECK(parse_as<ApplySpec>("apply --lattice=4.4.4.4 --recon=8").run.method.links() ==
          LinkStorage::minimal);
    test::write_text("run.toml", "recon = 12\n");
    CHECK(solve_of("--gauge gauge --config run.toml").method.links() == LinkStorage::two_rows);
    CHECK(solve_of("--gauge gauge --config run.toml --links 8").method.links() ==
          LinkStorage::minimal);
    const std::string help = parse_as<Text>("--help").text;
    for (const char* names :
         {"--links,--recon", "--precision,--prec", "--iterations,--niter", "--gauge,--load-gauge"})
        CHECK_THAT(help, Catch::Contains(names));
}

TEST_CASE("commands and their own options")
{
    const InScratch scratch;
    const auto solve = [](const std::string& more) {
        return solve_of("--lattice 4x4x4x4 " + more);
    };
    CHECK(solve_of("--gauge gauge").problem.gauge() == "gauge"); // the file says its extents
    CHECK(solve("--mass=-0.5 --tiles auto").problem.mass() == -0.5);
    CHECK(solve("--engine openmp --cpus 2").execution.engine() == Engine::openmp);
    CHECK(solve("--plan graph").execution.plan()->kind == PlanKind::graph);
    CHECK(solve("--plan pinned").execution.plan()->kind == PlanKind::pinned);
    CHECK_FALSE(solve("--plan linked").execution.plan()->iterations);
    CHECK(solve("--plan linked:32").execution.plan()->iterations == 32);
    CHECK_FALSE(solve("--plan auto").execution.plan());
    CHECK(solve("--cores-per-worker 2").execution.cores_per_worker() == 2);
    CHECK_FALSE(solve("--cores-per-worker auto").execution.cores_per_worker());
    const auto split = [&](const std::string& value) {
        return solve("--split " + value).execution.split().value().devices;
    };
    CHECK_FALSE(split("auto"));
    CHECK(split("0.75") == 0.75);
    CHECK(split("1") == 1);
    CHECK(solve("--engine sequential --cpus 1").execution.engine() == Engine::sequential);
    CHECK(parse_as<ApplySpec>("apply --gauge gauge --precision single").run.method.precision() ==
          Precision::f32);
    CHECK(parse_as<ApplySpec>("apply --gauge gauge --links 8").run.method.links() ==
          LinkStorage::minimal);
    CHECK(parse_as<InfoSpec>("info --json i.json").run.output.json() == "i.json");

    const BenchSpec plain = parse_as<BenchSpec>("bench");
    CHECK(plain.lattices().size() == 3);
    CHECK(plain.ops().empty());
    CHECK(plain.precisions() == std::vector{Precision::f64, Precision::f32});
    const BenchSpec o =
        parse_as<BenchSpec>("bench --lattice 8x8x8x16,4x4x4x4 --ops hopping,xgemm --precision "
                            "single --repeat 5 --cpus 1");
    CHECK(o.lattices() == std::vector{Extents{8, 8, 8, 16}, Extents{4, 4, 4, 4}});
    CHECK(o.ops() == std::vector<std::string>{"hopping", "xgemm"});
    CHECK(o.precisions() == std::vector{Precision::f32});
    CHECK(plain.links() == std::vector{LinkStorage::full});
    CHECK(parse_as<BenchSpec>("bench --links 8").links() == std::vector{LinkStorage::minimal});
    CHECK(parse_as<BenchSpec>("bench --links all").links().size() == 3);
    CHECK(o.repeat() == 5);
    CHECK(o.run.execution.cpus() == 1);
    CHECK(parse_as<BenchSpec>("bench --sched eager").run.execution.sched() == "eager");
}

TEST_CASE("bench --grain has a lattice, a precision, schedulers and rounds of its own")
{
    const BenchSpec plain = parse_as<BenchSpec>("bench --grain");
    CHECK(plain.grain());
    CHECK(plain.lattices() == std::vector{Extents{8, 8, 8, 16}});
    CHECK(plain.precisions() == std::vector{Precision::f64});
    CHECK(plain.repeat() == 5);
    CHECK(plain.schedulers() == std::vector<std::string>{"lws", "eager", "dmdas"});
    const BenchSpec o = parse_as<BenchSpec>("bench --grain --sched lws,random --repeat 10 --seed 7 "
                                            "--precision single --lattice 4x4x4x8 --out new");
    CHECK(o.schedulers() == std::vector<std::string>{"lws", "random"});
    CHECK(o.repeat() == 10);
    CHECK(o.seed() == 7);
    CHECK(o.precisions() == std::vector{Precision::f32});
    CHECK(o.folder() == "new");
}

namespace
{

/// The line that a file of options, and what is typed before it, is refused with.
std::string refused(const std::string& file, const std::string& line = "")
{
    test::write_text("run.toml", file);
    try {
        parse(words(line + " --config run.toml"));
    } catch (const Error& e) {
        CHECK(e.exit_status() == exit_bad_input);
        return e.what();
    }
    return "accepted";
}

} // namespace

TEST_CASE("propagator's own options")
{
    const InScratch scratch;
    const std::string small = "propagator --lattice 4x4x4x4 ";
    const auto plain = parse_as<PropagatorSpec>(small);
    CHECK(plain.source() == "point:0,0,0,0");
    CHECK_FALSE(plain.smearing());
    CHECK_FALSE(plain.resume());
    const auto smeared = parse_as<PropagatorSpec>(
        small + "--smeared 1.5,6 --point 0,1,2,3 --save S --resume --json j.json");
    CHECK(smeared.smearing() == Smearing{1.5, 6});
    CHECK(smeared.source() == "point:0,1,2,3");
    CHECK(smeared.resume());
    CHECK(smeared.words() == "propagator --point 0,1,2,3 --smeared 1.5,6");
    CHECK(parse_as<PropagatorSpec>(small + "--wall 2 --dry-run").run.output.dry_run());
    const std::pair<std::string, const char*> bad[] = {
        {"--smeared 1,2 --wall 0", "--smeared"}, {"--smeared 1", "--smeared"},
        {"--smeared 1,-2", "--smeared"},         {"--resume", "--resume"},
        {"--dry-run --save S", "--save"},        {"--dry-run --plot P", "--plot"},
        {"--dry-run --json S.json", "--json"}};
    for (const auto& [line, culprit] : bad) {
        INFO(line);
        CHECK_THROWS_WITH(parse(words(small + line)), Catch::Contains(culprit));
    }
}

TEST_CASE("rules of a run are not for what a command calls by the same name")
{
    const InScratch scratch;
    const std::string small = "--lattice 4x4x4x4 ";
    // Solve's go on from a checkpoint, and say the phases of a source.
    const auto p = parse_as<PropagatorSpec>(
        "propagator " + small + "--save S --resume --rhs 2 --phases spread --sloppy single");
    CHECK(p.resume());
    CHECK(p.run.execution.rhs() == 2);
    CHECK(p.run.execution.resume().empty());
    CHECK_NOTHROW(parse(words("propagator " + small + "--save S --resume --solver gcr")));
    CHECK_NOTHROW(parse(words("calibrate " + small + "--tiles 1x1x1x2 --repeat 2 --csw 1")));
    CHECK_NOTHROW(parse(words("compare " + small + "--repeat 2 --ladder auto,1.0 --multiple 8")));
    CHECK_NOTHROW(parse(words("ladder --multiple 8,16 --repeat 2")));
    CHECK_THROWS_WITH(parse(words(small + "--resume gauge --repeat 2")),
                      Catch::Contains("--resume"));
    CHECK_THROWS_WITH(parse(words(small + "--phases spread")), Catch::Contains("--phases"));
}

TEST_CASE("a file of options is no pipe or device, which might never end")
{
    const InScratch scratch;
    REQUIRE(mkfifo("pipe", 0600) == 0);
    for (const char* file : {"pipe", "/dev/null", "/dev/zero"})
        CHECK_THROWS_WITH(parse(words(std::string("--lattice 4x4x4x4 --config ") + file)),
                          Catch::StartsWith(std::string("--config: '") + file + "' is ") &&
                              Catch::EndsWith("not a file"));
    test::write_text("run.toml", "\xef\xbb\xbflattice = 4x4x4x8\n"); // as Windows' editor writes it
    CHECK(solve_of("--config run.toml").problem.lattice() == Extents{4, 4, 4, 8});
    CHECK(refused(std::string("mubar = 0\nmass\0= 0\n", 20)) ==
          "--config: 'run.toml', line 2: a byte 0: it is no text, or one in UTF-16");
}

TEST_CASE("a flag with a value, an option that is given twice, and seeds past the largest")
{
    const std::string l = "--lattice 4x4x4x4 ", largest = "18446744073709551615";
    const InScratch scratch;
    CHECK_FALSE(solve_of(l + "--quiet=false").output.quiet());
    CHECK(solve_of(l + "--quiet=true --quiet").output.quiet());
    CHECK_THROWS_WITH(parse(words(l + "--quiet=3")), "--quiet: '3' is neither true nor false");
    CHECK(refused("quiet = 3\n", l) == "--quiet: '3' is neither true nor false (in 'run.toml')");
    CHECK_THROWS_WITH(parse(words(l + "--mubar 0 --mubar 1")),
                      "--mubar: given 2 times, and it has one value");
    CHECK_THROWS_WITH(parse(words(l + "--links 12 --recon 8 --links 8")),
                      "--links, --recon: given 3 times, and it has one value");
    CHECK_NOTHROW(parse(words(l + "--rhs 2 --source random:18446744073709551614")));
    CHECK_NOTHROW(parse(words(l + "--source random:" + largest)));
    for (const char* kind : {"random:", "det:"})
        CHECK_THROWS_WITH(parse(words(l + "--rhs 2 --source " + kind + largest)),
                          Catch::StartsWith("--rhs: the last seed of ") &&
                              Catch::EndsWith("is above 2^64-1"));
}

TEST_CASE("convert and check")
{
    const InScratch scratch;
    const auto c = parse_as<ConvertSpec>("convert gauge out.milc");
    CHECK(c.in() == "gauge");
    CHECK(c.out() == "out.milc");
    CHECK_FALSE(c.format());
    CHECK_FALSE(c.bits());
    CHECK_FALSE(c.run.problem.reunitarize());
    const auto all = parse_as<ConvertSpec>("convert --format openqcd random:3 out --precision "
                                           "double --lattice 4x4x4x8 --reunitarize --quiet");
    CHECK(all.format() == GaugeFormat::openqcd);
    CHECK(all.bits() == 64);
    CHECK(all.run.problem.lattice() == Extents{4, 4, 4, 8});
    CHECK(all.run.problem.reunitarize());
    CHECK(all.run.output.quiet());
    CHECK(parse_as<ConvertSpec>("convert gauge out --prec single").bits() == 32);
    const auto check = parse_as<CheckSpec>("check gauge none --json j.json");
    CHECK(check.files() == std::vector<std::string>{"gauge", "none"});
    CHECK(check.run.output.json() == "j.json");
    for (const char* bad :
         {"convert", "convert gauge", "convert gauge gauge", "convert gauge hard",
          "convert none out", "convert gauge no/out", "convert gauge folder",
          "convert random:3 out", "convert gauge out --format hdf", "convert gauge out more",
          "convert gauge out --json out", "convert gauge out --json gauge",
          "convert gauge out --precision half", "check", "check gauge --json gauge",
          "check gauge --json soft", "check gauge --verbose"}) {
        INFO(bad);
        CHECK_THROWS_AS(parse(words(bad)), Error);
    }
}

TEST_CASE("options from a file count as if they were typed")
{
    const InScratch scratch;
    test::write_text("run.toml", "# a run\r\nlattice = 4x4x4x8\r\nmass = -0.5  # light\n"
                                 "; mubar = 1\nmubar=-0.05\n\n"
                                 "gauge = weak:0.3,5\nsource = \"point:0,0,0,0,1,2\"\n"
                                 "save-gauge = 'a copy # not'\n  solver = 'cg'\n"
                                 "even-odd = off\niterations = 010\nquiet = true\n");
    CHECK_THROWS_WITH(parse(words("--config run.toml")), Catch::Contains("# within quotes"));
    test::write_text("run.toml", "# a run\r\nlattice = 4x4x4x8\r\nmass = -0.5  # light\n"
                                 "; mubar = 1\nmubar=-0.05\n\n"
                                 "gauge = weak:0.3,5\nsource = \"point:0,0,0,0,1,2\"\n"
                                 "save-gauge = 'a copy'\n  solver = 'cg'\n"
                                 "even-odd = off\niterations = 010\nquiet = true\n");
    const auto o = solve_of("--config run.toml");
    CHECK(o.problem.lattice() == Extents{4, 4, 4, 8});
    CHECK(mass_of(o.problem) == -0.5);
    CHECK(o.problem.mubar() == -0.05);
    CHECK(o.problem.gauge() == "weak:0.3,5");
    CHECK(o.problem.source() == "point:0,0,0,0,1,2");
    CHECK(o.output.save_gauge() == "a copy");
    CHECK(o.method.solver() == Method::cg);
    CHECK(o.method.even_odd() == false);
    CHECK(o.method.iterations() == 10);
    CHECK(o.output.quiet());

    // The command line wins, also over what excludes it.
    const auto typed =
        solve_of("solve --mubar 0 --config run.toml --kappa 0.1 --max-iterations 7 --even-odd on "
                 "--lattice 6x4x4x4");
    CHECK(kappa_of(typed.problem) == 0.1);
    CHECK(mass_of(typed.problem) == 1 / (2 * 0.1) - 4);
    CHECK(typed.problem.mubar() == 0);
    CHECK(typed.problem.lattice() == Extents{6, 4, 4, 4});
    CHECK_FALSE(typed.method.iterations());
    CHECK(typed.method.max_iterations() == 7);
    CHECK(typed.method.even_odd() == true);
    CHECK(typed.method.solver() == Method::cg);

    test::write_text("run.toml", "kappa = 0.12\nquiet = false\n");
    const auto kappa = solve_of("--lattice 4x4x4x4 --config run.toml");
    CHECK(kappa_of(kappa.problem) == 0.12);
    CHECK(mass_of(kappa.problem) == 1 / (2 * 0.12) - 4);
    CHECK_FALSE(kappa.output.quiet());
    CHECK(solve_of("--lattice 4x4x4x4 --quiet --config run.toml").output.quiet());

    test::write_text("run.toml", "lattice = 4x4x4x4, 8x8x8x8\nops = [\"dot\", 'xpay']\nquiet");
    const auto bench = parse_as<BenchSpec>("bench --config run.toml");
    CHECK(bench.lattices() == std::vector{Extents{4, 4, 4, 4}, Extents{8, 8, 8, 8}});
    CHECK(bench.ops() == std::vector<std::string>{"dot", "xpay"});
    CHECK(bench.run.output.quiet());
    test::write_text("run.toml", "json = \"out.json\"");
    CHECK(parse_as<InfoSpec>("info --config run.toml").run.output.json() == "out.json");
    test::write_text("run.toml", "");
    CHECK(parse_as<ApplySpec>("apply --gauge gauge --config run.toml").run.problem.gauge() ==
          "gauge");
}

TEST_CASE("a bad file of options: one line that names file and key")
{
    const InScratch scratch;
    const std::string l = "lattice = 4x4x4x4\n";
    const auto check = [](const std::string& line, const std::string& culprit) {
        CHECK_THAT(line, Catch::Contains("'run.toml'") && Catch::Contains(culprit));
        CHECK(line.find('\n') == std::string::npos);
    };
    check(refused(l + "latice = 4"), "'latice'");
    check(refused(l + "tol = 2"), "--tol: '2'");
    check(refused(l + "tol"), "--tol");
    check(refused(l + "tol ="), "--tol");
    check(refused(l + "tol = 1e-5\nmubar = 0\ntol = 1e-6"), "'tol'");
    check(refused(l + "quiet = maybe"), "quiet");
    check(refused(l + "mass = nan"), "--mass");
    check(refused(l + "cpus = -1"), "--cpus");
    check(refused(l + "solver = gmres"), "--solver");
    check(refused(l + "kappa = 0.1\nmass = 0"), "--kappa");
    check(refused(l + "json = my file"), "'json'");
    check(refused(l + "json = \"my file"), "quote");
    check(refused(l + "source = point:0, 0, 0, 0, 0, 0"), "'source'");
    check(refused(l + "[solve]\ntol = 1e-5"), "'solve'");
    check(refused(l + "solve.tol = 1e-5"), "'solve'");
    check(refused(l + "--tol = 1e-5"), "without dashes");
    check(refused(l + "config = other"), "'config'");
    check(refused(l + "help = true"), "'help'");
    check(refused(l + "x="), "'x='");
    check(refused(l + "trace = t", "apply"), "'trace'");
    check(refused("json = i.json\nquiet", "info"), "'quiet'");
    check(refused(std::string(2 << 20, '#')), "longer");
    check(refused(l + "json = run.toml"), "--config, --json");
    check(refused(l, "--save-gauge ./run.toml"), "--config, --save-gauge");
    check(refused(l, "--trace run.toml"), "run.toml");
    for (const char* line : {"--config", "--config ''", "--config missing", "--config folder",
                             "--config gauge --config gauge"})
        CHECK_THROWS_WITH(parse(words(line)), Catch::Contains("--config"));
    CHECK_THROWS_WITH(parse(words("--config missing")), Catch::Contains("'missing'"));
}

TEST_CASE("help and version are texts")
{
    for (const char* line :
         {"--help", "-h", "help", "solve --help", "apply --help", "info --help", "bench -h"}) {
        const std::string text = parse_as<Text>(line).text;
        CHECK_THAT(text, Catch::Contains("--json") && Catch::Contains("--config"));
        CHECK_THAT(text, Catch::Contains("Usage:"));
    }
    for (const char* option : {"--from", "--to", "--iterations", "--compare", "--svg", "--png"})
        CHECK_THAT(parse_as<Text>("trace --help").text, Catch::Contains(option));
    const std::string text = parse_as<Text>("--help").text;
    for (const std::string& option : words(
             "--lattice --gauge --kappa --mass --mubar --csw --boundary --theta --source --solver "
             "--even-odd --precision --tol --max-iterations --iterations --tiles "
             "--sched --cpus --cuda --opencl --repeat --plan --dry-run --split --trace --trace-fxt "
             "--quiet --version --engine --save-gauge --reunitarize --links "
             "--cores-per-worker --source-number --basis --phases --guess --guess-number "
             "--save-solution "
             "--solution-basis --solution-phases --checkpoint --checkpoint-every --resume --sloppy "
             "--sloppy-drop "
             "--rhs --restart --precondition --domain"))
        CHECK_THAT(text, Catch::Contains(option));
    CHECK_THAT(parse_as<Text>("--version").text,
               Catch::StartsWith("qcd_starpu ") && Catch::EndsWith("\n"));
    CHECK_THAT(parse_as<Text>("bench --version").text, Catch::StartsWith("qcd_starpu "));
}

TEST_CASE("simulate and calibrate have the options of a solve that are simulated")
{
    const InScratch in;
    const auto o = parse_as<SimulateSpec>(
        "simulate --machine gauge --lattice 4x4x4x8 --sched dmda --tiles 1x1x1x2 --cuda 2 "
        "--solver cg --iterations 7 --trace t");
    CHECK(o.machine() == "gauge");
    CHECK(o.run.method.iterations() == 7);
    CHECK(o.run.execution.cuda() == 2);
    CHECK(o.run.execution.sched() == "dmda");
    CHECK(o.run.method.solver() == Method::cg);
    CHECK(o.run.execution.plan()->kind == PlanKind::graph);
    CHECK(o.run.output.trace() == "t");
    const auto usual = parse_as<SimulateSpec>("simulate --machine this --lattice 4x4x4x8 "
                                              "--plan pinned");
    CHECK(usual.run.method.iterations() == 20);
    CHECK(usual.run.execution.plan()->kind == PlanKind::pinned);

    const auto c = parse_as<CalibrateSpec>("calibrate --lattice 4x4x4x8 --tiles "
                                           "1x1x1x2,1x1x2x2 --opencl 1 --out m.json");
    CHECK(c.tiles() == std::vector<Extents>{{1, 1, 1, 2}, {1, 1, 2, 2}});
    CHECK(c.run.execution.opencl() == 1);
    CHECK(c.rounds() == 3);
    CHECK(c.out() == "m.json");

    const auto many = parse_as<CompareSpec>("compare --lattice 4x4x4x8 --simulate this");
    CHECK(many.machine() == "this");
    CHECK(many.run.method.iterations() == 20);
}

TEST_CASE("the command trace")
{
    const InScratch scratch;
    const auto o = parse_as<TraceSpec>("trace folder/ --from 1.5 --to 2 --compare other// "
                                       "--svg a.svg --png b.png --json c.json --quiet");
    CHECK(o.folder() == "folder");
    CHECK(o.other() == "other");
    CHECK(o.from() == 1.5);
    CHECK(o.to() == 2);
    CHECK(o.svg() == "a.svg");
    CHECK(o.png() == "b.png");
    CHECK(o.run.output.json() == "c.json");
    CHECK_FALSE(o.iterations());
    CHECK(parse_as<TraceSpec>("trace --iterations 3:3 folder").iterations() == std::pair(3, 3));
}

TEST_CASE("bad command lines: one line that names the culprit, exit status 2")
{
    const InScratch scratch;
    struct Bad {
        const char *line, *names;
    };
    const Bad bad = GENERATE(values<Bad>({
        {"", "--lattice"},
        {"slove", "slove"},
        {"''", "command"},
        {"--latice 4x4x4x4", "--latice"},
        {"--lattice", "--lattice"},
        {"--lattice 4x4x4", "--lattice"},
        {"--lattice 4x4x4x4x4", "--lattice"},
        {"--lattice 4x4x4x5", "--lattice"},
        {"--lattice 0x4x4x4", "--lattice"},
        {"--lattice -4x4x4x4", "--lattice"},
        {"--lattice 4x4x4x99999999999", "--lattice"},
        {"--lattice 4x4x4x4 --lattice 4x4x4x4", "--lattice"},
        {"--lattice 4x4x4x4 extra", "extra"},
        {"--quiet apply --lattice 4x4x4x4", "apply"},
        {"--lattice 4x4x4x4 --links 10", "--links"},
        {"--lattice 4x4x4x4 --links all", "--links"},
        {"--lattice 4x4x4x4 --links 12 --engine openmp", "--links"},
        {"--lattice 4x4x4x4 --tol 0", "--tol"},
        {"--lattice 4x4x4x4 --tol 1", "--tol"},
        {"--lattice 4x4x4x4 --tol -1e-5", "--tol"},
        {"--lattice 4x4x4x4 --tol nan", "--tol"},
        {"--lattice 4x4x4x4 --tol 1e-5x", "--tol"},
        {"--lattice 4x4x4x4 --tol ''", "--tol"},
        {"--lattice 4x4x4x4 --kappa 0.1 --mass 0", "--kappa"},
        {"--lattice 4x4x4x4 --kappa 0", "--kappa"},
        {"--lattice 4x4x4x4 --kappa -0.1", "--kappa"},
        {"--lattice 4x4x4x4 --kappa inf", "--kappa"},
        {"--lattice 4x4x4x4 --kappa 1e-310", "--kappa"},
        {"--lattice 4x4x4x4 --mass -4", "--mass"},
        {"--lattice 4x4x4x4 --mass 1e400", "--mass"},
        {"--lattice 4x4x4x4 --mass 1e308", "--mass"},
        {"--lattice 4x4x4x4 --mubar nan", "--mubar"},
        {"--lattice 4x4x4x4 --csw nan", "--csw"},
        {"--lattice 4x4x4x4 --csw inf", "--csw"},
        {"--lattice 4x4x4x4 --csw -1e101", "--csw"},
        {"--lattice 4x4x4x4 --csw 1,2", "--csw"},
        {"--lattice 4x4x4x4 --csw 1 --engine sequential", "--csw: --engine sequential"},
        {"--lattice 4x4x4x4 --csw 1 --ladder 1.0", "--csw: version 1.0"},
        {"--lattice 4x4x4x4 --mubar -1e101", "--mubar"},
        {"--lattice 4x4x4x4 --solver bicgstab --even-odd off --source point:0,0,0,0,0,0",
         "--source"},
        {"--lattice 4x4x4x4 --boundary open", "--boundary"},
        {"--lattice 4x4x4x4 --theta 0.5", "--theta"},
        {"--lattice 4x4x4x4 --theta 0,0,0", "--theta"},
        {"--lattice 4x4x4x4 --theta 0,0,0,0,0", "--theta"},
        {"--lattice 4x4x4x4 --theta 0,0,0,inf", "--theta"},
        {"--lattice 4x4x4x4 --theta 0,0,0,half", "--theta"},
        {"--lattice 4x4x4x4 --theta 0,0,0,1 --links 12", "--links 18"},
        {"apply --lattice 4x4x4x4 --theta 0,0,0,1 --links 8", "--links 18"},
        {"--lattice 4x4x4x4 --solver gmres", "--solver"},
        {"--lattice 4x4x4x4 --even-odd maybe", "--even-odd"},
        {"--lattice 4x4x4x4 --precision half", "--precision"},
        {"--lattice 4x4x4x4 --engine cuda", "--engine"},
        {"--lattice 4x4x4x4 --max-iterations 0", "--max-iterations"},
        {"--lattice 4x4x4x4 --iterations 1.5", "--iterations"},
        {"--lattice 4x4x4x4 --iterations 10 --max-iterations 20", "--iterations"},
        {"--lattice 4x4x4x4 --iterations 10 --tol 1e-5", "--iterations"},
        {"--lattice 4x4x4x4 --iterations 99999999999999999999", "--iterations"},
        {"--lattice 4x4x4x4 --repeat 0", "--repeat"},
        {"--lattice 4x4x4x4 --plan batch:0", "--plan"},
        {"--lattice 4x4x4x4 --gpu-memory 2", "--gpu-memory"},
        {"--lattice 4x4x4x4 --gpu-memory 0G", "--gpu-memory"},
        {"--lattice 4x4x4x4 --gpu-memory 1k", "--gpu-memory"},
        {"--lattice 4x4x4x4 --gpu-memory 1T", "--gpu-memory"},
        {"--lattice 4x4x4x4 --gpu-memory M", "--gpu-memory"},
        {"--lattice 4x4x4x4 --plan batch:33", "--plan"},
        {"--lattice 4x4x4x4 --plan batch:", "--plan"},
        {"--lattice 4x4x4x4 --plan graph:2", "--plan"},
        {"--lattice 4x4x4x4 --plan fast", "--plan"},
        {"--lattice 4x4x4x4 --plan replay:", "--plan"},
        {"--lattice 4x4x4x4 --plan replay:missing.json", "--plan replay"},
        {"--lattice 4x4x4x4 --save-schedule s.json", "--save-schedule"},
        {"--lattice 4x4x4x4 --plan batch --save-schedule s.json", "--save-schedule"},
        {"--lattice 4x4x4x4 --dry-run --json out.json", "--json"},
        {"--lattice 4x4x4x4 --plan graph --engine openmp", "--plan"},
        {"--lattice 4x4x4x4 --cores-per-worker 0", "--cores-per-worker"},
        {"--lattice 4x4x4x4 --cores-per-worker all", "--cores-per-worker"},
        {"--lattice 4x4x4x4 --cores-per-worker 2 --engine openmp", "--cores-per-worker"},
        {"--lattice 4x4x4x4 --trace folder --json folder/profile.txt", "--trace"},
        {"--lattice 4x4x4x4 --trace new --json new", "--trace"},
        {"--gauge folder/profile.txt --trace folder", "--gauge, --trace"},
        {"--lattice 4x4x4x4 --trace folder --trace-fxt folder", "--trace, --trace-fxt"},
        {"--lattice 4x4x4x4 --trace way --trace-fxt folder", "--trace, --trace-fxt"},
        {"--lattice 4x4x4x4 --trace-fxt folder --json folder/dag.dot", "--trace-fxt"},
        {"--lattice 4x4x4x4 --engine openmp --trace-fxt new", "--trace-fxt"},
        {"--lattice 4x4x4x4 --engine openmp --report new", "--report"},
        {"--lattice 4x4x4x4 --engine sequential --report new", "--report"},
        {"--lattice 4x4x4x4 --report ''", "--report"},
        {"--lattice 4x4x4x4 --report folder", "--report"},
        {"--lattice 4x4x4x4 --report nowhere/page.html", "--report"},
        {"--lattice 4x4x4x4 --report link", "--report"},
        {"--lattice 4x4x4x4 --report new --json new", "--json, --report"},
        {"--lattice 4x4x4x4 --report new --save-gauge folder/../new", "--save-gauge, --report"},
        {"--gauge gauge --report soft", "--gauge, --report"},
        {"--lattice 4x4x4x4 --trace way --report folder/profile.csv", "--report, --trace"},
        {"--lattice 4x4x4x4 --trace-fxt folder --report folder/dag.dot", "--report, --trace-fxt"},
        {"--lattice 4x4x4x4 --dry-run --report new", "--report"},
        {"apply --lattice 4x4x4x4 --report new", "--report"},
        {"bench --report new", "--report"},
        {"info --report new", "--report"},
        {"--lattice 4x4x4x4 --dry-run --trace-fxt new", "--trace-fxt"},
        {"trace", "DIR"},
        {"trace folder --iterations 3", "--iterations"},
        {"trace folder --iterations 3:2", "--iterations"},
        {"trace folder --iterations -1:2", "--iterations"},
        {"trace folder --iterations 1:2:3", "--iterations"},
        {"trace folder --iterations 1:2 --from 3", "--iterations"},
        {"trace folder --from 3 --to 3", "--from, --to"},
        {"trace folder --from nan", "--from"},
        {"trace folder --compare ''", "--compare"},
        {"trace folder --svg nowhere/picture.svg", "--svg"},
        {"trace folder --svg a.svg --png a.svg", "--svg, --png"},
        {"trace folder --svg folder/tasks.csv", "--svg"},
        {"trace folder --svg a.svg --graph a.svg", "--svg, --graph"},
        {"trace folder another", "another"},
        {"trace folder --verbose", "--verbose"},
        {"--lattice 4x4x4x4 --split 1.5", "--split"},
        {"--lattice 4x4x4x4 --split half", "--split"},
        {"--lattice 4x4x4x4 --split auto --tiles 1x1x1x2", "--split"},
        {"--lattice 4x4x4x4 --split auto --sched lws", "--split"},
        {"--lattice 4x4x4x4 --split auto --engine openmp", "--split"},
        {"--lattice 4x4x4x4 --tiles 2x2x2", "--tiles"},
        {"--lattice 4x4x4x4 --tiles 0x1x1x1", "--tiles"},
        {"--lattice 4x4x4x4 --tiles some", "--tiles"},
        {"--lattice 4x4x4x4 --sched ''", "--sched"},
        {"bench --ops ''", "--ops"},
        {"bench --sched ''", "--sched"},
        {"bench --sched lws,eager", "--sched: several"},
        {"bench --seed 3", "--seed"},
        {"bench --out new", "--out"},
        {"bench --grain --sched lws,lws", "--sched"},
        {"bench --grain --tiles 1x1x1x2", "--tiles"},
        {"bench --grain --rhs 2", "--rhs"},
        {"bench --grain --links 12", "--links"},
        {"bench --grain --lattice 4x4x4x4,8x8x8x8", "--lattice"},
        {"bench --grain --precision both", "--precision"},
        {"bench --grain --precision half", "--precision"},
        {"bench --grain --ops heat --lattice 4x4x4x4", "--lattice: heat"},
        {"bench --grain --ops heat --precision single", "--precision: heat"},
        {"bench --grain --out gauge", "--out"},
        {"--lattice 4x4x4x4 --cpus -1", "--cpus"},
        {"--lattice 4x4x4x4 --cpus two", "--cpus"},
        {"--lattice 4x4x4x4 --opencl 5000", "--opencl"},
        {"--lattice 4x4x4x4 --cpus 0 --cuda 0 --opencl 0", "--cpus 0"},
        {"--lattice 4x4x4x4 --engine openmp --sched lws", "--sched"},
        {"--lattice 4x4x4x4 --engine openmp --cpus 0", "--cpus"},
        {"--lattice 4x4x4x4 --engine sequential --cpus 2", "--cpus"},
        {"--lattice 4x4x4x4 --engine sequential --trace new", "--trace"},
        {"--gauge missing", "missing"},
        {"--gauge folder", "folder"},
        {"--gauge weal:0.2 --lattice 4x4x4x4", "weal:0.2"},
        {"--gauge weak:0.2", "--lattice"},
        {"--gauge weak:0.2 --lattice 4x4x4x4 --reunitarize", "--reunitarize"},
        {"--gauge weak:0.2 --lattice 4x4x4x4 --gauge-number 0", "--gauge-number"},
        {"--lattice 4x4x4x4 --ignore-checksum", "--ignore-checksum"},
        {"convert unit out.lime --lattice 4x4x4x4 --gauge-number 0", "--gauge-number"},
        {"convert unit out.lime --lattice 4x4x4x4 --ignore-checksum", "--ignore-checksum"},
        {"apply --lattice 4x4x4x4 --reunitarize", "--reunitarize"},
        {"--lattice 4x4x4x4 --source ''", "--source"},
        {"--lattice 4x4x4x4 --json folder", "--json"},
        {"--lattice 4x4x4x4 --json nowhere/out.json", "--json"},
        {"--lattice 4x4x4x4 --save-gauge /dev/null", "--save-gauge"},
        {"--lattice 4x4x4x4 --save-gauge -", "--save-gauge"},
        {"--lattice 4x4x4x4 --save-gauge /dev/stdout", "--save-gauge"},
        {"--lattice 4x4x4x4 --json /dev/fd/999", "--json"},
        {"--lattice 4x4x4x4 --json link", "--json"},
        {"--lattice 4x4x4x4 --json ''", "--json"},
        {"--lattice 4x4x4x4 --save-gauge nowhere/copy", "--save-gauge"},
        {"--gauge gauge --json gauge", "--gauge, --json"},
        {"--gauge gauge --save-gauge ./gauge", "--gauge, --save-gauge"},
        {"--lattice 4x4x4x4 --save-gauge copy --json folder/../copy", "--save-gauge, --json"},
        {"apply --gauge gauge --json folder/../gauge", "--gauge, --json"},
        {"--gauge gauge --json soft", "--gauge, --json: 'gauge' would be replaced ('soft'"},
        {"--gauge gauge --json hard", "--gauge, --json"},
        {"--gauge soft --save-gauge hard", "--gauge, --save-gauge"},
        {"--gauge gauge --json way/../gauge", "--gauge, --json"},
        {"--lattice 4x4x4x4 --save-gauge way/new --json folder/new", "--save-gauge, --json"},
        {"--lattice 4x4x4x4 --save-gauge new.json --json to-new", "--save-gauge, --json"},
        {"--lattice 4x4x4x4 --trace way --json folder/profile.csv", "--json, --trace"},
        {"--gauge gauge --trace way", "--gauge, --trace"},
        {"apply --lattice 4x4x4x4 --save-gauge hard --json soft", "--save-gauge, --json"},
        {"--lattice 4x4x4x4 --save-solution x --checkpoint ./x", "--save-solution, --checkpoint"},
        {"propagator --lattice 4x4x4x4 --save way/pion.dat --plot folder", "--plot, --save"},
        {"--lattice 4x4x4x4 --recon 10", "--recon: '10'"},
        {"--lattice 4x4x4x4 --prec half", "--prec: 'half'"},
        {"--lattice 4x4x4x4 --niter 0", "--niter: '0'"},
        {"--lattice 4x4x4x4 --niter=10 --tol 1e-5", "--niter"},
        {"--lattice 4x4x4x4 --links 12 --recon 12", "--links, --recon"},
        {"--lattice 4x4x4x4 --load-gauge=unit --gauge unit", "--gauge, --load-gauge"},
        {"bench --precision both --prec both", "--precision, --prec"},
        {"--lattice 4x4x4.4", "--lattice"},
        {"--lattice 4.4.4.4.", "--lattice"},
        {"--lattice 4.4..4", "--lattice"},
        {"--lattice 4,4,4,4", "--lattice"},
        {"--lattice 4x4x4x4 --tiles 1.1.1", "--tiles"},
        {"apply --lattice 4x4x4x4 --engine openmp", "--engine"},
        {"--lattice 4x4x4x4 --trace gauge", "--trace"},
        {"--lattice 4x4x4x4 --trace gauge/a/b", "gauge' is not a folder"},
        {"--lattice 4x4x4x4 --trace link", "--trace"},
        {"--lattice 4x4x4x4 --trace link/a", "--trace"},
        {"apply --lattice 4x4x4x4 --trace new", "--trace"},
        {"apply --lattice 4x4x4x4 --repeat 2", "--repeat"},
        {"info --lattice 4x4x4x4", "--lattice"},
        {"bench --lattice 8x8x8x16,3x3x3x3", "--lattice"},
        {"--lattice 4x4x4x4 --checkpoint ''", "--checkpoint"},
        {"--lattice 4x4x4x4 --checkpoint folder", "--checkpoint"},
        {"--lattice 4x4x4x4 --checkpoint /dev/full", "--checkpoint"},
        {"--lattice 4x4x4x4 --checkpoint nowhere/c", "--checkpoint"},
        {"--lattice 4x4x4x4 --checkpoint c --checkpoint-every 0", "--checkpoint-every"},
        {"--lattice 4x4x4x4 --checkpoint c --checkpoint-every -1", "--checkpoint-every"},
        {"--lattice 4x4x4x4 --checkpoint c --checkpoint-every 0s", "--checkpoint-every"},
        {"--lattice 4x4x4x4 --checkpoint c --checkpoint-every 10m", "--checkpoint-every"},
        {"--lattice 4x4x4x4 --checkpoint c --checkpoint-every min", "--checkpoint-every"},
        {"--lattice 4x4x4x4 --checkpoint c --checkpoint-every 1.5h", "--checkpoint-every"},
        {"--lattice 4x4x4x4 --checkpoint c --checkpoint-every ''", "--checkpoint-every"},
        {"--lattice 4x4x4x4 --checkpoint c --checkpoint-every 99999999h", "--checkpoint-every"},
        {"--lattice 4x4x4x4 --checkpoint-every 5", "without --checkpoint"},
        {"--lattice 4x4x4x4 --checkpoint c --repeat 2", "--repeat"},
        {"--lattice 4x4x4x4 --checkpoint c --engine openmp", "--checkpoint"},
        {"--lattice 4x4x4x4 --checkpoint c --ladder 1.0", "--checkpoint"},
        {"--lattice 4x4x4x4 --checkpoint c --sloppy single", "--checkpoint"},
        {"--lattice 4x4x4x4 --resume gauge --sloppy single", "--resume"},
        {"--lattice 4x4x4x4 --checkpoint c --dry-run", "--checkpoint"},
        {"--lattice 4x4x4x4 --checkpoint c --json c", "--checkpoint"},
        {"--lattice 4x4x4x4 --checkpoint c --save-solution c", "--checkpoint"},
        {"--gauge gauge --checkpoint hard", "--checkpoint"},
        {"--lattice 4x4x4x4 --source gauge --checkpoint soft", "--checkpoint"},
        {"--lattice 4x4x4x4 --resume ''", "--resume"},
        {"--lattice 4x4x4x4 --resume none", "--resume"},
        {"--lattice 4x4x4x4 --resume folder", "--resume"},
        {"--lattice 4x4x4x4 --resume gauge --json soft", "--resume"},
        {"--lattice 4x4x4x4 --resume gauge --guess gauge", "--resume"},
        {"--lattice 4x4x4x4 --resume gauge --repeat 2", "--resume"},
        {"--lattice 4x4x4x4 --resume gauge --engine sequential", "--resume"},
        {"--lattice 4x4x4x4 --resume gauge --ladder 1.0", "--resume"},
        {"apply --lattice 4x4x4x4 --resume gauge", "--resume"},
        {"simulate --lattice 4x4x4x4", "--machine"},
        {"simulate --machine none --lattice 4x4x4x4", "--machine"},
        {"simulate --machine gauge", "--lattice"},
        {"simulate --machine gauge --lattice 4x4x4x4 --plan batch", "--plan batch"},
        {"simulate --machine gauge --lattice 4x4x4x4 --plan linked", "--plan linked"},
        {"simulate --machine gauge --lattice 4x4x4x4 --tol 1e-5", "--tol"},
        {"simulate --machine gauge --lattice 4x4x4x4 --sloppy single", "--sloppy"},
        {"simulate --machine gauge --lattice 4x4x4x4 --iterations 0", "--iterations"},
        {"simulate --machine gauge --lattice 4x4x4x4 --cores-per-worker 2", "--cores-per-worker"},
        {"simulate --machine gauge --lattice 4x4x4x4 --json hard", "--json"},
        {"simulate --machine gauge --lattice 4x4x4x4 --trace gauge", "--trace"},
        {"calibrate", "--lattice"},
        {"calibrate --lattice 4x4x4x4 --tiles 1x1x1", "--tiles"},
        {"calibrate --lattice 4x4x4x4 --tiles 1x1x1x2,", "--tiles"},
        {"calibrate --lattice 4x4x4x4 --repeat 0", "--repeat"},
        {"calibrate --lattice 4x4x4x4 --out folder", "--out"},
        {"calibrate --lattice 4x4x4x4 --out o --json o", "--json"},
        {"calibrate --lattice 4x4x4x4 --sched lws", "--sched"},
        {"calibrate --lattice 4x4x4x4 --solver gcr --precondition mg", "--precondition"},
        {"compare --lattice 4x4x4x4 --simulate none", "--simulate"},
        {"compare --lattice 4x4x4x4 --simulate gauge --repeat 3", "--repeat"},
        {"compare --lattice 4x4x4x4 --simulate gauge --out c", "--out"},
        {"compare --lattice 4x4x4x4 --simulate gauge --split auto", "--split"},
        {"compare --lattice 4x4x4x4 --simulate gauge --ladder 1.0", "--ladder"},
        {"compare --lattice 4x4x4x4 --simulate gauge --tol 1e-5", "--tol"},
        {"bench --precision quarter", "--precision"},
        {"bench --precision half --links 8", "--precision half"},
        {"bench --precision half --links all", "--precision half"},
    }));
    INFO(bad.line);
    try {
        parse(words(bad.line));
        FAIL("accepted");
    } catch (const Error& e) {
        CHECK(e.exit_status() == exit_bad_input);
        const std::string line = e.what();
        CHECK_THAT(line, Catch::Contains(bad.names));
        CHECK(line.find('\n') == std::string::npos);
    }
}

TEST_CASE("who types nothing is told where to begin")
{
    CHECK_THROWS_WITH(parse({}), Catch::Contains("qcd_starpu --help"));
}
