#include "drivers/plan/command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

namespace qcd
{

namespace
{

/// As a shell reads it back.
std::string shell_word(const std::string& text)
{
    const auto plain = [](unsigned char c) {
        return std::isalnum(c) || std::string_view("_./:,=+-@%").find(char(c)) != std::string::npos;
    };
    if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return text;
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

class Command
{
public:
    explicit Command(long ranks = 1)
        : text_(ranks > 1 ? fmt::format("mpirun -n {} qcd_starpu", ranks) : "qcd_starpu")
    {
    }
    template <class Value>
    void add(const char* option, const Value& value)
    {
        text_ += fmt::format(" {} {}", option, shell_word(fmt::format("{}", value)));
    }
    void begin(const std::string& words) { text_ += " " + words; }
    void add(const char* flag) { text_ += fmt::format(" {}", flag); }
    const std::string& text() const { return text_; }

private:
    std::string text_;
};

void add_problem(Command& c, const cli::ProblemOptions& p)
{
    if (p.lattice) c.add("--lattice", to_string(*p.lattice));
    c.add("--gauge", p.gauge);
    if (p.reunitarize) c.add("--reunitarize");
    c.add("--kappa", p.kappa);
    if (p.mubar != 0) c.add("--mubar", p.mubar);
    if (p.csw != 0) c.add("--csw", p.csw);
    if (!p.antiperiodic) c.add("--boundary", "periodic");
    if (is_twisted(p.theta)) c.add("--theta", fmt::format("{}", fmt::join(p.theta, ",")));
}

void add_source(Command& c, const cli::ProblemOptions& p)
{
    c.add("--source", p.source);
    if (p.source_number) c.add("--source-number", *p.source_number);
    if (p.basis) c.add("--basis", to_string(*p.basis));
    if (p.phases) c.add("--phases", to_string(*p.phases));
}

void add_method(Command& c, const cli::SolveOptions& o)
{
    c.add("--solver", cli::to_string(o.method));
    c.add("--even-odd", o.even_odd ? "on" : "off");
    if (o.stencil) c.add("--stencil", o.stencil->name);
    if (o.stencil && o.stencil->full_groups)
        c.add("--multiple", o.multiple.value_or(cli::default_multiple));
    c.add("--precision", cli::to_string(o.precision));
    if (o.rhs > 1) c.add("--rhs", o.rhs);
    if (o.sloppy) c.add("--sloppy", cli::to_string(*o.sloppy));
    if (o.sloppy_drop) c.add("--sloppy-drop", *o.sloppy_drop);
    if (o.method == Method::gcr) c.add("--restart", o.restart.value_or(default_restart));
    if (o.precondition)
        c.add("--precondition",
              fmt::format("{}:{}", o.precondition->method, o.precondition->iterations));
    if (o.domain) c.add("--domain", to_string(*o.domain));
    if (o.iterations) {
        c.add("--iterations", *o.iterations);
    } else {
        c.add("--tol", o.tolerance);
        c.add("--max-iterations", o.max_iterations);
    }
    if (o.repeat > 1) c.add("--repeat", o.repeat);
    if (!o.guess.empty()) c.add("--guess", o.guess);
    if (o.guess_number) c.add("--guess-number", *o.guess_number);
}

void add_workers(Command& c, const WorkerCounts& w)
{
    c.add("--cpus", w.cpu);
    if (w.cpu > 0) c.add("--cores-per-worker", w.cores_per_cpu);
    c.add("--cuda", w.cuda);
    c.add("--opencl", w.opencl);
}

} // namespace

std::string equivalent_command(const cli::SolveOptions& o, const RunPlan* plan,
                               std::optional<double> device_share, int threads)
{
    Command c(plan ? volume(plan->rank_grid) : 1);
    if (!o.command.empty()) c.begin(o.command);
    add_problem(c, o.problem);
    if (o.command.empty()) add_source(c, o.problem);
    add_method(c, o);
    if (!plan) {
        c.add("--engine", cli::to_string(o.engine));
        if (o.engine == cli::Engine::openmp) c.add("--cpus", threads);
        return c.text();
    }
    c.add("--links", reals(*o.links));
    const std::string name = to_string(plan->kind);
    c.add("--plan", plan->collects() ? fmt::format("{}:{}", name, plan->iterations) : name);
    if (device_share) {
        c.add("--split", *device_share);
    } else {
        c.add("--tiles", to_string(plan->tiles()));
        if (plan->scheduler != "none") c.add("--sched", plan->scheduler);
    }
    add_workers(c, plan->workers);
    if (o.machine.gpu_memory)
        c.add("--gpu-memory", fmt::format("{}M", *o.machine.gpu_memory >> 20));
    return c.text();
}

} // namespace qcd
