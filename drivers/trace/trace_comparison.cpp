#include "drivers/trace/trace_comparison.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <ostream>
#include <tuple>

namespace qcd
{

namespace
{

using Json = nlohmann::ordered_json;
using Side = TraceComparison::Side;

Json json_of(const Side& s)
{
    return {{"count", s.count}, {"mean_us", s.mean_us}, {"total_ms", s.total_ms}};
}

Side idle_of(const TraceReport& r)
{
    return {0, 0, r.profile.idle_share * r.profile.workers * r.wall_ms()};
}

} // namespace

TraceComparison compare(const TraceReport& first, const TraceReport& second)
{
    TraceComparison c{first, second, {}};
    std::map<std::pair<std::string, std::string>, TraceComparison::Row> rows;
    const auto add = [&](const TraceReport& r, Side TraceComparison::Row::*side) {
        for (const ProfileRow& row : r.profile.rows)
            rows[{row.name, row.worker_kind}].*side = {row.count, row.mean_us, row.total_ms};
    };
    add(first, &TraceComparison::Row::first);
    add(second, &TraceComparison::Row::second);
    for (auto& [key, row] : rows) {
        std::tie(row.name, row.worker) = key;
        c.rows.push_back(row);
    }
    c.rows.push_back({"idle", "", idle_of(first), idle_of(second)});
    std::stable_sort(c.rows.begin(), c.rows.end(),
                     [](const auto& a, const auto& b) { return a.change_ms() > b.change_ms(); });
    return c;
}

void print_text(std::ostream& out, const TraceComparison& c)
{
    std::size_t longest = 6;
    for (const auto& row : c.rows) longest = std::max(longest, row.name.size());
    out << fmt::format("from {} to {}: wall {:.3f} to {:.3f} ms ({:+.2f}%), {} to {} workers\n"
                       "  {:<{}}  {:<7}{:>9}{:>9}{:>11}{:>11}{:>12}{:>12}{:>12}\n",
                       c.first.folder, c.second.folder, c.first.wall_ms(), c.second.wall_ms(),
                       100 * (c.second.wall_ms() / c.first.wall_ms() - 1), c.first.profile.workers,
                       c.second.profile.workers, "kernel", longest, "worker", "count", "then",
                       "mean us", "then", "total ms", "then", "longer ms");
    for (const auto& row : c.rows)
        out << fmt::format(
            "  {:<{}}  {:<7}{:>9}{:>9}{:>11.2f}{:>11.2f}{:>12.3f}{:>12.3f}{:>+12.3f}\n", row.name,
            longest, row.worker, row.first.count, row.second.count, row.first.mean_us,
            row.second.mean_us, row.first.total_ms, row.second.total_ms, row.change_ms());
}

Json to_json(const TraceComparison& c)
{
    Json rows = Json::array();
    for (const auto& row : c.rows)
        rows.push_back({{"name", row.name},
                        {"worker", row.worker},
                        {"first", json_of(row.first)},
                        {"second", json_of(row.second)},
                        {"change_ms", row.change_ms()}});
    return {{"folder", c.second.folder}, {"wall_ms", c.second.wall_ms()}, {"rows", rows}};
}

} // namespace qcd
