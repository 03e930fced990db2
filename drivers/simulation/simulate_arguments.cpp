#include "drivers/simulation/simulate_arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace qcd
{

namespace
{

using Words = std::vector<std::string>;

template <class Value>
void add(Words& words, const char* option, const Value& value)
{
    words.emplace_back(option);
    words.push_back(fmt::format("{}", value));
}

template <class Value>
void add_if(Words& words, const char* option, const std::optional<Value>& value)
{
    if (value) add(words, option, *value);
}

void add_problem(Words& words, const cli::ProblemOptions& p)
{
    if (p.lattice) add(words, "--lattice", to_string(*p.lattice));
    add(words, "--gauge", p.gauge);
    if (p.reunitarize) words.emplace_back("--reunitarize");
    add(words, "--kappa", p.kappa);
    if (p.mubar != 0) add(words, "--mubar", p.mubar);
    if (p.csw != 0) add(words, "--csw", p.csw);
    if (!p.antiperiodic) add(words, "--boundary", "periodic");
    if (is_twisted(p.theta)) add(words, "--theta", fmt::format("{}", fmt::join(p.theta, ",")));
    add(words, "--source", p.source);
}

} // namespace

Words simulate_arguments(const cli::SolveOptions& o, const std::string& machine)
{
    Words words{"simulate", "--machine", machine};
    add_problem(words, o.problem);
    add(words, "--solver", cli::to_string(o.method));
    add(words, "--even-odd", o.even_odd ? "on" : "off");
    add(words, "--precision", cli::to_string(o.precision));
    if (o.links) add(words, "--links", reals(*o.links));
    add_if(words, "--restart", o.restart);
    if (o.precondition)
        add(words, "--precondition",
            fmt::format("{}:{}", o.precondition->method, o.precondition->iterations));
    if (o.domain) add(words, "--domain", to_string(*o.domain));
    add_if(words, "--iterations", o.iterations);
    if (o.plan) add(words, "--plan", to_string(o.plan->kind));
    const cli::MachineOptions& at = o.machine;
    if (at.tiles) add(words, "--tiles", to_string(*at.tiles));
    if (!at.sched.empty()) add(words, "--sched", at.sched);
    add_if(words, "--cpus", at.cpus);
    add_if(words, "--cuda", at.cuda);
    add_if(words, "--opencl", at.opencl);
    if (at.gpu_memory) add(words, "--gpu-memory", fmt::format("{}M", *at.gpu_memory >> 20));
    return words;
}

} // namespace qcd
