#pragma once

#include "codelets/pack_faces/slots.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// The halo of one tile: what its neighbours' hops need of psi, as half spinors (6 complex a site),
/// for every direction mu with shape.cut[mu]. Links never travel: the sender multiplies.
///   [psi]         R  spinor, sites of `parity`
///   [links]       R  4 links a site, sites of `parity`
///   [gate]        R  solve_scalars, optional: nothing is written when it is closed
///   [faces 2mu]   W  lower face: (1-gamma_mu) psi(x) at the first sites in mu, for the tile at -mu
///   [faces 2mu+1] W  upper face: U_mu(x)^dagger (1+gamma_mu) psi(x) at the last sites, for the
///   tile at +mu
/// A face holds face_blocks(shape, mu) x 12 rows x 32 lanes of math reals.
/// Cost per face site: 12 complex read, 6 written; 12 flop; the upper faces read a link and do 144.
const Codelet& pack_faces_codelet(Precision, LinkStorage = LinkStorage::full);

} // namespace qcd
