#pragma once
// What is measured of a run beside its seconds (docs/compare.md).

#include "drivers/run/run_report.hpp"
#include "experiment/run_file.hpp"

#include <limits>
#include <string>
#include <vector>

namespace qcd
{

/// A value that a run did not measure.
inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// The groups that operations belong to, by what they are for.
inline const std::vector<std::string> kernel_groups{"hopping", "faces", "updates", "sums", "other"};

/// Names of quantities, in the order of an outcome's values.
std::vector<std::string> compare_quantities();
/// "cores_hopping_seconds", "devices_hopping_seconds", ...
std::string quantity_of(const std::string& kind, const std::string& group);

/// Why it does not count, in a line; empty: it does.
std::string failure_of(const RunReport&);
/// Does the operation belong to an application of D?
bool is_stencil(const std::string& kernel);
/// The digest of x; empty where it is not the same each time: with a version of the ladder, whose
/// kernels round differently on cores and devices, on both.
std::string digest_of(const RunReport&);

/// The outcome of a run that ended by itself. Why it is not ranked, if so, is its failure.
experiment::Outcome outcome_of(const RunReport&);

} // namespace qcd
