#pragma once
// The links of a tile: 8 matrices a site, U_mu(x) for the neighbours ahead and U_mu(x-mu)^dagger, a
// copy, for those behind, 72 complex numbers. Two layouts:
//   site by site    U[site][d][row][column]
//   pairs (1.6)     U[mu][site][column][ahead, behind][row]: the two of a direction together, for
//                   all sites in a row; transposed; their columns side by side

#include "codelets/device/lang.h"
#include "codelets/device/plain_structs.h"
#include "codelets/ladder/switches.h"

#define QCD_LADDER_LINK_ELEMENTS 72

QCD_PLAIN_BEGIN

/// Place of an element of the matrix of direction d at a site, one of so many.
QCD_FN int ladder_link_place(const int switches, int sites, int site, int d, int row, int column)
{
    if (switches & QCD_LADDER_PAIRED)
        return ((d % 4 * sites + site) * 6 + column * 2 + d / 4) * 3 + row;
    return (site * 8 + d) * 9 + 3 * row + column;
}

QCD_PLAIN_END
