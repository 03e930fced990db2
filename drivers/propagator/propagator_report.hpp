#pragma once
// What a propagator is printed and written as.

#include "drivers/run/run_report.hpp"
#include "drivers/spec/commands.hpp"
#include "lattice/pion_correlator.hpp"

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>

namespace qcd
{

inline constexpr int propagator_sources = 12; ///< number 3 spin + colour

struct Propagator {
    std::vector<RunReport> solves; ///< of each source
    std::vector<bool> kept;        ///< is it from an earlier run?
    PionCorrelator pion;
    std::string file;                     ///< that it is in; empty: none
    std::optional<BoundaryPhases> phases; ///< in it; none: there are none
    std::string unsaved;                  ///< why it is in none
};

/// The source, with what is done to it.
std::string source_text(const PropagatorSpec&);

const RunReport& worst_of(const Propagator&);
/// The first report is what all solves have alike.
void print_text(std::ostream&, const RunReport&, const PropagatorSpec&, const Propagator&);
nlohmann::ordered_json to_json(const RunReport&, const PropagatorSpec&, const Propagator&);

} // namespace qcd
