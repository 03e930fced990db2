#pragma once
// Work groups of the versions, for CUDA and OpenCL alike.

#include "runtime/operation.hpp"
#include "studies/matmul/args.h"

namespace qcd
{

inline int matmul_squares_of(const matmul_args& a, int side)
{
    return ((a.n + side - 1) / side) * ((a.m + side - 1) / side);
}
inline WorkGroups matmul_blocks_groups(const matmul_args& a)
{
    return {matmul_squares_of(a, QCD_MATMUL_SQUARE), QCD_MATMUL_SQUARE * QCD_MATMUL_SQUARE,
            sizeof(double)};
}
inline WorkGroups matmul_shared_groups(const matmul_args& a)
{
    constexpr int items = QCD_MATMUL_SQUARE * QCD_MATMUL_SQUARE;
    return {matmul_squares_of(a, QCD_MATMUL_SQUARE), items, 2 * items * sizeof(double)};
}
inline WorkGroups matmul_four_groups(const matmul_args& a)
{
    return {matmul_squares_of(a, QCD_MATMUL_SIDE),
            QCD_MATMUL_SIDE * QCD_MATMUL_SIDE / QCD_MATMUL_EACH,
            2 * QCD_MATMUL_SIDE * QCD_MATMUL_DEPTH * sizeof(double)};
}
inline WorkGroups matmul_padded_groups(const matmul_args& a) { return matmul_four_groups(a); }

} // namespace qcd
