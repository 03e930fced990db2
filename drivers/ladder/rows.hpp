#pragma once
// The rows of the ladder: a version on a device.

#include "drivers/run/run_report.hpp"
#include "drivers/spec/commands.hpp"
#include "experiment/run_file.hpp"

namespace qcd
{

struct LadderRow {
    LadderDevice device;
    RunSpec options;
    std::string version() const
    {
        return options.method.ladder() ? options.method.ladder()->name : "auto";
    }
    /// The version, and the sites of a work group where there are several.
    std::string name;
};

/// Device by device, versions in their order. cores: of this machine.
std::vector<LadderRow> ladder_rows(const LadderSpec&, const std::vector<LadderDevice>& devices,
                                   int cores);

/// The number of iterations by which all runs take less than ten minutes or so on two cores, at
/// most the study's: a function of their number and of the lattice alone, so that the same command
/// goes on.
int ladder_iterations(const Extents& lattice, int rows, int rounds);

/// Names of what is measured of a run beside its seconds.
const std::vector<std::string>& ladder_quantities();
experiment::Outcome ladder_outcome(const RunReport&);

} // namespace qcd
