// Fields of a run: each is parsed, printed, and is of the key exactly if it decides on the result.

#include "base/error.hpp"
#include "drivers/checkpoint/state_file.hpp"
#include "drivers/spec/commands.hpp"
#include "drivers/spec/rules.hpp"
#include "drivers/spec/run_fields.hpp"
#include "tests/scratch.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <random>

using namespace qcd;

namespace
{

using Texts = std::vector<std::string>;

/// Values that each option takes and that are not its default.
const std::map<std::string, Texts>& values()
{
    static const std::map<std::string, Texts> all{
        {"--lattice", {"4x4x4x8", "6x2x4x4"}},
        {"--gauge", {"unit", "random:3", "a file", "it's"}},
        {"--reunitarize", {"true"}},
        {"--gauge-number", {"0", "2"}},
        {"--ignore-checksum", {"true"}},
        {"--mass", {"-0.5", "0.1"}},
        {"--kappa", {"0.12", "0.12987012987012986"}},
        {"--mubar", {"0.01", "-1e-300"}},
        {"--csw", {"1", "1.7692307692307692"}},
        {"--boundary", {"periodic"}},
        {"--theta", {"0,0.5,0,1", "0.1,0,0,0"}},
        {"--source", {"det:4", "point:0,1,2,3"}},
        {"--source-number", {"0", "7"}},
        {"--basis", {"dirac", "degrand-rossi"}},
        {"--phases", {"spread", "boundary"}},
        {"--guess", {"x.lime"}},
        {"--guess-number", {"0", "11"}},
        {"--resume", {"state"}},
        {"--solver", {"cg", "cr", "gcr"}},
        {"--even-odd", {"on", "off"}},
        {"--ladder", {"1.2", "original"}},
        {"--multiple", {"8", "64"}},
        {"--precision", {"single"}},
        {"--links", {"18", "12", "8"}},
        {"--rhs", {"1", "12"}},
        {"--sloppy", {"single", "half"}},
        {"--sloppy-drop", {"0.01", "0.25"}},
        {"--restart", {"1", "8"}},
        {"--precondition", {"mr:4", "schwarz:6", "mg:8"}},
        {"--domain", {"4x4x4x4"}},
        {"--mg-blocks", {"4x4x4x4", "6x4x4x4,3x1x2x2"}},
        {"--mg-vectors", {"6", "48"}},
        {"--mg-first", {"1", "12"}},
        {"--mg-setup", {"0", "5"}},
        {"--mg-cycle", {"1", "8"}},
        {"--mg-coarse", {"16", "1000"}},
        {"--mg-tol", {"0.25", "1e-05"}},
        {"--mg-load", {"vectors.lime"}},
        {"--tol", {"1e-10", "0.001"}},
        {"--max-iterations", {"10", "10000"}},
        {"--iterations", {"5"}},
        {"--repeat", {"2"}},
        {"--engine", {"openmp", "sequential"}},
        {"--plan",
         {"graph", "batch:8", "batch", "pinned", "linked:4", "replay", "replay:schedule.json"}},
        {"--split", {"auto", "0.75", "0"}},
        {"--tiles", {"1x1x1x2"}},
        {"--sched", {"lws", "dmdas"}},
        {"--sched-lib", {"newest.so"}},
        {"--cpus", {"0", "3"}},
        {"--cores-per-worker", {"1", "4"}},
        {"--cuda", {"0", "2"}},
        {"--opencl", {"0", "1"}},
        {"--gpu-memory", {"512M", "2048M"}},
        {"--checkpoint", {"state"}},
        {"--checkpoint-every", {"10", "30s", "600s"}},
        {"--json", {"-", "out.json"}},
        {"--quiet", {"true"}},
        {"--verbose", {"true"}},
        {"--trace", {"folder"}},
        {"--trace-fxt", {"folder"}},
        {"--report", {"page.html"}},
        {"--save-gauge", {"copy"}},
        {"--save-schedule", {"schedule.json"}},
        {"--save-solution", {"x.h5"}},
        {"--mg-save", {"vectors.h5"}},
        {"--solution-basis", {"chiral", "degrand-rossi"}},
        {"--solution-phases", {"spread"}},
        {"--dry-run", {"true"}},
    };
    return all;
}

RunSpec read(const Texts& words)
{
    Texts names;
    for (const Field<RunSpec>& f : run_fields()) names.push_back(f.name());
    return parse_run(words, names);
}
Texts written(const RunSpec& s)
{
    return typed_words(s, [](const FieldFacts&) { return true; });
}

/// Each option with one chance in three, but for what another one excludes.
RunSpec random_spec(std::mt19937& random)
{
    RunSpec s;
    std::set<std::string> taken;
    for (const Field<RunSpec>& f : run_fields()) {
        const Texts& texts = values().at(f.name());
        if (random() % 3 != 0) continue;
        bool excluded = false;
        for (const Field<RunSpec>& other : run_fields())
            for (const std::string& name : other.excludes)
                excluded = excluded || (name == f.name() && taken.contains(other.name())) ||
                           (other.name() == f.name() && taken.contains(name));
        if (excluded) continue;
        f.parse(s, texts[random() % texts.size()]);
        taken.insert(f.name());
    }
    return s;
}

/// Those parts that decide on the result.
bool have_one_identity(const RunSpec& a, const RunSpec& b)
{
    MethodSpec method = a.method;
    method.max_iterations = b.method.max_iterations();
    return a.problem == b.problem && method == b.method;
}

} // namespace

TEST_CASE("every option of a run has values that are tested")
{
    for (const Field<RunSpec>& f : run_fields()) {
        INFO(f.name());
        REQUIRE(values().contains(f.name()));
        CHECK_FALSE(f.help.empty());
        CHECK_FALSE(f.group.empty());
    }
    CHECK(values().size() == run_fields().size());
}

TEST_CASE("an option sets its field and no other, and is printed so that it is read again")
{
    const RunSpec usual;
    for (const Field<RunSpec>& f : run_fields())
        for (const std::string& text : values().at(f.name())) {
            INFO(f.name() << " " << text);
            RunSpec s;
            f.parse(s, text);
            CHECK_FALSE(s == usual);
            CHECK(f.print(s) == text);
            for (const Field<RunSpec>& other : run_fields())
                CHECK(other.is_default(s) == (other.name() != f.name()));
            CHECK(read(written(s)) == s);
            CHECK((identity_of(s) == identity_of(usual)) == (f.role != Role::identity));
            if (!f.flag) CHECK(with({}, f.name().substr(2), text) == s);
        }
}

TEST_CASE("what is typed of random runs is read as the same run; keys are equal if the identity is")
{
    std::mt19937 random(20261128);
    std::vector<RunSpec> all(1);
    for (int i = 0; i < 200; ++i) all.push_back(random_spec(random));
    for (const RunSpec& s : all) {
        INFO(typed(s, {Role::identity, Role::execution, Role::output}));
        CHECK(read(written(s)) == s);
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        RunSpec other = all[i]; // executed otherwise
        other.execution = all[(i + 1) % all.size()].execution;
        other.output = all[(i + 2) % all.size()].output;
        CHECK(identity_of(other) == identity_of(all[i]));
        for (std::size_t j = 0; j < i; ++j)
            if ((identity_of(all[i]) == identity_of(all[j])) != have_one_identity(all[i], all[j]))
                FAIL("keys of runs " << i << " and " << j);
    }
}

TEST_CASE("what is typed is quoted as a shell needs it")
{
    RunSpec s = with({}, "gauge", "it's a file");
    CHECK(typed(s, {Role::identity}) ==
          "--gauge 'it'\\''s a file' --source random:1 --precision double");
    s.output.quiet = true;
    CHECK(typed(s, {Role::output}) == "--quiet");
}

TEST_CASE("a method that the problem admits is chosen where none is typed")
{
    const auto chosen = [](const char* mubar, const char* even_odd) {
        RunSpec s = with(with({}, "mubar", mubar), "even-odd", even_odd);
        std::string note;
        s = completed(s, &note);
        CHECK(note.empty() == (s.method.solver() == Method::cr));
        require_possible(with(s, "lattice", "4x4x4x4"), {});
        return *s.method.solver();
    };
    CHECK(chosen("0", "on") == Method::cr);
    CHECK(chosen("0.01", "off") == Method::cr);
    CHECK(chosen("0.01", "on") == Method::bicgstab);
    const RunSpec typed_cr =
        with(with(with({}, "mubar", "0.01"), "solver", "cr"), "lattice", "4x4x4x4");
    CHECK_THROWS_WITH(require_possible(typed_cr, {}), Catch::StartsWith("--mubar: solver cr"));
}

TEST_CASE("a command refuses the options of others")
{
    for (const char* command : {"solve", "apply", "propagator", "bench", "compare", "ladder",
                                "simulate", "calibrate", "trace", "info", "convert", "check"}) {
        const Texts declared = options_of(command);
        for (const Field<RunSpec>& f : run_fields()) {
            if (std::find(declared.begin(), declared.end(), f.name()) != declared.end()) continue;
            INFO(command << " " << f.name());
            Texts line{command, f.name()};
            if (!f.flag) line.push_back(values().at(f.name()).front());
            CHECK_THROWS_WITH(parse(line),
                              Catch::Contains("has no option or argument '" + f.name() + "'"));
        }
    }
}

namespace
{

using Set = std::set<std::string>;

/// The options that a comment of the library's header names, from one text to the next end of a
/// comment.
Set options_in_header(const std::string& beginning)
{
    const std::string header = test::read_text(std::string(QCD_ROOT) + "/api/qcd_starpu.h");
    const std::size_t begin = header.find(beginning);
    REQUIRE(begin != header.npos);
    Set names;
    for (std::size_t at = begin; (at = header.find("--", at)) < header.find("*/", begin);) {
        const std::size_t end = header.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", at);
        names.insert(header.substr(at, end - at));
        at = end;
    }
    return names;
}
Set options_with(bool FieldFacts::*mark)
{
    Set names;
    for (const Field<RunSpec>& f : run_fields())
        if (f.*mark) names.insert(f.name());
    return names;
}

} // namespace

TEST_CASE("the library's header lists the options that it reads")
{
    CHECK(options_in_header("Options of the program, as typed there") ==
          options_with(&FieldFacts::of_problem));
    CHECK(options_in_header("Options as above:") == options_with(&FieldFacts::of_session));
}

namespace
{

/// Why a checkpoint does not say an option that decides on the result.
struct Elsewhere {
    const char* reason;
    Texts refused_with{}; ///< not empty: no checkpoint is written with the option and these
};

const std::map<std::string, Elsewhere>& not_of_checkpoints()
{
    static const std::map<std::string, Elsewhere> all{
        {"--gauge", {"the digest of the links stands for it"}},
        {"--reunitarize", {"the digest of the links stands for it"}},
        {"--gauge-number", {"the digest of the links stands for it"}},
        {"--source", {"the digest of the source stands for it"}},
        {"--source-number", {"the digest of the source stands for it"}},
        {"--basis", {"the digest of the source stands for it"}},
        {"--phases", {"the digest of the source stands for it"}},
        {"--guess", {"a checkpoint has its own x"}},
        {"--guess-number", {"a checkpoint has its own x"}},
        {"--ladder", {"refused", {"--ladder", "1.2"}}},
        {"--multiple", {"refused", {"--ladder", "1.2"}}},
        {"--sloppy", {"refused", {"--sloppy", "single"}}},
        {"--sloppy-drop", {"refused", {"--sloppy", "single"}}},
        {"--restart", {"refused", {"--solver", "gcr"}}},
        {"--precondition", {"refused", {"--solver", "gcr", "--domain", "4x4x4x4"}}},
        {"--domain", {"refused", {"--solver", "gcr", "--precondition", "mr"}}},
        {"--mg-blocks", {"refused", {"--solver", "gcr", "--precondition", "mg"}}},
        {"--mg-vectors", {"refused", {"--solver", "gcr", "--precondition", "mg"}}},
        {"--mg-first", {"refused", {"--solver", "gcr", "--precondition", "mg"}}},
        {"--mg-setup", {"refused", {"--solver", "gcr", "--precondition", "mg"}}},
        {"--mg-cycle", {"refused", {"--solver", "gcr", "--precondition", "mg"}}},
        {"--mg-coarse", {"refused", {"--solver", "gcr", "--precondition", "mg"}}},
        {"--mg-tol", {"refused", {"--solver", "gcr", "--precondition", "mg"}}},
        {"--mg-load", {"refused", {"--solver", "gcr", "--precondition", "mg"}}},
    };
    return all;
}

CheckpointProblem checkpoint_of(RunSpec s)
{
    s = completed(std::move(s));
    if (!s.method.links()) s.method.links = LinkStorage::full;
    std::vector<std::unique_ptr<SpinorSource>> sources;
    for (int i = 0; i < s.execution.rhs(); ++i) sources.push_back(std::make_unique<ZeroSource>());
    return checkpoint_problem(s, *s.problem.lattice(), sources);
}

bool changes_checkpoint(const Field<RunSpec>& f)
{
    const RunSpec usual = with({}, "lattice", "2x2x2x4");
    const Texts& texts = values().at(f.name());
    return std::any_of(texts.begin(), texts.end(), [&](const std::string& text) {
        RunSpec s = usual;
        f.parse(s, text);
        return !difference(checkpoint_of(s), checkpoint_of(usual), true).empty();
    });
}

} // namespace

TEST_CASE("what decides on the result is of a checkpoint's problem, or stands elsewhere")
{
    for (const Field<RunSpec>& f : run_fields()) {
        INFO(f.name());
        const auto other = not_of_checkpoints().find(f.name());
        if (f.role != Role::identity) {
            CHECK(other == not_of_checkpoints().end());
            continue;
        }
        if (other == not_of_checkpoints().end()) {
            CHECK(changes_checkpoint(f));
            continue;
        }
        Texts words = other->second.refused_with;
        if (words.empty()) continue;
        words.insert(words.end(), {"--lattice", "8x8x8x8", "--checkpoint", "c"});
        if (std::find(words.begin(), words.end(), f.name()) == words.end())
            words.insert(words.end(), {f.name(), values().at(f.name()).front()});
        CHECK_THROWS_WITH(require_possible(read(words), {}), Catch::StartsWith("--checkpoint: "));
    }
}
