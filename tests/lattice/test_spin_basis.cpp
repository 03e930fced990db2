// The gamma matrices of each basis, as docs/conventions.md and docs/spinor-files.md write them,
// and the rotations between the bases.

#include "lattice/spin_basis.hpp"
#include "tests/reference/dirac.hpp"
#include "tests/seed.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <cmath>
#include <complex>
#include <random>

using namespace qcd;

namespace
{

using Complex = std::complex<double>;
using Matrix = std::array<std::array<Complex, 4>, 4>;
using Block = std::array<std::array<Complex, 2>, 2>;

constexpr Complex i{0, 1};
const std::array<Block, 3> pauli{Block{{{0, 1}, {1, 0}}}, Block{{{0, -i}, {i, 0}}},
                                 Block{{{1, 0}, {0, -1}}}};

/// [[0, upper], [lower, 0]]
Matrix off_diagonal(const Block& s, Complex upper, Complex lower)
{
    Matrix m{};
    for (int r = 0; r < 2; ++r)
        for (int c = 0; c < 2; ++c) {
            m[r][2 + c] = upper * s[r][c];
            m[2 + r][c] = lower * s[r][c];
        }
    return m;
}

Matrix diagonal(const std::array<double, 4>& d)
{
    Matrix m{};
    for (int k = 0; k < 4; ++k) m[k][k] = d[k];
    return m;
}

Matrix gamma_of(SpinBasis basis, int mu)
{
    const Block unit{{{1, 0}, {0, 1}}};
    if (basis == SpinBasis::degrand_rossi) {
        if (mu == 3) return off_diagonal(unit, 1, 1);
        const Complex sign = mu == 1 ? -1 : 1;
        return off_diagonal(pauli[mu], sign * i, -sign * i);
    }
    if (mu < 3) return off_diagonal(pauli[mu], -i, i);
    return basis == SpinBasis::dirac ? diagonal({1, 1, -1, -1}) : off_diagonal(unit, -1, -1);
}

Matrix operator*(const Matrix& a, const Matrix& b)
{
    Matrix m{};
    for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 4; ++c)
            for (int k = 0; k < 4; ++k) m[r][c] += a[r][k] * b[k][c];
    return m;
}

double distance(const Matrix& a, const Matrix& b)
{
    double worst = 0;
    for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 4; ++c) worst = std::max(worst, std::abs(a[r][c] - b[r][c]));
    return worst;
}

Matrix rotation(SpinBasis basis)
{
    Matrix m{};
    for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 4; ++c) m[r][c] = to_degrand_rossi(basis)[r][c];
    return m;
}

Matrix adjoint(const Matrix& a)
{
    Matrix m{};
    for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 4; ++c) m[r][c] = std::conj(a[c][r]);
    return m;
}

const Matrix one = diagonal({1, 1, 1, 1});
constexpr double rounding = 1e-15;

} // namespace

TEST_CASE("the gamma matrices of every basis are an algebra", "[spin basis]")
{
    const auto basis = GENERATE(SpinBasis::degrand_rossi, SpinBasis::dirac, SpinBasis::chiral);
    for (int mu = 0; mu < 4; ++mu) {
        CHECK(distance(gamma_of(basis, mu), adjoint(gamma_of(basis, mu))) == 0);
        for (int nu = 0; nu < 4; ++nu) {
            Matrix sum = gamma_of(basis, mu) * gamma_of(basis, nu);
            const Matrix other = gamma_of(basis, nu) * gamma_of(basis, mu);
            for (int r = 0; r < 4; ++r)
                for (int c = 0; c < 4; ++c) sum[r][c] += other[r][c];
            CHECK(distance(sum, diagonal(mu == nu ? std::array<double, 4>{2, 2, 2, 2}
                                                  : std::array<double, 4>{})) == 0);
        }
    }
}

TEST_CASE("this program's gamma matrices are DeGrand and Rossi's", "[spin basis]")
{
    for (int mu = 0; mu < 4; ++mu)
        for (int r = 0; r < 4; ++r)
            for (int c = 0; c < 4; ++c)
                CHECK(gamma_of(SpinBasis::degrand_rossi, mu)[r][c] == reference::gamma(mu)[r][c]);
}

TEST_CASE("every rotation is unitary and takes gamma matrices to gamma matrices", "[spin basis]")
{
    const auto basis = GENERATE(SpinBasis::degrand_rossi, SpinBasis::dirac, SpinBasis::chiral);
    const Matrix u = rotation(basis);
    CHECK(distance(u * adjoint(u), one) < rounding);
    for (int mu = 0; mu < 4; ++mu)
        CHECK(distance(u * gamma_of(basis, mu) * adjoint(u),
                       gamma_of(SpinBasis::degrand_rossi, mu)) < rounding);
}

TEST_CASE("gamma5 = gx gy gz gt of the chiral basis has the other sign on its diagonal",
          "[spin basis]")
{
    const auto gamma5 = [](SpinBasis b) {
        return gamma_of(b, 0) * gamma_of(b, 1) * gamma_of(b, 2) * gamma_of(b, 3);
    };
    CHECK(distance(gamma5(SpinBasis::degrand_rossi), diagonal({1, 1, -1, -1})) == 0);
    CHECK(distance(gamma5(SpinBasis::chiral), diagonal({-1, -1, 1, 1})) == 0);
}

TEST_CASE("spinors are rotated as the matrix says, and back", "[spin basis]")
{
    const auto basis = GENERATE(SpinBasis::degrand_rossi, SpinBasis::dirac, SpinBasis::chiral);
    std::mt19937_64 random(test::seed(5));
    std::normal_distribution<double> normal;
    double psi[24], rotated[24];
    for (double& x : psi) x = normal(random);
    psi[3] = -0.0;
    std::copy(psi, psi + 24, rotated);
    const SpinRotation& u = to_degrand_rossi(basis);
    rotate(u, rotated);
    for (int spin = 0; spin < 4; ++spin)
        for (int k = 0; k < 6; ++k) {
            double expected = 0;
            for (int s = 0; s < 4; ++s) expected += u[spin][s] * psi[6 * s + k];
            CHECK(rotated[6 * spin + k] == Approx(expected).margin(rounding));
        }
    rotate_back(u, rotated);
    for (int k = 0; k < 24; ++k) {
        if (basis == SpinBasis::dirac) {
            CHECK(rotated[k] == Approx(psi[k]).margin(rounding));
        } else {
            CHECK(rotated[k] == psi[k]);
            CHECK(std::signbit(rotated[k]) == std::signbit(psi[k]));
        }
    }
}

TEST_CASE("bases have names", "[spin basis]")
{
    for (const auto basis : {SpinBasis::degrand_rossi, SpinBasis::dirac, SpinBasis::chiral})
        CHECK(spin_basis_of(to_string(basis)) == basis);
    CHECK_FALSE(spin_basis_of("weyl"));
}
