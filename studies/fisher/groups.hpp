#pragma once
// Work groups of fisher's operations, for all kinds of workers.

#include "runtime/operation.hpp"
#include "studies/fisher/args.h"

namespace qcd
{

inline constexpr std::size_t fisher_lanes_bytes = QCD_FISHER_LANES * sizeof(double);

/// A group for each row.
inline WorkGroups fisher_row_groups(const fisher_args& a)
{
    return {a.rows, QCD_FISHER_LANES, fisher_lanes_bytes};
}
inline WorkGroups fisher_scalars_groups(const fisher_scalars_args&)
{
    return {1, QCD_FISHER_LANES, fisher_lanes_bytes};
}
inline WorkGroups fisher_whole_groups(const fisher_whole_args&)
{
    return {1, QCD_FISHER_WHOLE, fisher_lanes_bytes * QCD_FISHER_WHOLE / QCD_FISHER_LANES};
}

} // namespace qcd
