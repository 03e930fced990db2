#pragma once
// What a study is to the program: options, and runs that measure something. Nothing here knows what
// is computed.

#include "base/text.hpp"
#include "experiment/statistics.hpp"
#include "program/stopwatch.hpp"
#include "runtime/graph.hpp"
#include "runtime/session.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace qcd::cli
{
class Parser;
}

namespace qcd::studies
{

using Json = nlohmann::ordered_json;
using experiment::Better;

/// What a run measures, or counts.
struct Quantity {
    std::string key, unit; ///< unit: "s", "GB/s", ...; "1": a number
    Better better;         ///< which of several runs had the best value
    std::string meaning;
    double value = 0; ///< NaN: not of this run
};

/// What one run gives.
struct Result {
    double seconds = 0; ///< what runs are compared by
    std::vector<Quantity> quantities{};
    std::string digest{}; ///< xxh64 of the result, in an order that no tiling changes; empty: none
    bool one_digest = true; ///< has every version, tiling, plan and worker this digest?
    std::string fault{};    ///< in a line: what is wrong with the result; empty: nothing
    bool ended = true;      ///< false: a limit came before the end
};

/// The graph of a run, and what workers it has.
struct Run {
    Graph& graph;
    const Session& session;
};

/// Until all that f() submits is done.
template <class F>
double seconds_of(Graph& graph, const F& f)
{
    graph.wait();
    Stopwatch clock;
    f();
    graph.wait();
    return clock.lap();
}
/// The best of so many, after one that brings the data.
template <class F>
double best_seconds(Graph& graph, int rounds, const F& f)
{
    seconds_of(graph, f);
    double best = seconds_of(graph, f);
    for (int i = 1; i < rounds; ++i) best = std::min(best, seconds_of(graph, f));
    return best;
}

class Study
{
public:
    virtual ~Study() = default;
    /// --size, --version, --tiles and what only this study has.
    virtual void add_options(cli::Parser&) = 0;
    /// What can be checked without StarPU. Throws Error; so do the others.
    virtual void finish_options(const cli::Parser&) = 0;
    /// What was left open is chosen for these workers, and what does not fit them refused.
    virtual void prepare(const Session&) = 0;
    /// Once, with data of its own, in `graph` which has none.
    virtual Result run(const Run&) = 0;
    /// Says in a line what is computed, how, in what parts. Call it after prepare().
    virtual std::string problem() const = 0;
    /// The report as JSON.
    virtual Json to_json() const = 0;
};

/// One study of the program.
struct StudyKind {
    const char* name;
    const char* description;
    std::unique_ptr<Study> (*make)();
};

} // namespace qcd::studies
