#pragma once
// Work groups of the sandpile's operations, for all kinds of workers.

#include "runtime/operation.hpp"
#include "studies/sandpile/args.h"

namespace qcd
{

inline WorkGroups pile_overlap_groups(const pile_overlap_args& a)
{
    constexpr int block = QCD_PILE_BLOCK;
    const std::size_t side = block + 2 * std::size_t(a.sweeps);
    return {((a.nx + block - 1) / block) * ((a.ny + block - 1) / block), 256,
            2 * side * side * sizeof(int)};
}

inline WorkGroups pile_avalanche_groups(const pile_avalanche_args& a)
{
    return {1, 256, (2 * std::size_t(a.nx) * a.ny + pile_report_words) * sizeof(int)};
}

} // namespace qcd
