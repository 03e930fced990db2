#pragma once
// Fisher's equation u_t = D (u_xx + u_yy) + R u (1 - u) on a rectangle with Dirichlet boundaries,
// implicit in time: Newton's method in each step, CG in each of its steps. D = R = 1.

#include "studies/frame/study.hpp"

namespace qcd::studies
{

/// fused     delta, r and |r|^2 in one kernel
/// separate  a kernel for each vector operation
/// whole     a solve is one kernel of one work group
std::unique_ptr<Study> make_fisher();

} // namespace qcd::studies
