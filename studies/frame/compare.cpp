#include "base/error.hpp"
#include "experiment/ranking.hpp"
#include "program/progress_line.hpp"
#include "program/provenance.hpp"
#include "program/stop.hpp"
#include "program/version.hpp"
#include "runtime/environment.hpp"
#include "runtime/machine_probe.hpp"
#include "studies/frame/runner.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <iostream>
#include <map>

namespace qcd::studies
{

namespace
{

experiment::Design design_of(const CompareCall& c)
{
    experiment::Design d;
    std::map<std::string, int> times; // how often a name occurs
    for (std::size_t k = 0; k < c.cases.size(); ++k) {
        experiment::Case one;
        for (const auto& [key, value] : c.factors[k]) {
            one.factors.push_back({key, value});
            one.name += (one.name.empty() ? "" : ", ") + key + " " + value;
        }
        if (one.name.empty()) one.name = c.kind->name;
        // Equal values are cases of their own: they show how much two runs of one case differ.
        if (const int n = ++times[one.name]; n > 1) one.name += fmt::format(" #{}", n);
        d.cases.push_back(one);
    }
    d.rounds = c.rounds;
    d.seed = std::uint64_t(c.seed);
    const MachineFacts machine = probe_machine();
    d.common = {{"program", version_line(program_name)},
                {"study", c.kind->name},
                {"cases", c.cases},
                {"cpu", machine.cpu_model},
                {"cores", machine.cores}};
    return d;
}

experiment::Outcome run_case(const CompareCall& c, int which)
{
    try {
        auto parsed = parse_study(*c.kind, c.cases[std::size_t(which)]);
        const Result r = run_once(std::get<StudyCall>(parsed));
        if (!r.fault.empty()) throw Error(r.fault, exit_verify_failed);
        // Versions that stop elsewhere, or sum in another order, have bits of their own.
        return {r.seconds, {}, r.one_digest ? r.digest : "", ""};
    } catch (const Error& e) {
        if (e.exit_status() == exit_verify_failed) throw;
        return {0, {}, "", e.what()};
    }
}

} // namespace

int compare_studies(const CompareCall& c)
{
    const experiment::Design d = design_of(c);
    experiment::claim_folder(c.folder, d);
    experiment::RunFile file(c.folder + "/runs.csv", d);
    Environment environment;
    count_opencl_on_cpus(environment);
    const auto run = [&](int which) -> std::optional<experiment::Outcome> {
        const experiment::Outcome outcome = run_case(c, which);
        if (stop_requested) return std::nullopt;
        return outcome;
    };
    const auto runs = run_rounds_shown(d, c.quiet, &file, run, [&](const std::string& what) {
        if (!c.quiet) std::fprintf(stderr, "%s: note: %s\n", program_name, what.c_str());
    });
    const experiment::Ranking ranking = rank(d, runs);
    write_result(
        {c.folder + "/compare.json", c.json},
        {{"study", c.kind->name}, {"design", to_json(d)}, {"ranking", to_json(d, ranking)}},
        c.call);
    if (!c.quiet) {
        print_text(std::cout, d, ranking);
        print_verdict(std::cout, d, ranking);
    }
    if (const std::string bits = differing_digests(d, runs); !bits.empty())
        throw Error("compare: different bits: " + bits, exit_verify_failed);
    if (stop_requested) return exit_not_converged;
    return complete(d, runs) ? exit_converged : exit_missing_device;
}

} // namespace qcd::studies
