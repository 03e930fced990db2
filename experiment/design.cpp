#include "experiment/design.hpp"

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/own_folder.hpp"
#include "base/random.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <numeric>

namespace qcd::experiment
{

namespace
{

/// A value in a message; "nothing" where it is not there.
std::string shown(const Json& whole, const std::string& path)
{
    const Json::json_pointer at(path);
    return whole.contains(at) ? qcd::quoted(whole.at(at).dump()) : "nothing";
}

/// The first difference, as "rounds: '5' there, '20' here".
std::string difference(const Json& there, const Json& here)
{
    std::string path = Json::diff(there, here).at(0).at("path");
    if (path.ends_with("/-")) { // appended to an array
        path.pop_back();
        path +=
            std::to_string(there.at(Json::json_pointer(path.substr(0, path.size() - 1))).size());
    }
    return fmt::format("{}: {} there, {} here", qcd::quoted(path.substr(path.empty() ? 0 : 1)),
                       shown(there, path), shown(here, path));
}

} // namespace

std::vector<int> order_of(const Design& d, int round)
{
    std::vector<int> order(d.cases.size());
    std::iota(order.begin(), order.end(), 0);
    const std::uint64_t key = splitmix64(splitmix64(d.seed) + std::uint64_t(round));
    for (std::size_t left = order.size(); left > 1; --left)
        std::swap(order[left - 1], order[splitmix64(key + left) % left]);
    return order;
}

Json to_json(const Case& c)
{
    Json factors = Json::array();
    for (const Factor& f : c.factors) factors.push_back({{"key", f.key}, {"value", f.value}});
    return {{"name", c.name}, {"factors", factors}};
}

Json to_json(const Design& d)
{
    Json cases = Json::array();
    for (const Case& c : d.cases) cases.push_back(to_json(c));
    return {{"rounds", d.rounds},         {"warm_up", d.warm_up}, {"seed", d.seed},
            {"quantities", d.quantities}, {"common", d.common},   {"cases", cases}};
}

void claim_folder(const std::string& folder, const Design& d)
{
    const std::string file = folder + "/design.json";
    const Json here = to_json(d);
    if (std::ifstream in(file, std::ios::binary); in) {
        const Json there = Json::parse(in, nullptr, false);
        if (there.is_discarded()) throw Error(file + ": damaged: no JSON");
        if (there != here)
            throw Error("{} has the runs of another design ({}): name another folder", folder,
                        difference(there, here));
        return;
    }
    require_free_folder("--out", folder, "design.json");
    const NewFolders made("--out", folder);
    write_whole(file, here.dump(2) + "\n");
}

} // namespace qcd::experiment
