#pragma once
// What the operations of the ladder do: vector operations and their sums, D in one kernel, and D in
// two for each neighbour. A test compares it with their tables.

#include "codelets/ladder/ladder_quotient/slots.h"
#include "codelets/ladder/ladder_stencil/slots.h"
#include "codelets/ladder/ladder_sum/slots.h"
#include "codelets/ladder/ladder_total/slots.h"
#include "codelets/ladder/ladder_xaxpy/slots.h"
#include "codelets/ladder/ladder_xcopy/slots.h"
#include "codelets/ladder/ladder_xdot/slots.h"
#include "codelets/ladder/ladder_xgemm33x34/slots.h"
#include "codelets/ladder/ladder_xgemm34x44/slots.h"
#include "codelets/ladder/ladder_xnrm2/slots.h"
#include "codelets/ladder/ladder_xscal/slots.h"
#include "codelets/ladder/versions.hpp"
#include "codelets/variants.hpp"

namespace qcd
{

/// y <- x from a complex number on; without x, y <- 0. x is a tile, or its first or last time
/// slice, for the tile next to it.
///   [y] W  complex numbers
///   [x] R  as many or more; may not be the memory of y; may be absent
const Codelet& ladder_xcopy_codelet(Precision);

/// x <- alpha x on one tile.
///   [x]     RW  spinors
///   [alpha] R   1 complex number in double
/// Cost per complex number: 6 flop, 2 complex.
const Codelet& ladder_xscal_codelet(Precision);

/// y <- y + factor alpha x on one tile.
///   [y]     RW  spinors
///   [x]     R   spinors; may not be the tile of y
///   [alpha] R   1 complex number in double; absent: 1
/// Cost per complex number: 8 flop, 3 complex; 4 without alpha.
const Codelet& ladder_xaxpy_codelet(Precision);

/// The first pass of (x|y), the sum of conj(x) y, on one tile: a sum of each 256 items.
///   [sums] W  a complex number in double for each
///   [x] [y] R  spinors
/// Cost per complex number: 8 flop, 2 complex.
const Codelet& ladder_xdot_codelet(Precision);

/// The first pass of |x|^2, the square of BLAS's xnrm2, on one tile: a sum of each 256 items.
///   [sums] W  a complex number in double for each, imaginary part 0
///   [x]    R  spinors
/// Cost per complex number: 4 flop, 1 complex.
const Codelet& ladder_xnrm2_codelet(Precision);

/// A further pass: a sum of each 256 parts.
///   [sums]  W  complex numbers in double
///   [parts] R  complex numbers in double
/// Cost per part: 2 flop.
const Codelet& ladder_sum_codelet(Precision);

/// sum <- the sum of what tiles have, in their order; or sum + that, where it is updated.
///   [sum]   W  1 complex number in double
///   [parts] R  1 complex number in double each; at least the first
const Codelet& ladder_total_codelet(Precision);

/// quotient <- conj(a) / b; 0 where b = 0. It gives alpha, conj((r|Ar)) / |Ap|^2, and beta,
/// conj((r|Ar)) / (r|Ar)_before (docs/conventions.md, erratum).
///   [quotient] W  1 complex number in double
///   [a] [b]    R  1 complex number in double
const Codelet& ladder_quotient_codelet(Precision);

/// out <- a o psi + b o (H psi) on one tile (codelets/ladder/shape.h), in one kernel: for each of
/// the eight neighbours xgemm34x44, spinor (3x4) times spin matrix (4x4), then xgemm33x34, link
/// (3x3) times spinor. o: a and b by spin. Antiperiodic signs are in the links.
///   [out]        W  spinors; may not be the tile of psi
///   [psi]        R  spinors
///   [below]      R  the last time slice of the tile behind in t; absent where t is not cut
///   [above]      R  the first one of the tile ahead
///   [links]      R  8 matrices a site, in the version's layout (codelets/ladder/links.h)
///   [neighbours] R  8 ints a site: ladder_neighbour(); absent where the version computes them
///   [spin]       R  8 full 4x4 matrices L[d][row][column]; absent where they are written out
/// Cost per site: 5328 flop with full matrices (8 (360 + 264) + 336), 2640 written out
/// (8 (24 + 264) + 336).
const Codelet& ladder_stencil_codelet(Precision, const LadderVersion& = ladder_version("1.2"),
                                      int multiple = 8);

/// out(x) <- psi(neighbour of x in direction d) (1 -+ gamma_mu) on one tile: spinor (3x4) times
/// spin matrix (4x4), written out.
///   [out]   W  spinors; may not be the tile of psi
///   [psi]   R  spinors
///   [below] R  the last time slice of the tile behind in t; absent where d needs none
///   [above] R  the first one of the tile ahead
/// Cost per site: 24 flop.
const Codelet& ladder_xgemm34x44_codelet(Precision, const LadderVersion& = ladder_version("2.0"),
                                         int multiple = 8);

/// out <- a o psi + b o (U_d t), or without psi, where out is updated, out + b o (U_d t), on one
/// tile: link (3x3) times spinor (3x4). o: a and b by spin.
///   [out]   W  spinors; RW without psi
///   [t]     R  spinors: what xgemm34x44 of this direction made
///   [links] R  8 matrices a site (codelets/ladder/links.h), of which direction d is used
///   [psi]   R  spinors; absent: out is added to
/// Cost per site: 432 flop with psi, 360 without (264, 72 for each o, 24 for the sum).
const Codelet& ladder_xgemm33x34_codelet(Precision, const LadderVersion& = ladder_version("2.0"),
                                         int multiple = 8);

} // namespace qcd
