#include "drivers/simulation/simulated_cases.hpp"

#include "base/text.hpp"
#include "drivers/run/problem.hpp"
#include "drivers/simulation/simulated_workers.hpp"
#include "drivers/simulation/simulator.hpp"
#include "drivers/simulation/temporary_folder.hpp"
#include "drivers/spec/commands.hpp"
#include "program/devices.hpp"
#include "program/json_file.hpp"
#include "program/provenance.hpp"
#include "program/starpu_facts.hpp"
#include "program/stop.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <iostream>

namespace qcd
{

namespace
{

using Json = nlohmann::ordered_json;
SimulatedCase simulate(const Variant& v, const SimulatedMachine& m, const std::string& machine)
{
    SimulatedCase result{.shown = v.shown, .failure = {}};
    const TemporaryFolder folder;
    const std::string json = (folder.path() / "run.json").string(),
                      said = (folder.path() / "stderr").string();
    std::vector<std::string> words = simulate_arguments(v.options, machine);
    words.insert(words.end(), {"--quiet", "--json", json});
    const int status = run_simulator(m, words, said);
    if (status != exit_converged) {
        std::getline(std::ifstream(said), result.failure);
        if (result.failure.empty()) result.failure = fmt::format("exit status {}", status);
        if (const std::string who = "qcd_starpu: "; result.failure.starts_with(who))
            result.failure.erase(0, who.size());
        return result;
    }
    std::ifstream in(json);
    const Json j = Json::parse(in);
    result.seconds = j["seconds"]["solve"];
    result.gflops = j["gflops"];
    result.tasks = j["tasks"];
    result.bytes_moved = j["bytes_moved"];
    return result;
}

/// Nothing is simulated where those of a case are not simulated. Those that the machine lacks are
/// that case's failure. Ranks have their own.
void require_workers(const Variant& v, const Extents& lattice, const SimulatedMachine& m)
{
    if (m.nodes > 1) return;
    try {
        simulated_workers(v.options, lattice, m, one_rank());
    } catch (const Error& e) {
        if (e.exit_status() != exit_missing_device)
            throw Error(fmt::format("--simulate: {}: {}", v.shown.name, e.what()));
    }
}

} // namespace

std::vector<SimulatedCase> simulate_cases(const std::vector<Variant>& variants,
                                          const SimulatedMachine& m, const std::string& machine)
{
    std::vector<SimulatedCase> all;
    for (const Variant& v : variants) {
        stop_if_asked("compare: interrupted");
        all.push_back(simulate(v, m, machine));
    }
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
        return std::pair(!a.failure.empty(), a.seconds) < std::pair(!b.failure.empty(), b.seconds);
    });
    return all;
}

Json to_json(const std::vector<SimulatedCase>& cases, const SimulatedMachine& m, int iterations)
{
    Json j{{"machine", {{"name", m.name}, {"about", m.about}}}, {"iterations", iterations}};
    j["cases"] = Json::array();
    for (const SimulatedCase& c : cases) {
        Json factors = Json::object();
        for (const experiment::Factor& f : c.shown.factors) factors[f.key] = f.value;
        const bool has_time = c.failure.empty();
        j["cases"].push_back({{"name", c.shown.name},
                              {"factors", factors},
                              {"seconds", has_time ? Json(c.seconds) : Json()},
                              {"gflops", has_time ? Json(c.gflops) : Json()},
                              {"tasks", has_time ? Json(c.tasks) : Json()},
                              {"bytes_moved", has_time ? Json(c.bytes_moved) : Json()},
                              {"failure", has_time ? Json() : Json(c.failure)}});
    }
    return j;
}

void print_text(std::ostream& out, const std::vector<SimulatedCase>& cases,
                const SimulatedMachine& m, int iterations)
{
    out << fmt::format("cases, simulated on {}: {} iterations, fastest first\n", m.name,
                       iterations);
    const bool moved = std::any_of(cases.begin(), cases.end(),
                                   [](const SimulatedCase& c) { return c.bytes_moved > 0; });
    out << fmt::format("  {:<40}{:>12}{:>10}{:>10}{:>9}{:>12}\n", "case", "seconds", "times",
                       "GFLOPS", "tasks", moved ? "MB moved" : "");
    for (const SimulatedCase& c : cases) {
        if (!c.failure.empty())
            out << fmt::format("  {:<40} no time: {}\n", c.shown.name, c.failure);
        else
            out << fmt::format("  {:<40}{:>12}{:>10.3f}{:>10}{:>9}{:>12}\n", c.shown.name,
                               figure(c.seconds, 4), c.seconds / cases.front().seconds,
                               figure(c.gflops), c.tasks,
                               moved ? figure(double(c.bytes_moved) / 1e6) : "");
    }
}

int run_simulated_comparison(const CompareSpec& o)
{
    const SimulatedMachine m = machine_of(o.machine());
    const Extents lattice = open_problem_gauge(o.run.problem, o.run.output)->extents();
    const std::vector<Variant> variants = variants_of(o, lattice, m.cores, m.cuda.count);
    for (const Variant& v : variants) require_workers(v, lattice, m);
    const std::vector<SimulatedCase> cases = simulate_cases(variants, m, o.machine());
    const int iterations = *o.run.method.iterations();
    if (!o.run.output.quiet()) print_text(std::cout, cases, m, iterations);
    if (!o.run.output.json().empty())
        write_json(o.run.output.json(), with_provenance(to_json(cases, m, iterations), o.run.output,
                                                        find_devices(), starpu_build()));
    const bool all = std::all_of(cases.begin(), cases.end(),
                                 [](const SimulatedCase& c) { return c.failure.empty(); });
    return all ? exit_converged : exit_missing_device;
}

} // namespace qcd
