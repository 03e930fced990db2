#pragma once
// What is compared, how often, and in which order: decided before anything is measured.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace qcd::experiment
{

using Json = nlohmann::ordered_json;

/// One setting of what varies from case to case.
struct Factor {
    std::string key, value;
};

struct Case {
    std::string name; ///< no two alike
    std::vector<Factor> factors;
};

/// Each round runs every case once.
struct Design {
    std::vector<Case> cases;             ///< the same keys in each
    std::vector<std::string> quantities; ///< what a run measures beside its seconds
    int rounds = 1;                      ///< that count
    bool warm_up = true;                 ///< one round more before them, which does not count
    std::uint64_t seed = 1;              ///< of the orders
    bool one_result = true;              ///< of all cases; else of each case by itself
    Json common = Json::object();        ///< what all cases have alike: program, problem
};

/// The cases' places in a round (0: the warm-up), shuffled: a function of seed and round alone, the
/// same on every machine (Fisher and Yates; random numbers of base/random.hpp).
std::vector<int> order_of(const Design&, int round);

Json to_json(const Case&); ///< name, factors
Json to_json(const Design&);

/// The folder, made if it is not there, is this design's: design.json in it says so. Throws Error
/// where it is another's, naming what differs first, and where it has files but no design; nothing
/// is changed then.
void claim_folder(const std::string& folder, const Design&);

} // namespace qcd::experiment
