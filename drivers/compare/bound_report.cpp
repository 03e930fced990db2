#include "drivers/compare/bound_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <ostream>
#include <utility>

namespace qcd
{

namespace
{

using experiment::Json;

/// A part of what a run lost: its key, its words.
struct Part {
    const char *key, *words;
    double Losses::*value;
};
constexpr std::array parts{Part{"transfers", "transfers", &Losses::transfers},
                           Part{"reductions", "idle at reductions", &Losses::reductions},
                           Part{"idle", "idle otherwise", &Losses::idle},
                           Part{"runtime", "runtime", &Losses::runtime},
                           Part{"kernels", "slower kernels", &Losses::kernels},
                           Part{"placement", "tasks on slower workers", &Losses::placement}};

std::string time_of(double seconds)
{
    return seconds >= 0.1 ? fmt::format("{:.4g} s", seconds)
                          : fmt::format("{:.4g} ms", 1e3 * seconds);
}

/// The largest first; what rounds to nothing is left out.
std::string text_of(const CaseBound& b)
{
    std::vector<Part> sorted(parts.begin(), parts.end());
    std::stable_sort(sorted.begin(), sorted.end(), [&](const Part& a, const Part& other) {
        return b.losses.*a.value > b.losses.*other.value;
    });
    std::string text;
    for (const Part& p : sorted)
        if (const double share = b.losses.*p.value / b.look_seconds; share >= 0.005)
            text += fmt::format("{}{:.0f}% {}", text.empty() ? "" : ", ", 100 * share, p.words);
    return text;
}

std::string shares_of(const CaseBound& b)
{
    std::string measured, bound;
    for (const CaseBound::Share& s : b.shares) {
        measured +=
            fmt::format("{}{} {:.0f}%", measured.empty() ? "" : ", ", s.kind, 100 * s.measured);
        bound += fmt::format("{}{:.0f}%", bound.empty() ? "" : ", ", 100 * s.bound);
    }
    return fmt::format("flop in the fastest run: {}; in the bound: {}", measured, bound);
}

std::string line_of(const CaseBound& b)
{
    const auto reached = [&](double seconds) {
        return fmt::format("{}, bound {} ({:.0f}%)", time_of(seconds), time_of(b.seconds()),
                           100 * b.seconds() / seconds);
    };
    if (b.look_seconds == 0)
        return reached(b.median) + (b.whole ? "" : " of its first operations alone");
    if (b.look_counts) return fmt::format("{}: {}", reached(b.look_seconds), text_of(b));
    return fmt::format("{}; a run that was looked into took {}: {}", reached(b.median),
                       time_of(b.look_seconds), text_of(b));
}

} // namespace

Json to_json(const CaseBound& b)
{
    Json losses = Json::object();
    for (const Part& p : parts) losses[p.key] = b.losses.*p.value;
    Json shares = Json::array();
    for (const CaseBound::Share& s : b.shares)
        shares.push_back({{"workers", s.kind}, {"bound", s.bound}, {"measured", s.measured}});
    return {{"seconds", b.seconds()},
            {"area", std::isnan(b.area) ? Json() : Json(b.area)},
            {"path", b.path},
            {"bus", b.bus},
            {"whole", b.whole},
            {"best", b.best},
            {"median", b.median},
            {"run", b.look_seconds == 0 ? Json()
                                        : Json{{"seconds", b.look_seconds},
                                               {"counts", b.look_counts},
                                               {"losses", losses}}},
            {"shares", shares}};
}

namespace
{

CaseBound case_bound_of(const Json& j)
{
    CaseBound b{.area = j.at("area").is_null() ? std::nan("") : j.at("area").get<double>(),
                .path = j.at("path"),
                .bus = j.at("bus"),
                .whole = j.at("whole"),
                .best = j.at("best"),
                .median = j.at("median")};
    if (const Json& run = j.at("run"); !run.is_null()) {
        b.look_seconds = run.at("seconds");
        b.look_counts = run.at("counts");
        for (const Part& p : parts) b.losses.*p.value = run.at("losses").at(p.key);
    }
    for (const Json& s : j.at("shares"))
        b.shares.push_back({s.at("workers"), s.at("bound"), s.at("measured")});
    return b;
}

const NamedBound* find(const BoundReport& r, const std::string& name)
{
    const auto it = std::find_if(r.cases.begin(), r.cases.end(),
                                 [&](const NamedBound& c) { return c.name == name; });
    return it == r.cases.end() ? nullptr : &*it;
}

} // namespace

BoundReport bound_report(const experiment::Design& d, const experiment::Ranking& ranking,
                         const std::vector<experiment::Run>& runs, const Looks& looks,
                         const BoundReport& earlier)
{
    BoundReport r{{}, looks.fastest, {}};
    for (const experiment::Ranked& c : ranking.cases) {
        if (!c.failure.empty()) continue;
        NamedBound named{d.cases[std::size_t(c.which)].name, looks.bound(d, runs, c.which), ""};
        if (!named.bound)
            if (const NamedBound* before = find(earlier, named.name)) named.bound = before->bound;
        if (!named.bound)
            named.why = "its runs are of a call that left no compare.json";
        else if (named.bound->seconds() > c.seconds.least)
            named = {named.name, std::nullopt,
                     "a run was faster than the times of kernels that are known"};
        r.cases.push_back(std::move(named));
    }
    return r;
}

void print_text(std::ostream& out, const BoundReport& r)
{
    if (r.cases.empty()) return;
    out << "\nbound: no schedule of these tasks takes less time, each as fast as it was seen at "
           "best; and what the run\nnext to the median lost above it\n";
    std::size_t width = 0;
    for (const NamedBound& c : r.cases) width = std::max(width, c.name.size());
    for (const NamedBound& c : r.cases) {
        out << fmt::format("  {:<{}}  {}\n", c.name, width,
                           c.bound ? line_of(*c.bound) : "no bound: " + c.why);
        if (c.bound && !c.bound->shares.empty())
            out << fmt::format("  {:<{}}  {}\n", "", width, shares_of(*c.bound));
    }
}

experiment::Json to_json(const BoundReport& r)
{
    Json cases = Json::array(), fastest = Json::array();
    for (const NamedBound& c : r.cases)
        cases.push_back({{"name", c.name},
                         {"bound", c.bound ? to_json(*c.bound) : Json()},
                         {"why_not", c.bound ? Json() : Json(c.why)}});
    for (const auto& [key, seconds] : r.fastest.seen())
        fastest.push_back({{"operation", key.first.operation},
                           {"bytes", key.first.bytes},
                           {"flops", key.first.flops},
                           {"workers", key.second},
                           {"seconds", seconds}});
    return {{"cases", cases}, {"fastest", fastest}};
}

Json earlier_comparison(const std::string& folder)
{
    std::ifstream in(folder + "/compare.json", std::ios::binary);
    return in ? Json::parse(in, nullptr, false) : Json();
}

BoundReport earlier_bounds(const Json& whole)
{
    BoundReport r;
    try {
        if (!whole.is_object() || !whole.contains("bounds")) return {};
        for (const Json& c : whole.at("bounds").at("cases"))
            if (!c.at("bound").is_null())
                r.cases.push_back({c.at("name"), case_bound_of(c.at("bound")), ""});
        for (const Json& f : whole.at("bounds").at("fastest"))
            r.fastest.add({f.at("operation"), f.at("bytes"), f.at("flops")}, f.at("workers"),
                          f.at("seconds"));
        for (const Json& w : whole.at("warnings")) r.warnings.push_back(w);
    } catch (const Json::exception&) {
        return {}; // no file of ours: it is written anew
    }
    return r;
}

} // namespace qcd
