#include "solver/operator_norms.hpp"

#include "lattice/source_scale.hpp"
#include "solver/operator.hpp"
#include "tasks/updates.hpp"

namespace qcd
{

namespace
{

struct Products {
    std::complex<double> x_y;
    double norm2_y = 0, norm2_x = 0;
};

Products products(const SpinorField& x, const SpinorField& y)
{
    const LatticeSums sums(x.graph(), x.sites());
    dot(x, &y, sums);
    const auto s = sums.wait();
    return {{s[0], s[1]}, s[2], s[3]};
}

} // namespace

void OperatorNorms::multiply_by_power_of_two(int power)
{
    for (double* norm2 : {&norm2_psi, &norm2_Hpsi, &norm2_Dpsi, &norm2_DdagDpsi, &norm2_psi_even,
                          &norm2_Dhat_even_psi})
        *norm2 = times_power_of_two(*norm2, power);
    for (std::complex<double>* dot : {&psi_D_psi, &psi_g5D_psi})
        *dot = {times_power_of_two(dot->real(), power), times_power_of_two(dot->imag(), power)};
}

OperatorNorms norms_of(const Wilson& wilson, DiracParameters parameters, const SpinorField& psi,
                       const std::function<void()>& between)
{
    const auto like_psi = [&](Sites s) { return SpinorField(psi.graph(), psi.precision(), s); };
    const SpinorField out = like_psi(Sites::all), normal = like_psi(Sites::all);
    const SpinorField even = like_psi(Sites::even), out_even = like_psi(Sites::even);
    OperatorNorms n;

    for (const int parity : {0, 1})
        wilson.hop({.parity = parity, .out = &out, .psi = &psi, .b = spin::real(1)});
    Products p = products(psi, out); // H psi
    n.norm2_psi = p.norm2_x;
    n.norm2_Hpsi = p.norm2_y;
    between();

    DiracOperator(wilson, parameters, Matrix::D)(psi, out);
    p = products(psi, out); // D psi
    n.psi_D_psi = p.x_y;
    n.norm2_Dpsi = p.norm2_y;
    between();

    const DiracOperator Q(wilson, parameters, Matrix::gamma5_D);
    Q(psi, out);
    n.psi_g5D_psi = products(psi, out).x_y; // gamma5 D psi
    between();

    Q.adjoint(out, normal);
    n.norm2_DdagDpsi = products(out, normal).norm2_y; // D^dagger gamma5 gamma5 D psi
    between();

    scale(spin::real(1), psi, even);
    DiracOperator(wilson, parameters, Matrix::Dhat)(even, out_even);
    p = products(even, out_even); // Dhat psi_even
    n.norm2_psi_even = p.norm2_x;
    n.norm2_Dhat_even_psi = p.norm2_y;
    return n;
}

} // namespace qcd
