#pragma once
// Work groups of the versions, for CUDA and OpenCL alike.

#include "runtime/operation.hpp"
#include "studies/matmul/args.h"

namespace qcd
{

/// The squares of this side that C has, a group for each.
inline int matmul_squares_of(const matmul_args& a, int side)
{
    return ((a.n + side - 1) / side) * ((a.m + side - 1) / side);
}
inline WorkGroups matmul_blocks_groups(const matmul_args& a)
{
    constexpr int side = QCD_MATMUL_SQUARE;
    return {matmul_squares_of(a, side), side * side, sizeof(double)};
}
inline WorkGroups matmul_shared_groups(const matmul_args& a)
{
    constexpr int side = QCD_MATMUL_SQUARE;
    return {matmul_squares_of(a, side), side * side, 2 * side * side * sizeof(double)};
}
inline WorkGroups matmul_four_groups(const matmul_args& a)
{
    constexpr int side = QCD_MATMUL_SIDE;
    return {matmul_squares_of(a, side), side * side / QCD_MATMUL_EACH,
            2 * side * QCD_MATMUL_DEPTH * sizeof(double)};
}

} // namespace qcd
