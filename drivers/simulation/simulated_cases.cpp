#include "drivers/simulation/simulated_cases.hpp"

#include "base/temporary_folder.hpp"
#include "base/text.hpp"
#include "drivers/compare/cases.hpp"
#include "drivers/run/problem.hpp"
#include "drivers/simulation/machine_file.hpp"
#include "drivers/simulation/simulated_workers.hpp"
#include "drivers/simulation/simulator.hpp"
#include "drivers/spec/commands.hpp"
#include "experiment/rounds.hpp"
#include "program/provenance.hpp"
#include "program/stop.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <tuple>

namespace qcd
{

namespace
{

using experiment::Design;
using experiment::Outcome;
using experiment::Run;
using Json = nlohmann::ordered_json;

enum Quantity { gflops, tasks, bytes_moved }; ///< of Outcome::values

Outcome simulate(const Variant& v, const SimulatedMachine& m, const std::string& machine)
{
    const TemporaryFolder folder;
    const std::string json = (folder.path() / "run.json").string(),
                      said = (folder.path() / "stderr").string();
    std::vector<std::string> words = simulate_arguments(v.options, machine);
    words.insert(words.end(), {"--quiet", "--json", json});
    const int status = run_simulator(m, words, said);
    if (status == exit_converged) {
        std::ifstream in(json);
        const Json j = Json::parse(in);
        return {j["seconds"]["solve"], {j["gflops"], j["tasks"], j["bytes_moved"]}, "", ""};
    }
    Outcome failed;
    std::getline(std::ifstream(said), failed.failure);
    if (failed.failure.empty()) failed.failure = fmt::format("exit status {}", status);
    if (const std::string who = "qcd_starpu: "; failed.failure.starts_with(who))
        failed.failure.erase(0, who.size());
    return failed;
}

/// Throws Error where a case has workers that cannot be simulated. Workers that the machine lacks
/// make that case fail. Ranks check their own workers.
void require_workers(const Variant& v, const Extents& lattice, const SimulatedMachine& m)
{
    if (m.nodes > 1) return;
    try {
        simulated_workers(v.options, lattice, m, one_rank());
    } catch (const Error& e) {
        if (e.exit_status() != exit_missing_device)
            throw Error("--simulate: {}: {}", v.shown.name, e.what());
    }
}

/// Runs each case once, because simulated times do not vary. Returns the fastest first, and those
/// that failed last.
std::vector<Run> simulate_all(const Design& d, const std::vector<Variant>& variants,
                              const SimulatedMachine& m, const std::string& machine)
{
    std::vector<Run> runs =
        run_rounds(d, {.run = [&](int which) { return simulate(variants[which], m, machine); },
                       .progress = {},
                       .stop = [] { return stop_requested.load(); }});
    stop_if_asked("compare: interrupted");
    std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) {
        const auto key = [](const Run& r) {
            return std::tuple(!r.outcome.failure.empty(), r.outcome.seconds, r.which);
        };
        return key(a) < key(b);
    });
    return runs;
}

Json json_of(const Design& d, const std::vector<Run>& runs, const SimulatedMachine& m,
             int iterations)
{
    Json j{{"machine", {{"name", m.name}, {"about", m.about}}}, {"iterations", iterations}};
    j["cases"] = Json::array();
    for (const Run& r : runs) {
        const bool has_time = r.outcome.failure.empty();
        const auto value = [&](Quantity q) { return r.outcome.values[q]; };
        Json factors = Json::object();
        for (const experiment::Factor& f : d.cases[r.which].factors) factors[f.key] = f.value;
        j["cases"].push_back({{"name", d.cases[r.which].name},
                              {"factors", factors},
                              {"seconds", has_time ? Json(r.outcome.seconds) : Json()},
                              {"gflops", has_time ? Json(value(gflops)) : Json()},
                              {"tasks", has_time ? Json(long(value(tasks))) : Json()},
                              {"bytes_moved", has_time ? Json(long(value(bytes_moved))) : Json()},
                              {"failure", has_time ? Json() : Json(r.outcome.failure)}});
    }
    return j;
}

void print_text(std::ostream& out, const Design& d, const std::vector<Run>& runs,
                const SimulatedMachine& m, int iterations)
{
    out << fmt::format("cases, simulated on {}: {}, fastest first\n", m.name,
                       counted(iterations, "iteration"));
    const bool moved = std::any_of(runs.begin(), runs.end(), [](const Run& r) {
        return r.outcome.failure.empty() && r.outcome.values[bytes_moved] > 0;
    });
    out << fmt::format("  {:<40}{:>12}{:>10}{:>10}{:>9}{:>12}\n", "case", "seconds", "times",
                       "GFLOPS", "tasks", moved ? "MB moved" : "");
    for (const Run& r : runs) {
        const auto& [seconds, values, digest, failure] = r.outcome;
        const std::string& name = d.cases[r.which].name;
        if (!failure.empty())
            out << fmt::format("  {:<40} no time: {}\n", name, failure);
        else
            out << fmt::format("  {:<40}{:>12}{:>10.3f}{:>10}{:>9}{:>12}\n", name,
                               figure(seconds, 4), seconds / runs.front().outcome.seconds,
                               figure(values[gflops]), values[tasks],
                               moved ? figure(values[bytes_moved] / 1e6) : "");
    }
}

} // namespace

int run_simulated_comparison(const CompareSpec& o)
{
    const SimulatedMachine m = machine_of(o.machine());
    const Extents lattice = open_problem_gauge(o.run.problem, o.run.output)->extents();
    const std::vector<Variant> variants = variants_of(o, lattice, m.cores, m.cuda.count);
    for (const Variant& v : variants) require_workers(v, lattice, m);
    Design d;
    for (const Variant& v : variants) d.cases.push_back(v.shown);
    d.warm_up = false;
    const std::vector<Run> runs = simulate_all(d, variants, m, o.machine());
    const int iterations = *o.run.method.iterations();
    if (!o.run.output.quiet()) print_text(std::cout, d, runs, m, iterations);
    write_result({o.run.output.json()}, json_of(d, runs, m, iterations), o.run.output);
    return complete(d, runs) ? exit_converged : exit_missing_device;
}

} // namespace qcd
