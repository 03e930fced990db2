#pragma once
// The numbers by which programs compare their operators.

#include <complex>
#include <functional>

namespace qcd
{

struct DiracParameters;
class SpinorField;
class Wilson;

/// Norms and products of a field psi: |.|^2, and (a|b) = sum of conj(a) b, over all components.
struct OperatorNorms {
    double norm2_psi = 0, norm2_Hpsi = 0, norm2_Dpsi = 0;
    std::complex<double> psi_D_psi, psi_g5D_psi; ///< (psi|D psi), (psi|gamma5 D psi)
    double norm2_DdagDpsi = 0;
    double norm2_psi_even = 0, norm2_Dhat_even_psi = 0; ///< of its even sites alone

    /// Makes them norms of psi times the root of that; what a double does not hold is no number.
    void multiply_by_power_of_two(int power);
};

/// Waits. Makes two fields on all sites, two on the even ones and one on the odd ones, besides psi,
/// which has all. `between` is called after each operator but the last; what it throws ends this.
OperatorNorms norms_of(
    const Wilson&, DiracParameters, const SpinorField& psi,
    const std::function<void()>& between = [] {});

} // namespace qcd
