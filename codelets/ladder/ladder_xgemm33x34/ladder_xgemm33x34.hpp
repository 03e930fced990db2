#pragma once

#include "codelets/ladder/ladder_xgemm33x34/slots.h"
#include "codelets/ladder/versions.hpp"
#include "codelets/variants.hpp"

namespace qcd
{

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
