#include "drivers/plan/schedule_file.hpp"

#include "base/error.hpp"
#include "program/json_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <utility>

namespace qcd
{

namespace
{

using Json = nlohmann::ordered_json;

constexpr int version = 1; // of the format

Json json_of(const Schedules::Entry& e, std::size_t workers)
{
    const auto dependencies = e.period.dependencies();
    Json operations = Json::array();
    for (std::size_t o = 0; o < e.period.operations.size(); ++o) {
        const Period::Operation& one = e.period.operations[o];
        const double took = e.schedule.took.empty() ? 0 : e.schedule.took[o];
        operations.push_back({{"name", one.name},
                              {"tile", one.part < 0 ? Json() : Json(one.part)},
                              {"seconds", took > 0 ? Json(took) : Json()},
                              {"waits_for", dependencies[o]}});
    }
    std::vector<std::vector<int>> lists(workers);
    for (const int o : e.schedule.order)
        lists[std::size_t(e.schedule.worker[std::size_t(o)])].push_back(o);
    const auto a_replay = [&](double all) {
        return e.replayed > 0 ? Json(all / e.replayed) : Json();
    };
    return {{"iteration", e.fingerprint},
            {"seconds", e.schedule.seconds > 0 ? Json(e.schedule.seconds) : Json()},
            {"copies", a_replay(double(e.copies))},
            {"copied_bytes", a_replay(e.copied_bytes)},
            {"operations", operations},
            {"lists", lists}};
}

double seconds_of(const Json& j) { return j.is_number() ? j.get<double>() : 0; }

/// Throws nlohmann's exceptions where something is missing or of another type.
ScheduleFile::Iteration iteration_of(const Json& j)
{
    ScheduleFile::Iteration i{.fingerprint = j.at("iteration"), .operations = {}, .schedule = {}};
    Schedule& s = i.schedule;
    for (const Json& o : j.at("operations")) {
        i.operations.push_back({o.at("name"), o.at("tile").is_null() ? -1 : o.at("tile").get<int>(),
                                o.at("waits_for")});
        s.took.push_back(seconds_of(o.at("seconds")));
    }
    s.worker.assign(i.operations.size(), -1);
    s.seconds = seconds_of(j.at("seconds"));
    int worker = 0;
    for (const Json& list : j.at("lists")) {
        for (const int o : list.get<std::vector<int>>()) {
            if (o >= 0 && o < int(s.worker.size())) s.worker[std::size_t(o)] = worker;
            s.order.push_back(o);
        }
        ++worker;
    }
    return i;
}

} // namespace

void write_schedules(const std::string& file, const Schedules& schedules)
{
    if (schedules.known().empty())
        throw Error(fmt::format("{}: nothing to write: no iteration was repeated often enough to "
                                "have a schedule",
                                file));
    Json all = Json::array();
    for (const Schedules::Entry* e : schedules.known())
        all.push_back(json_of(*e, schedules.workers().size()));
    write_json(file, {{"schema_version", version},
                      {"program", "qcd_starpu"},
                      {"workers", schedules.kinds()},
                      {"schedules", all}});
}

ScheduleFile read_schedule_file(const std::string& file)
{
    std::ifstream in(file);
    if (!in) throw Error(fmt::format("{}: cannot be read", file));
    const Json j = Json::parse(in, nullptr, false);
    if (j.is_discarded()) throw Error(fmt::format("{}: this is no JSON", file));
    ScheduleFile all;
    try {
        if (j.at("schema_version").get<int>() != version)
            throw Error(fmt::format("{}: it is of another version of schedules ({}, this one reads "
                                    "{})",
                                    file, j.at("schema_version").dump(), version));
        all.kinds = j.at("workers").get<std::vector<std::string>>();
        for (const Json& one : j.at("schedules")) all.iterations.push_back(iteration_of(one));
    } catch (const nlohmann::json::exception& e) {
        throw Error(fmt::format("{}: no schedules: {}", file, e.what()));
    }
    if (all.iterations.empty()) throw Error(fmt::format("{}: there is no schedule in it", file));
    return all;
}

std::unordered_map<std::string, Schedule> read_schedules(const std::string& file,
                                                         const std::vector<std::string>& kinds)
{
    const ScheduleFile there = read_schedule_file(file);
    if (there.kinds != kinds)
        throw Error(fmt::format("{}: its lists are of other workers ({}) than this run has ({})",
                                file, fmt::join(there.kinds, ", "), fmt::join(kinds, ", ")));
    std::unordered_map<std::string, Schedule> all;
    for (const ScheduleFile::Iteration& i : there.iterations)
        all.emplace(i.fingerprint, i.schedule);
    return all;
}

} // namespace qcd
