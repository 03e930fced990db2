#include "drivers/compare/runtime_report.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ostream>

namespace qcd
{

namespace
{

using experiment::Json;

/// A piece of a solve: its key, its column.
struct Piece {
    const char *key, *column;
    double RuntimeSplit::*value;
};
constexpr std::array pieces{Piece{"executing", "tasks", &RuntimeSplit::executing},
                            Piece{"waiting", "waiting", &RuntimeSplit::waiting},
                            Piece{"submission", "submission", &RuntimeSplit::submission},
                            Piece{"dependencies", "dependencies", &RuntimeSplit::dependencies},
                            Piece{"decision", "decision", &RuntimeSplit::decision},
                            Piece{"queueing", "queueing", &RuntimeSplit::queueing},
                            Piece{"data", "data", &RuntimeSplit::data},
                            Piece{"other", "other", &RuntimeSplit::other}};

std::string plan_of(const experiment::Case& c)
{
    for (const experiment::Factor& f : c.factors)
        if (f.key == "plan") return f.value;
    return "";
}

bool alike_but_for_plan(const experiment::Case& a, const experiment::Case& b)
{
    return std::equal(a.factors.begin(), a.factors.end(), b.factors.begin(), b.factors.end(),
                      [](const experiment::Factor& one, const experiment::Factor& other) {
                          return one.key == other.key &&
                                 (one.key == "plan" || one.value == other.value);
                      });
}

std::size_t width_of(const std::string& least, const std::vector<std::string>& names)
{
    std::size_t width = least.size();
    for (const std::string& name : names) width = std::max(width, name.size());
    return width + 2;
}

void print_pairs(std::ostream& out, const std::vector<ReplayPair>& pairs)
{
    if (pairs.empty()) return;
    out << "\na graph beside the replay of its own schedule: ms of a run, medians; graph over "
           "replay by rounds\n";
    std::vector<std::string> names;
    for (const ReplayPair& p : pairs) names.push_back(p.graph);
    const std::size_t width = width_of("case", names);
    out << fmt::format("  {:<{}}{:>10}{:>10}{:>10}{:>8}{:>17}\n", "case", width, "graph", "replay",
                       "runtime", "ratio", "low - high");
    for (const ReplayPair& p : pairs)
        out << fmt::format("  {:<{}}{:>10}{:>10}{:>10}{:>8.3f}{:>17}\n", p.graph, width,
                           figure(1e3 * p.graph_seconds, 4), figure(1e3 * p.replay_seconds, 4),
                           figure(1e3 * (p.graph_seconds - p.replay_seconds), 3), p.ratio.ratio,
                           p.ratio.interval ? fmt::format("{:.3f} - {:.3f}", p.ratio.interval->low,
                                                          p.ratio.interval->high)
                                            : "-");
}

void print_splits(std::ostream& out, const std::vector<NamedSplit>& splits)
{
    if (splits.empty()) return;
    out << "\nwhat the workers of a graph did, ms of a run that StarPU profiled (the warm-up): "
           "from tasks to other they add up\nto it; in submit: the thread that submits, at the "
           "same time\n";
    std::vector<std::string> names;
    for (const NamedSplit& s : splits) names.push_back(s.name);
    const std::size_t width = width_of("case", names);
    out << fmt::format("  {:<{}}{:>8}", "case", width, "run");
    for (const Piece& p : pieces) out << fmt::format("  {:>7}", p.column);
    out << fmt::format("{:>11}{:>10}\n", "in submit", "number");
    for (const NamedSplit& s : splits) {
        out << fmt::format("  {:<{}}{:>8}", s.name, width, figure(1e3 * s.split.seconds));
        for (const Piece& p : pieces)
            out << fmt::format("  {:>{}}", figure(1e3 * (s.split.*p.value)),
                               std::max<std::size_t>(7, std::string(p.column).size()));
        out << fmt::format("{:>11}{:>10}\n", figure(1e3 * s.split.submitting), s.split.tasks);
    }
}

} // namespace

RuntimeReport runtime_report(const experiment::Design& d, const experiment::Ranking& ranking,
                             const std::vector<experiment::Run>& runs, const Looks& looks,
                             const RuntimeReport& earlier)
{
    RuntimeReport r;
    for (const experiment::Ranked& graph : ranking.cases) {
        if (!graph.failure.empty()) continue;
        const experiment::Case& c = d.cases[std::size_t(graph.which)];
        if (const auto split = looks.split(graph.which)) {
            r.splits.push_back({c.name, *split});
        } else {
            for (const NamedSplit& before : earlier.splits)
                if (before.name == c.name) r.splits.push_back(before);
        }
        if (plan_of(c) != "graph") continue;
        for (const experiment::Ranked& replay : ranking.cases) {
            const experiment::Case& other = d.cases[std::size_t(replay.which)];
            if (!replay.failure.empty() || plan_of(other) != "replay" ||
                !alike_but_for_plan(c, other))
                continue;
            r.pairs.push_back({c.name, other.name, graph.seconds.median, replay.seconds.median,
                               experiment::paired_ratio(seconds_of(d, runs, graph.which),
                                                        seconds_of(d, runs, replay.which),
                                                        ranking.certainty.confidence)});
        }
    }
    return r;
}

void print_text(std::ostream& out, const RuntimeReport& r)
{
    print_pairs(out, r.pairs);
    print_splits(out, r.splits);
}

Json to_json(const RuntimeReport& r)
{
    Json pairs = Json::array(), splits = Json::array();
    for (const ReplayPair& p : r.pairs) {
        const auto& interval = p.ratio.interval;
        pairs.push_back({{"graph", p.graph},
                         {"replay", p.replay},
                         {"graph_seconds", p.graph_seconds},
                         {"replay_seconds", p.replay_seconds},
                         {"rounds", p.ratio.rounds},
                         {"ratio", p.ratio.ratio},
                         {"low", interval ? Json(interval->low) : Json()},
                         {"high", interval ? Json(interval->high) : Json()}});
    }
    for (const NamedSplit& s : r.splits) {
        Json one{{"name", s.name}, {"seconds", s.split.seconds}, {"tasks", s.split.tasks}};
        for (const Piece& p : pieces) one[p.key] = s.split.*p.value;
        one["submitting"] = s.split.submitting;
        splits.push_back(one);
    }
    return {{"pairs", pairs}, {"splits", splits}};
}

RuntimeReport earlier_runtime(const Json& whole)
{
    RuntimeReport r;
    try {
        if (!whole.is_object() || !whole.contains("runtime")) return {};
        for (const Json& j : whole.at("runtime").at("splits")) {
            NamedSplit& s = r.splits.emplace_back();
            s.name = j.at("name");
            s.split.seconds = j.at("seconds");
            s.split.tasks = j.at("tasks");
            for (const Piece& p : pieces) s.split.*p.value = j.at(p.key);
            s.split.submitting = j.at("submitting");
        }
    } catch (const Json::exception&) {
        return {}; // no file of ours: it is written anew
    }
    return r;
}

} // namespace qcd
