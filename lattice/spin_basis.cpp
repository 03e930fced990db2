#include "lattice/spin_basis.hpp"

#include <algorithm>

namespace qcd
{

namespace
{

constexpr int reals_per_spin = 6; ///< three colours

template <class Element>
void multiply(Element u, double psi[24])
{
    double out[24];
    for (int i = 0; i < 4; ++i) {
        double* row = out + i * reals_per_spin;
        bool first = true;
        for (int j = 0; j < 4; ++j) {
            const double factor = u(i, j);
            if (factor == 0) continue;
            for (int k = 0; k < reals_per_spin; ++k) {
                const double term = factor * psi[j * reals_per_spin + k];
                row[k] = first ? term : row[k] + term;
            }
            first = false;
        }
    }
    std::copy(out, out + 24, psi);
}

constexpr double h = 0.70710678118654752440; ///< 1/sqrt(2)
constexpr SpinRotation one{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
/// i/sqrt(2) [[s2, -s2], [s2, s2]]
constexpr SpinRotation of_dirac{{0, h, 0, -h}, {-h, 0, h, 0}, {0, h, 0, h}, {-h, 0, -h, 0}};
/// gamma_y, with which the other three, whose signs are opposite, anticommute
constexpr SpinRotation of_chiral{{0, 0, 0, -1}, {0, 0, 1, 0}, {0, 1, 0, 0}, {-1, 0, 0, 0}};

constexpr SpinBasis all_bases[] = {SpinBasis::degrand_rossi, SpinBasis::dirac, SpinBasis::chiral};

} // namespace

std::string_view to_string(SpinBasis basis)
{
    return basis == SpinBasis::dirac    ? "dirac"
           : basis == SpinBasis::chiral ? "chiral"
                                        : "degrand-rossi";
}

std::optional<SpinBasis> spin_basis_of(std::string_view name)
{
    for (const SpinBasis basis : all_bases)
        if (to_string(basis) == name) return basis;
    return std::nullopt;
}

const SpinRotation& to_degrand_rossi(SpinBasis basis)
{
    return basis == SpinBasis::dirac ? of_dirac : basis == SpinBasis::chiral ? of_chiral : one;
}

void rotate(const SpinRotation& u, double psi[24])
{
    multiply([&](int i, int j) { return u[i][j]; }, psi);
}

void rotate_back(const SpinRotation& u, double psi[24])
{
    multiply([&](int i, int j) { return u[j][i]; }, psi);
}

} // namespace qcd
