#include "drivers/propagator/kept_solutions.hpp"

#include "base/own_folder.hpp"
#include "base/text.hpp"
#include "drivers/propagator/propagator_report.hpp"
#include "drivers/run/verification.hpp"
#include "drivers/spec/commands.hpp"
#include "drivers/spec/dirac_problem.hpp"
#include "lattice/files/spinor_file.hpp"
#include "lattice/files/spinor_writer.hpp"
#include "program/complain.hpp"
#include "program/json_file.hpp"
#include "program/stopwatch.hpp"
#include "runtime/ranks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <fstream>

namespace qcd
{

namespace
{

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

/// All that decides on the bits of x, and nothing else: no plan, tiling, scheduler or worker does.
/// Numbers have all their digits, so that what differs in a bit differs. The field is known by its
/// digest, whatever its file is called.
Json describe_problem(const PropagatorSpec& p, const Extents& lattice, std::uint64_t links_digest)
{
    RunSpec s = p.run;
    s.problem.lattice = lattice;
    s.problem.kappa = kappa_of(p.run.problem);
    s.problem.mass = std::optional<double>();
    Json problem{{"program", version_line()},
                 {"links_digest", fmt::format("{:016x}", links_digest)}};
    for (const auto& [key, value] : identity_of(s))
        if (key != "gauge" && key != "reunitarize") problem[key] = value;
    problem["source"] = source_text(p);
    return problem;
}

/// In a line why what was kept of one problem is not of another; "": it is.
std::string difference(const Json& kept, const Json& wanted)
{
    std::vector<std::string> differing;
    for (const auto& [key, value] : wanted.items()) {
        if (!kept.contains(key)) return fmt::format("it does not say its {}", key);
        if (kept.at(key) != value)
            differing.push_back(fmt::format("{} {} there, {} here", key,
                                            one_line(kept.at(key).get<std::string>()),
                                            value.get<std::string>()));
    }
    for (const auto& [key, value] : kept.items())
        if (!wanted.contains(key)) return fmt::format("it has a {}, which is not known here", key);
    return differing.empty()
               ? ""
               : fmt::format("it is of another problem: {}", fmt::join(differing, "; "));
}

std::string folder_of(const PropagatorSpec& p) { return p.save() + ".parts"; }

std::string mark_of(const std::string& folder) { return folder + "/propagator.json"; }

std::string file_of(const std::string& folder, int number, const char* ending)
{
    return fmt::format("{}/{:02}.{}", folder, number, ending);
}

/// Is it a file of this program's solutions, whichever they are?
bool names_a_problem(const std::string& file)
{
    std::error_code none;
    if (!fs::is_regular_file(file, none)) return false;
    std::ifstream in(file);
    const Json j = Json::parse(in, nullptr, false);
    return j.is_object() && j.contains("problem");
}

} // namespace

void KeptSolutions::require_own_folder(const PropagatorSpec& p)
{
    const std::string folder = folder_of(p);
    bool own = names_a_problem(mark_of(folder));
    for (int number = 0; number < propagator_sources && !own; ++number)
        own = names_a_problem(file_of(folder, number, "json"));
    if (!own) require_free_folder("--resume", folder, "solutions of a propagator");
}

KeptSolutions::KeptSolutions(const PropagatorSpec& p, const Extents& lattice,
                             std::uint64_t links_digest, Ranks& ranks)
    : ranks_(ranks), folder_(folder_of(p)), lattice_(lattice),
      bits_(p.run.method.precision() == Precision::f64 ? 64 : 32),
      max_iterations_(p.run.method.max_iterations().value()), output_(p.run.output),
      problem_(describe_problem(p, lattice, links_digest))
{
}

std::string KeptSolutions::file(int number, const char* ending) const
{
    return file_of(folder_, number, ending);
}

KeptSolutions::Kept KeptSolutions::read(int number) const
{
    std::ifstream in(file(number, "json"));
    const Json j = Json::parse(in);
    if (const std::string what = difference(j.at("problem"), problem_); !what.empty())
        throw Error(what);
    if (j.at("iterations").get<int>() > max_iterations_)
        throw Error("it took more iterations than --max-iterations");
    j.at("iterated").get<double>(), j.at("seconds").get<double>(), j.at("digest");
    const SpinorFile x = open_spinor_file(file(number, "lime"), lattice_);
    x.verify();
    return {j, x.spinor(0)};
}

void KeptSolutions::put(int number, SolveCase& run, int rhs) const
{
    run.set_x(*read(number).x, rhs);
}

void KeptSolutions::use(const Kept& kept, RunReport& r, SolveCase& run, int rhs) const
{
    const nlohmann::json& j = kept.about;
    Stopwatch clock;
    run.set_x(*kept.x, rhs);
    r.iterations = j.at("iterations");
    r.residual.iterated = j.at("iterated");
    r.converged = true;
    r.add_time(j.at("seconds"));
    run.fill_solution(r, rhs);
    r.seconds.verify = clock.lap();
    verify(r);
    if (r.solution.digest != j.at("digest").get<std::string>() ||
        r.verification != Verification::passed)
        throw Error("it does not solve this problem: |b - D x|/|b| = {:.3e}",
                    r.residual.recomputed);
}

bool KeptSolutions::take(int number, RunReport& report, SolveCase& run, int rhs) const
{
    if (!ranks_.from_rank(0, fs::exists(file(number, "json")))) return false;
    const auto without = [&](const std::string& why) { // what is wrong with files costs a solve
        note(fmt::format("{} is not used: {}", file(number, "json"), why), output_.quiet());
        return false;
    };
    Kept kept;
    std::string why;
    try {
        kept = read(number);
    } catch (const std::exception& e) {
        why = failure_of(e).line;
    }
    if (ranks_.any(!why.empty())) return without(why.empty() ? "another rank cannot read it" : why);
    RunReport r = report;
    try {
        use(kept, r, run, rhs);
    } catch (const Error& e) {
        return without(e.what());
    }
    report = std::move(r);
    return true;
}

void KeptSolutions::make_folder() const
{
    const NewFolders folder("--resume", folder_);
    if (!names_a_problem(mark_of(folder_))) write_json(mark_of(folder_), {{"problem", problem_}});
}

void KeptSolutions::keep(int number, const RunReport& r, SolveCase& run, int rhs) const
{
    std::unique_ptr<SpinorWriter> writer;
    std::string why_not;
    try {
        if (ranks_.speaks()) {
            make_folder();
            writer = make_spinor_writer(file(number, "lime"),
                                        {.lattice = lattice_,
                                         .bits = bits_,
                                         .info = fmt::format("number {} of a propagator", number)});
        }
    } catch (const Error& e) {
        why_not = e.what();
    }
    if (ranks_.from_rank(0, !why_not.empty())) {
        if (ranks_.speaks()) throw Error(why_not);
        return;
    }
    run.visit_x([&](const Coord&, const double* x) { writer->add_site(x); }, rhs);
    if (!writer) return;
    writer->finish();
    write_json(file(number, "json"), {{"problem", problem_},
                                      {"iterations", r.iterations},
                                      {"iterated", r.residual.iterated},
                                      {"seconds", r.repeats.back()},
                                      {"digest", r.solution.digest}});
}

void KeptSolutions::remove() const
{
    std::error_code ignored;
    for (int number = 0; number < propagator_sources; ++number)
        for (const char* ending : {"json", "lime"}) fs::remove(file(number, ending), ignored);
    fs::remove(mark_of(folder_), ignored);
    fs::remove(folder_, ignored); // if nothing else is in it
}

} // namespace qcd
