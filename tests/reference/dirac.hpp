#pragma once
// The Wilson operator as its formula reads, one full 4x4 spin matrix and one 3x3 link at a time:
//   (H psi)(x) = sum_mu [(1-gamma_mu) U_mu(x) psi(x+mu) + (1+gamma_mu) U_mu(x-mu)^dagger psi(x-mu)]
//   D = T - kappa H,   T = 1 + i mubar gamma5 (with csw also the clover term, clover.hpp)
//   Q = gamma5 D at mubar = 0

#include "tests/reference/fields.hpp"

namespace qcd::reference
{

struct Wilson {
    Extents lattice;
    Links links;
    double kappa = 0;
    double mubar = 0; ///< twisted mass, 2 kappa mu
    bool antiperiodic = true;
    double csw = 0; ///< of the clover term
};

using SpinMatrix = std::array<std::array<Complex, 4>, 4>; ///< [row][column]

/// gamma_x, gamma_y, gamma_z, gamma_t of the DeGrand-Rossi basis for mu = 0..3, gamma5 for mu = 5.
const SpinMatrix& gamma(int mu);

/// factor_one + factor_gamma gamma_mu.
SpinMatrix one_and_gamma(Complex factor_one, Complex factor_gamma, int mu);

/// The same spin matrix on every site.
Spinors spin_multiply(const SpinMatrix& m, const Spinors& psi);
Spinors gamma5(const Spinors& psi);

Spinors hopping(const Wilson& w, const Spinors& psi);

/// H^dagger as the adjoint of every single term of H, sent from x to the site the term read.
Spinors hopping_dagger(const Wilson& w, const Spinors& psi);

Spinors dirac(const Wilson& w, const Spinors& psi);        ///< D psi, mubar included
Spinors dirac_dagger(const Wilson& w, const Spinors& psi); ///< D^dagger psi
Spinors hermitian(const Wilson& w, const Spinors& psi);    ///< gamma5 D psi = (Q + i mubar) psi

/// Dhat = T_ee - kappa^2 H_eo T_oo^-1 H_oe. Odd sites of psi are ignored and are zero in the
/// result.
Spinors dirac_even(const Wilson& w, const Spinors& psi);
Spinors dirac_even_dagger(const Wilson& w, const Spinors& psi);

/// Right-hand side of Dhat x_e = b_e + kappa H_eo T_oo^-1 b_o.
Spinors even_source(const Wilson& w, const Spinors& b);

/// x_e completed by x_o = T_oo^-1 (b_o + kappa H_oe x_e).
Spinors complete_odd(const Wilson& w, const Spinors& x_even, const Spinors& b);

} // namespace qcd::reference
