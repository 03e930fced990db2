#include "drivers/compare/calibration.hpp"

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "runtime/session.hpp"
#include "runtime/starpu_home.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <tuple>

namespace qcd
{

namespace
{

using Json = nlohmann::ordered_json;
using Key = std::tuple<std::string, std::string, std::string>;

/// StarPU's STARPU_CALIBRATE_MINIMUM.
constexpr int enough_timings = 10;
/// What is done once in a solve is then done often enough, and twice at least what is done in every
/// iteration: StarPU does not count the first.
constexpr int solves = enough_timings + 2, iterations = 12;
constexpr int most_runs = 6; // of a case

Key key_of(const ModelEntry& e) { return {e.symbol, e.worker, e.footprint}; }

std::map<Key, ModelEntry> models()
{
    std::map<Key, ModelEntry> all;
    for (const ModelEntry& e : read_models(starpu_samples_folder(), starpu_host()))
        all[key_of(e)] = e;
    return all;
}

/// What a run has measured.
std::set<Key> grown(const std::map<Key, ModelEntry>& before, const std::map<Key, ModelEntry>& after)
{
    std::set<Key> some;
    for (const auto& [key, e] : after) {
        const auto was = before.find(key);
        if (was == before.end() || was->second.timings != e.timings) some.insert(key);
    }
    return some;
}

bool trusted(const ModelEntry& e) { return e.timings >= enough_timings; }

std::string scheduler_of(const RunSpec& o, bool gpus)
{
    if (!o.execution.sched().empty()) return o.execution.sched();
    if (const char* const name = std::getenv("STARPU_SCHED"); name && *name) return name;
    const bool devices = o.execution.opencl().value_or(0) > 0 || (gpus && o.execution.cuda() != 0);
    return devices ? "dmdas" : "lws"; // the session's
}

} // namespace

RunSpec short_solves(RunSpec o)
{
    o.execution.calibrate = true;
    o.method.iterations = iterations;
    o.execution.repeat = solves;
    return o;
}

bool asks_models(const RunSpec& o, bool gpus)
{
    if (o.execution.split() || (o.execution.plan() && !has_scheduler(o.execution.plan()->kind)))
        return false;
    return !o.execution.sched_lib().empty() || asks_models(scheduler_of(o, gpus));
}

int Calibration::short_of_timings() const
{
    return int(std::count_if(entries.begin(), entries.end(),
                             [](const ModelEntry& e) { return !trusted(e); }));
}

std::string name_of(const ModelEntry& e)
{
    return fmt::format("{}, {}, {} bytes", e.symbol, e.worker, e.bytes);
}

std::string Calibration::changed() const
{
    const std::map<Key, ModelEntry> now = models();
    for (const ModelEntry& e : entries) {
        const auto there = now.find(key_of(e));
        if (there == now.end()) return name_of(e) + " is not there any more";
        if (there->second.timings != e.timings || there->second.mean_us != e.mean_us)
            return fmt::format("{} has {} timings, had {}", name_of(e), there->second.timings,
                               e.timings);
    }
    return {};
}

std::optional<Calibration> calibrate(const std::vector<Variant>& variants, bool gpus,
                                     const CalibrationControl& control)
{
    Calibration c;
    std::set<Key> used;
    for (const Variant& v : variants) {
        if (!asks_models(v.options, gpus)) continue;
        std::set<Key> of_case; // in any of its runs: StarPU may count none of a run's timings
        for (int i = 0; i < most_runs; ++i) {
            control.progress(v);
            const auto before = models();
            const auto outcome = control.run(v);
            if (!outcome) return std::nullopt;
            ++c.runs;
            const auto after = models();
            of_case.merge(grown(before, after));
            if (std::all_of(of_case.begin(), of_case.end(), [&](const Key& key) {
                    const auto there = after.find(key);
                    return there != after.end() && trusted(there->second);
                }))
                break;
        }
        used.merge(of_case);
    }
    c.folder = models_in(starpu_samples_folder()).string();
    for (const auto& [key, e] : models()) // later cases have measured what earlier ones use, too
        if (used.count(key)) c.entries.push_back(e);
    return c;
}

namespace
{

std::string file_in(const std::string& folder) { return folder + "/calibration.json"; }

} // namespace

std::optional<Calibration> read_calibration(const std::string& folder)
{
    std::ifstream in(file_in(folder), std::ios::binary);
    if (!in) return std::nullopt;
    try {
        const Json j = Json::parse(in);
        Calibration c{j.at("folder"), j.at("runs"), {}};
        for (const Json& e : j.at("models"))
            c.entries.push_back({e.at("symbol"), e.at("worker"), e.at("footprint"), e.at("bytes"),
                                 e.at("mean_us"), e.at("deviation_us"), e.at("timings")});
        return c;
    } catch (const Json::exception&) {
        throw Error(file_in(folder) + ": damaged");
    }
}

void write_calibration(const std::string& folder, const Calibration& c)
{
    Json entries = Json::array();
    for (const ModelEntry& e : c.entries)
        entries.push_back({{"symbol", e.symbol},
                           {"worker", e.worker},
                           {"footprint", e.footprint},
                           {"bytes", e.bytes},
                           {"mean_us", e.mean_us},
                           {"deviation_us", e.deviation_us},
                           {"timings", e.timings}});
    const Json j{{"folder", c.folder}, {"runs", c.runs}, {"models", entries}};
    write_whole(file_in(folder), j.dump(2) + "\n");
}

} // namespace qcd
