#pragma once
// The area bound: no schedule of these tasks on these workers takes less time, whatever waits for
// what.

#include <vector>

namespace qcd
{

/// Tasks of several sorts, workers of several kinds.
struct AreaProblem {
    std::vector<double> tasks;                ///< of each sort
    std::vector<int> workers;                 ///< of each kind
    std::vector<std::vector<double>> seconds; ///< [sort][kind] of a task; infinite: it cannot
};

/// Where it is reached, tasks of a sort may be parted between kinds.
struct AreaBound {
    double seconds = 0;
    std::vector<std::vector<double>> tasks; ///< [sort][kind]
};

/// Was the program built with a solver of linear programs? Only problems of several kinds need it.
bool has_linear_programs();

/// The least T for which every kind can do its part in T times its workers, by the linear program
///   minimise T;  sum over kinds of x[sort][kind] = tasks[sort];  x >= 0;
///   sum over sorts of seconds[sort][kind] x[sort][kind] <= T workers[kind].
/// Infinite where a sort can run on no kind, no number where a solver is needed and not there.
AreaBound area_bound(const AreaProblem&);

} // namespace qcd
