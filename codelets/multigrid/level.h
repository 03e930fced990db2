#pragma once
// Sites of a level (level_args.h).

#include "codelets/device/site_sums.h"
#include "codelets/device/spinor.h"
#include "codelets/multigrid/level_args.h"

// No right-hand side of their own (launch/site_buffers.h).
#define QCD_OF_RHS_places(name, type)
#define QCD_OF_RHS_basis(name, type)
#define QCD_OF_RHS_matrices(name, type)
#define QCD_CLOSED_places(name)
#define QCD_CLOSED_basis(name)
#define QCD_CLOSED_matrices(name)

QCD_BEGIN

#define QCD_LEVEL_BLOCK (QCD_SPINOR_ROWS * QCD_LANES) // reals

/// Where the first component of a lane stands in a field; lanes are counted over all blocks.
QCD_FN int place_of_lane(int number)
{
    return number / QCD_LANES * QCD_LEVEL_BLOCK + lane_offset(number % QCD_LANES, QCD_SPINOR_ROWS);
}

/// One number for each chirality, in each of the caller's lanes.
typedef struct {
    cplx up, down; // of the components 0..5 and 6..11
} chiral_sums;

QCD_FN cplx colour_product(colour a, colour b, cplx sum) // sum + (a|b)
{
    return cfma_conj(a.c2, b.c2, cfma_conj(a.c1, b.c1, cfma_conj(a.c0, b.c0, sum)));
}
/// sums + (a|b) in each chirality: the order of components is part of the bits.
QCD_FN chiral_sums add_chiral_products(spinor a, spinor b, chiral_sums s)
{
    s.up = colour_product(a.s1, b.s1, colour_product(a.s0, b.s0, s.up));
    s.down = colour_product(a.s3, b.s3, colour_product(a.s2, b.s2, s.down));
    return s;
}
QCD_FN chiral_sums no_chiral_sums()
{
    chiral_sums s;
    s.up = s.down = csplat(scalar_make(0, 0));
    return s;
}

QCD_END
