#pragma once

#include "codelets/hopping/slots.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// out <- a o v + b o (H psi) [+ u], with a clover term in v or before u:
///   out <- a o T v + b o (H psi) [+ u]       T = A + i twist gamma5, A = 1 + clover term
///   out <- T^-1 (a o v + b o (H psi)) [+ u]  T^-1 = (A - i twist gamma5) B, B = (A^2 + twist^2)^-1
/// on the sites of one parity of one tile,
///   (H psi)(x) = sum_mu [(1-gamma_mu) U_mu(x) psi(x+mu)
///                        + (1+gamma_mu) U_mu(x-mu)^dagger psi(x-mu)],
/// a, b diagonal in spin (chiral). Terms in the order +x -x +y -y +z -z +t -t. The phase of the
/// boundary in t is in the links, or in negate_t where these are stored in 12 or 8 reals. D, Q,
/// Dhat and both their halves are such hops (solver/operator.hpp).
///   [out]         W   spinor, sites of `parity`; may not be the tile of any input; optional:
///                     without it only the sums are made; undefined behind a closed gate
///   [psi]         R   spinor, sites of the other parity
///   [links]       R   4 links a site, sites of `parity`, stored as device/link.h says
///   [links_other] R   4 links a site, sites of the other parity
///   [v]           R   spinor, optional: absent means a = 0; needed with QCD_SUM_V_OUT
///   [u]           R   spinor, needed with add_u and QCD_SUM_U_OUT only
///   [sums]        W   5 exact accumulators (exact_sum.h), needed where sums are asked for;
///                     undefined behind a closed gate
///   [gate]        R   solve_scalars, optional: when it is closed nothing is written
///   [clover]      R   A, 72 plain reals a site (device/clover.h), sites of `parity`, optional:
///                     for T v, and beside [inverse] where twist is not 0
///   [inverse]     R   B, in the same form, optional: with it T^-1
///   [faces 2mu]   R   where shape.cut[mu]: half spinors (1-gamma_mu) psi from the tile at +mu
///   [faces 2mu+1] R   half spinors U^dagger (1+gamma_mu) psi from the tile at -mu
/// On cores args.reach says where these lie (device/args.h), and args.prefetch how they are asked
/// for (args.h); with QCD_REACH_MEMORY out is written past the caches, and must be aligned to 64 B.
/// Cost per site: 1320 flop (by convention, without a and b, nor what makes links of 12 and 8 reals
/// whole), and 504 for each of A and B; 8 links + psi (shared by 8 sites) + out.
const Codelet& hopping_codelet(Precision, LinkStorage = LinkStorage::full);

// What the parts of a hop (hop_inside, hop_border) have in common with it, and some of it linked_hop,
// whose arguments begin with those of a hop.

double hopping_flops(const void* args, unsigned present);
/// The share of a field or of other data of the tile that a part goes through; of faces all.
double hopping_share(const void* args, int slot);
int hopping_blocks(const void* args);
const char* hopping_opencl_kernel(int precision, const void* args, void* const* slots);

} // namespace qcd
