#include "drivers/run/join_ranks.hpp"

#include "drivers/spec/rules.hpp"
#include "program/complain.hpp"
#include "program/stop.hpp"
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

void refuse(const std::string& what)
{
    throw Error("mpirun: {} is of one process (without mpirun)", what);
}

/// Throws Error unless all ranks have the program and arguments of the first one.
void require_the_same(const std::vector<std::string>& arguments, Ranks& ranks)
{
    const std::string mine = fmt::format("{} {}", version_line(), fmt::join(arguments, "\n"));
    std::string first(ranks.from_rank(0, mine.size()), ' ');
    if (ranks.speaks()) first = mine;
    ranks.broadcast(std::as_writable_bytes(std::span(first)), 0);
    if (mine != first)
        throw Error("mpirun: was started with other arguments or another program than "
                    "rank 0: '{}'",
                    fmt::join(arguments, " "));
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

/// What a command writes besides what all do.
template <class S>
cli::OptionFiles own_files(const S& spec)
{
    if constexpr (std::is_same_v<S, CompareSpec>)
        if (!spec.machine().empty()) return {}; // what is simulated leaves no folder
    if constexpr (requires { spec.rounds.folder(); })
        return {{"--out", spec.rounds.folder()}};
    else if constexpr (std::is_same_v<S, PropagatorSpec>)
        return {{"--save", spec.save()}, {"--plot", spec.plot()}};
    else if constexpr (std::is_same_v<S, GenerateSpec>)
        return {{"--save", spec.save()}, {"--measure", spec.table()}, {"--plot", spec.plot()}};
    else if constexpr (std::is_same_v<S, CalibrateSpec>)
        return {{"--out", spec.out().empty() ? "this" : spec.out()}};
    else if constexpr (std::is_same_v<S, ConvertSpec>)
        return {{"OUT", spec.out()}};
    else if constexpr (std::is_same_v<S, TraceSpec>)
        return {{"--svg", spec.svg()}, {"--png", spec.png()}, {"--graph", spec.graph()}};
    else if constexpr (std::is_same_v<S, BenchSpec>)
        return {{"--out", spec.folder()}};
    else
        return {};
}

} // namespace

void warn_of_many(Command& command, const std::string& apart)
{
    const std::string seen = apart + ", of which MPI sees one";
    constexpr const char* remedy = "mpirun or srun --mpi=pmix make them one run";
    const auto warn = [&](auto& spec) {
        using S = std::decay_t<decltype(spec)>;
        if constexpr (!std::is_same_v<S, cli::Text>) {
            for (const auto& [option, file] : with_outputs(own_files(spec), spec.run))
                if (!file.empty() && file != "-")
                    throw Error("{}: {}: each of these processes would write {} ({})", option, seen,
                                qcd::quoted(file), remedy);
            note(fmt::format("{}: each of these processes runs all of it ({})", seen, remedy),
                 spec.output().quiet());
        }
    };
    std::visit(warn, command);
}

bool join_ranks(Command& command, Ranks& ranks)
{
    const auto join = [&](auto& spec) {
        using S = std::decay_t<decltype(spec)>;
        if constexpr (std::is_same_v<S, cli::Text> || std::is_same_v<S, InfoSpec>) {
            return ranks.speaks();
        } else if constexpr (std::is_same_v<S, TraceSpec> || std::is_same_v<S, ConvertSpec> ||
                             std::is_same_v<S, CheckSpec> || std::is_same_v<S, SimulateSpec> ||
                             std::is_same_v<S, CalibrateSpec>) {
            refuse(spec.output().call.arguments.front());
            return false;
        } else {
            if constexpr (std::is_same_v<S, CompareSpec>)
                if (!spec.machine().empty()) refuse("compare --simulate");
            RunSpec run = spec.run;
            if constexpr (std::is_same_v<S, BenchSpec>)
                run.problem.lattice = spec.lattices().front();
            bool generates = std::is_same_v<S, GenerateSpec>;
            if constexpr (std::is_same_v<S, CompareSpec>) generates = spec.generates();
            if (generates && !run.problem.lattice()) // a file says its lattice by itself
                run.problem.lattice = Extents{4, 4, 4, 4};
            require_possible(run, {}, Asker::ranks);
            OutputSpec& output = spec.output();
            require_the_same(output.call.arguments, ranks);
            handle_signals_of_ranks(ranks.rank(), first_here(ranks));
            take_share_of_cores(ranks);
            loop_on_own_cores();
            if (!ranks.speaks()) {
                output.quiet = true;
                output.json = std::string();
            }
            return true;
        }
    };
    return std::visit(join, command);
}

} // namespace qcd
