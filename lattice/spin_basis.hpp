#pragma once
// Which gamma matrices the spin components of a spinor belong to.

#include <optional>
#include <string_view>

namespace qcd
{

enum class SpinBasis {
    degrand_rossi, ///< this program's, Chroma's, QUDA's and MILC's
    dirac,         ///< Dirac-Pauli: gamma_t = diag(1, 1, -1, -1); of non-relativistic projections
    chiral         ///< openQCD's, tmLQCD's and CL2QCD's: gamma_t = [[0, -1], [-1, 0]]
};

/// "degrand-rossi", "dirac", "chiral"
std::string_view to_string(SpinBasis);
std::optional<SpinBasis> spin_basis_of(std::string_view name);

/// psi in DeGrand-Rossi = U psi in the other basis. Every U that is used is real and orthogonal;
/// docs/spinor-files.md has the matrices.
using SpinRotation = double[4][4];
const SpinRotation& to_degrand_rossi(SpinBasis);

/// psi = U psi, or U^T psi: 24 numbers, spin, colour, re, im. What is multiplied by 0 is left out,
/// so that where U only exchanges and negates components, every bit is kept.
void rotate(const SpinRotation& u, double psi[24]);
void rotate_back(const SpinRotation& u, double psi[24]);

} // namespace qcd
