#pragma once
// `compare --simulate`: cases on a machine that need not be there, ranked by what they would take.

#include "drivers/compare/cases.hpp"
#include "drivers/simulation/machine_file.hpp"

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace qcd
{

struct SimulatedCase {
    experiment::Case shown;
    double seconds = 0;
    double gflops = 0;
    long tasks = 0, bytes_moved = 0;
    std::string failure; ///< why it has no time, in a line; empty: it has
};

/// Fastest first, those that failed last.
std::vector<SimulatedCase> simulate_cases(const std::vector<Variant>&, const SimulatedMachine&,
                                          const std::string& machine);

nlohmann::ordered_json to_json(const std::vector<SimulatedCase>&, const SimulatedMachine&,
                               int iterations);
void print_text(std::ostream&, const std::vector<SimulatedCase>&, const SimulatedMachine&,
                int iterations);

/// 0; 4 where a case has no time. Throws Error.
int run_simulated_comparison(const CompareSpec&);

} // namespace qcd
