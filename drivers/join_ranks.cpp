#include "drivers/join_ranks.hpp"

#include "drivers/stop.hpp"
#include "runtime/ranks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <omp.h>
#include <sched.h>
#include <unistd.h>

namespace qcd
{

namespace
{

[[noreturn]] void refuse(const std::string& what)
{
    throw Error(fmt::format("mpirun: {} is of one process (without mpirun)", what));
}

/// By the first difference: all have the program and arguments of the first one.
void require_the_same(const std::vector<std::string>& arguments, Ranks& ranks)
{
    const std::string mine = fmt::format("{} {}", cli::version_line(), fmt::join(arguments, "\n"));
    std::string first(ranks.from_rank(0, mine.size()), ' ');
    if (ranks.speaks()) first = mine;
    ranks.broadcast(std::as_writable_bytes(std::span(first)), 0);
    if (mine != first)
        throw Error(fmt::format("mpirun: was started with other arguments or another program than "
                                "rank 0: '{}'",
                                fmt::join(arguments, " ")));
}

/// The process of rank 0, if it is on this host.
int first_here(Ranks& ranks)
{
    struct Place {
        std::array<char, 64> host{};
        int process = getpid();
    } mine;
    gethostname(mine.host.data(), mine.host.size() - 1);
    const Place first = ranks.from_rank(0, mine);
    return first.host == mine.host ? first.process : 0;
}

/// OpenMP's library has counted the cores before the rank took its share of them.
void loop_on_own_cores()
{
    cpu_set_t cpus;
    if (sched_getaffinity(0, sizeof cpus, &cpus) == 0)
        omp_set_num_threads(std::min(omp_get_max_threads(), CPU_COUNT(&cpus)));
}

struct Join {
    Ranks& ranks;

    bool operator()(cli::SolveOptions& o) const
    {
        if (o.engine != cli::Engine::starpu) refuse("--engine");
        if (o.stencil) refuse("--stencil");
        if (o.machine.split) refuse("--split");
        if (!o.output.trace_fxt.empty()) refuse("--trace-fxt");
        return share(o);
    }
    bool operator()(cli::ApplyOptions& o) const { return share(o); }
    bool operator()(cli::PropagatorOptions& o) const
    {
        if (o.resume) refuse("propagator --resume");
        return (*this)(o.solve);
    }
    bool operator()(const cli::BenchOptions&) const { refuse("bench"); }
    bool operator()(const cli::CompareOptions&) const { refuse("compare"); }
    bool operator()(const cli::LadderOptions&) const { refuse("ladder"); }
    bool operator()(const cli::SimulateOptions&) const { refuse("simulate"); }
    bool operator()(const cli::CalibrateOptions&) const { refuse("calibrate"); }
    bool operator()(const cli::TraceOptions&) const { refuse("trace"); }
    bool operator()(const cli::ConvertOptions&) const { refuse("convert"); }
    bool operator()(const cli::CheckOptions&) const { refuse("check"); }
    bool operator()(const cli::InfoOptions&) const { return ranks.speaks(); }
    bool operator()(const cli::Text&) const { return ranks.speaks(); }

private:
    template <class Options>
    bool share(Options& o) const
    {
        if (o.machine.cores_per_worker) refuse("--cores-per-worker");
        o.machine.ranks = &ranks;
        require_the_same(o.output.arguments, ranks);
        handle_signals_of_ranks(ranks.rank(), first_here(ranks));
        take_share_of_cores(ranks);
        loop_on_own_cores();
        if (!ranks.speaks()) {
            o.output.quiet = true;
            o.output.json.clear();
        }
        return true;
    }
};

} // namespace

bool join_ranks(cli::Command& command, Ranks& ranks) { return std::visit(Join{ranks}, command); }

} // namespace qcd
