#include "base/text.hpp"
#include "experiment/ranking.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>

namespace qcd::experiment
{

namespace
{

/// An interval of two rounds may be as wide as numbers go.
std::string decimals(double value)
{
    return value < 1000 ? fmt::format("{:.3f}", value) : fmt::format("{:.1e}", value);
}

std::string range(const std::optional<Interval>& i)
{
    return i ? decimals(i->low) + " - " + decimals(i->high) : "-";
}

/// The unit of a table's times, chosen by the shortest.
struct Unit {
    const char* name;
    double of_second;
};
Unit unit_for(double seconds)
{
    return seconds >= 0.1 ? Unit{"s", 1} : seconds >= 1e-4 ? Unit{"ms", 1e3} : Unit{"us", 1e6};
}

std::string half_width(const std::optional<Interval>& i, double factor)
{
    return i ? figure(factor * (i->high - i->low) / 2, 2) : "-";
}

std::string percent_above_one(const std::optional<double>& ratio)
{
    if (!ratio) return "-";
    return *ratio < 10 ? fmt::format("{:.3g}%", 100 * (*ratio - 1)) : "10 times";
}

void print_row(std::ostream& out, const std::string& name, std::size_t width, const Ranked& c,
               double unit)
{
    out << fmt::format(
        "  {:<{}}{:>7}{:>10}{:>9}{:>10}{:>10}{:>9.3f}{:>17}{:>9}{:>12}\n", name, width, c.seconds.n,
        figure(unit * c.seconds.mean, 4), half_width(c.seconds.interval, unit),
        figure(unit * c.seconds.median, 4), figure(unit * c.seconds.least, 4), c.to_best.ratio,
        c.corrected ? range(c.to_best.interval) : "-",
        c.corrected ? fmt::format("{:.2g}", *c.corrected) : "-", percent_above_one(c.detectable));
}

/// Names, which may have commas; of more than four the first and how many others.
std::string enumerated(const std::vector<std::string>& names)
{
    if (names.size() > 4) return fmt::format("{} and {} others", names[0], names.size() - 1);
    return fmt::format("{}", fmt::join(names, "; "));
}

/// Cases whose difference from the best is not significant: how far from it they may be, and what
/// twice as many rounds would show.
std::string verdict_of_alike(const std::vector<std::string>& names,
                             const std::vector<Ranked>& alike, const Ranking& r)
{
    double widest = 1;
    std::optional<double> shown;
    for (const Ranked& c : alike) {
        const Interval& i = *c.to_best.interval;
        widest = std::max({widest, i.high, 1 / i.low});
        const auto found = detectable_ratio(*c.to_best.deviation, 2 * c.to_best.rounds,
                                            r.certainty.level / r.pairs, r.certainty.power);
        shown = std::max(shown, found);
    }
    const auto apart = [](double ratio) {
        return ratio < 2 ? figure(100 * (ratio - 1), 2) + '%' : "a factor of " + figure(ratio, 2);
    };
    std::string text = fmt::format("{} do not differ significantly: {} within {} ({:g}% intervals)",
                                   enumerated(names), names.size() > 2 ? "all" : "both",
                                   apart(widest), 100 * r.certainty.confidence);
    if (shown)
        text +=
            fmt::format("; {} more would show {}{}", counted(alike.front().to_best.rounds, "round"),
                        *shown < 2 ? "a difference of " : "", apart(*shown));
    return text;
}

/// Empty where there are no two cases to compare.
std::string verdict_of(const Design& d, const Ranking& r)
{
    std::vector<Ranked> ranked, alike;
    for (const Ranked& c : r.cases)
        if (c.failure.empty()) ranked.push_back(c);
    if (ranked.size() < 2) return {};
    const auto name = [&](const Ranked& c) { return d.cases[c.which].name; };
    if (!ranked[1].corrected) return "one round: no intervals, and nothing is certain";
    std::vector<std::string> names{name(ranked[0])};
    for (std::size_t i = 1; i < ranked.size(); ++i)
        if (ranked[i].corrected && !ranked[i].differs) {
            alike.push_back(ranked[i]);
            names.push_back(name(ranked[i]));
        }
    if (alike.empty()) {
        const Interval& i = *ranked[1].to_best.interval;
        return fmt::format("{} is the fastest: {}, the next, takes {} to {} times as long ({:g}% "
                           "interval)",
                           name(ranked[0]), name(ranked[1]), decimals(i.low), decimals(i.high),
                           100 * r.certainty.confidence);
    }
    const bool slower = alike.size() + 1 < ranked.size();
    return verdict_of_alike(names, alike, r) + (slower ? "; the other cases are slower" : "");
}

void print_failures(std::ostream& out, const Design& d, const Ranking& r)
{
    for (const Ranked& c : r.cases)
        if (!c.failure.empty())
            out << fmt::format("  not ranked: {}: {}\n", d.cases[c.which].name, c.failure);
}

Json json_of(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json json_of(const std::optional<Interval>& i)
{
    return i ? Json::array({i->low, i->high}) : Json();
}

Json json_of(const Case& c, const Ranked& r)
{
    Json j = to_json(c);
    j["rounds"] = r.seconds.n;
    const bool ranked = r.failure.empty();
    j["seconds"] = !ranked ? Json()
                           : Json{{"mean", r.seconds.mean},
                                  {"interval", json_of(r.seconds.interval)},
                                  {"deviation", json_of(r.seconds.deviation)},
                                  {"median", r.seconds.median},
                                  {"best", r.seconds.least}};
    j["to_best"] = !ranked ? Json()
                           : Json{{"ratio", r.to_best.ratio},
                                  {"interval", json_of(r.to_best.interval)},
                                  {"p", json_of(r.corrected ? r.to_best.p : std::nullopt)},
                                  {"p_corrected", json_of(r.corrected)},
                                  {"differs", r.differs},
                                  {"detectable", json_of(r.detectable)}};
    j["failure"] = ranked ? Json() : Json(r.failure);
    return j;
}

} // namespace

void print_text(std::ostream& out, const Design& d, const Ranking& r)
{
    std::size_t width = 8;
    for (const Case& c : d.cases) width = std::max(width, c.name.size() + 2);
    const bool any = !r.cases.empty() && r.cases.front().failure.empty();
    const Unit unit = unit_for(any ? r.cases.front().seconds.least : 1);
    out << fmt::format("\n{}, {} in shuffled order{}", counted(long(d.cases.size()), "case"),
                       counted(d.rounds, "round"), d.warm_up ? " after a warm-up" : "");
    if (any)
        out << fmt::format(
            "; times in {}; +- and low - high: {:g}% intervals by Student's t;\nratio: to the "
            "best, "
            "from the logarithms of each round's ratio; p: paired t-test, two-sided{}\n(certain "
            "below {:g}); found from: so much slower than the best would have been found with a "
            "probability of {:g}%",
            unit.name, 100 * r.certainty.confidence,
            r.pairs > 1 ? fmt::format(", by Holm for all {} pairs", r.pairs) : "",
            r.certainty.level, 100 * r.certainty.power);
    out << '\n';
    if (any)
        out << fmt::format("  {:<{}}{:>7}{:>10}{:>9}{:>10}{:>10}{:>9}{:>17}{:>9}{:>12}\n", "case",
                           width, "rounds", "mean", "+-", "median", "best", "ratio", "low - high",
                           "p", "found from");
    for (const Ranked& c : r.cases)
        if (c.failure.empty()) print_row(out, d.cases[c.which].name, width, c, unit.of_second);
    print_failures(out, d, r);
}

void print_verdict(std::ostream& out, const Design& d, const Ranking& r)
{
    if (const std::string verdict = verdict_of(d, r); !verdict.empty())
        out << "\nverdict: " << verdict << '\n';
}

Json to_json(const Design& d, const Ranking& r)
{
    Json cases = Json::array();
    for (const Ranked& c : r.cases) cases.push_back(json_of(d.cases[c.which], c));
    return {{"rounds", d.rounds},
            {"warm_up", d.warm_up},
            {"seed", d.seed},
            {"confidence", r.certainty.confidence},
            {"level", r.certainty.level},
            {"power", r.certainty.power},
            {"pairs", r.pairs},
            {"cases", cases}};
}

} // namespace qcd::experiment
