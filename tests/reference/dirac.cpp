#include "tests/reference/dirac.hpp"

#include "base/error.hpp"
#include "tests/reference/clover.hpp"

namespace qcd::reference
{

namespace
{

constexpr Complex i{0, 1};

const SpinMatrix gamma_x{{{0, 0, 0, i}, {0, 0, i, 0}, {0, -i, 0, 0}, {-i, 0, 0, 0}}};
const SpinMatrix gamma_y{{{0, 0, 0, -1}, {0, 0, 1, 0}, {0, 1, 0, 0}, {-1, 0, 0, 0}}};
const SpinMatrix gamma_z{{{0, 0, i, 0}, {0, 0, 0, -i}, {-i, 0, 0, 0}, {0, i, 0, 0}}};
const SpinMatrix gamma_t{{{0, 0, 1, 0}, {0, 0, 0, 1}, {1, 0, 0, 0}, {0, 1, 0, 0}}};
const SpinMatrix gamma_5{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, -1, 0}, {0, 0, 0, -1}}};

ColourMatrix link(const Wilson& w, long s, int mu)
{
    ColourMatrix u;
    for (int row = 0; row < 3; ++row)
        for (int col = 0; col < 3; ++col) u[row][col] = w.links[((s * 4 + mu) * 3 + row) * 3 + col];
    return u;
}

template <class Matrix>
Matrix adjoint(const Matrix& m)
{
    Matrix out;
    for (std::size_t row = 0; row < m.size(); ++row)
        for (std::size_t col = 0; col < m.size(); ++col) out[row][col] = std::conj(m[col][row]);
    return out;
}

/// out(to) += factor * (spin x colour) psi(from)
void add_term(Complex factor, const SpinMatrix& spin, const ColourMatrix& colour,
              const Spinors& psi, long from, Spinors& out, long to)
{
    for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b) {
            const Complex element = factor * spin[a][b];
            for (int c = 0; c < 3; ++c)
                for (int d = 0; d < 3; ++d)
                    out[(to * 4 + a) * 3 + c] +=
                        element * colour[c][d] * psi[(from * 4 + b) * 3 + d];
        }
}

/// -1 for a hop that crosses the antiperiodic boundary, between t = LT-1 and t = 0.
double boundary(const Wilson& w, const Coord& x, int mu, int step)
{
    const int edge = step > 0 ? w.lattice[3] - 1 : 0;
    return w.antiperiodic && mu == 3 && x[3] == edge ? -1.0 : 1.0;
}

/// T^power for T = 1 + i mubar gamma5 and power +1 or -1; T(-mubar) is the adjoint.
Spinors twist(double mubar, int power, const Spinors& psi)
{
    if (power > 0) return spin_multiply(one_and_gamma(1, i * mubar, 5), psi);
    const double n = 1 + mubar * mubar;
    return spin_multiply(one_and_gamma(1 / n, -i * mubar / n, 5), psi);
}

/// The diagonal with a clover term, where w has one.
Spinors diagonal(const Wilson& w, double mubar, int power, const Spinors& psi)
{
    return w.csw == 0 ? twist(mubar, power, psi) : clover_diagonal(w, mubar, power, psi);
}

} // namespace

const SpinMatrix& gamma(int mu)
{
    switch (mu) {
    case 0:
        return gamma_x;
    case 1:
        return gamma_y;
    case 2:
        return gamma_z;
    case 3:
        return gamma_t;
    case 5:
        return gamma_5;
    }
    throw Error("reference: gamma index must be 0, 1, 2, 3 or 5");
}

SpinMatrix one_and_gamma(Complex factor_one, Complex factor_gamma, int mu)
{
    SpinMatrix m;
    for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b)
            m[a][b] = (a == b ? factor_one : Complex(0)) + factor_gamma * gamma(mu)[a][b];
    return m;
}

Spinors spin_multiply(const SpinMatrix& m, const Spinors& psi)
{
    Spinors out(psi.size());
    for (std::size_t s = 0; s < psi.size() / 12; ++s)
        for (int c = 0; c < 3; ++c)
            for (int a = 0; a < 4; ++a)
                for (int b = 0; b < 4; ++b)
                    out[(s * 4 + a) * 3 + c] += m[a][b] * psi[(s * 4 + b) * 3 + c];
    return out;
}

Spinors gamma5(const Spinors& psi) { return spin_multiply(gamma_5, psi); }

Spinors hopping(const Wilson& w, const Spinors& psi)
{
    Spinors out(psi.size());
    for (long s = 0; s < volume(w.lattice); ++s) {
        const Coord x = site_coord(w.lattice, s);
        for (int mu = 0; mu < 4; ++mu) {
            const long ahead = site_number(w.lattice, neighbour(w.lattice, x, mu, +1));
            const long behind = site_number(w.lattice, neighbour(w.lattice, x, mu, -1));
            add_term(boundary(w, x, mu, +1), one_and_gamma(1, -1, mu), link(w, s, mu), psi, ahead,
                     out, s);
            add_term(boundary(w, x, mu, -1), one_and_gamma(1, +1, mu), adjoint(link(w, behind, mu)),
                     psi, behind, out, s);
        }
    }
    return out;
}

Spinors hopping_dagger(const Wilson& w, const Spinors& psi)
{
    Spinors out(psi.size());
    for (long s = 0; s < volume(w.lattice); ++s) {
        const Coord x = site_coord(w.lattice, s);
        for (int mu = 0; mu < 4; ++mu) {
            const long ahead = site_number(w.lattice, neighbour(w.lattice, x, mu, +1));
            const long behind = site_number(w.lattice, neighbour(w.lattice, x, mu, -1));
            add_term(boundary(w, x, mu, +1), adjoint(one_and_gamma(1, -1, mu)),
                     adjoint(link(w, s, mu)), psi, s, out, ahead);
            add_term(boundary(w, x, mu, -1), adjoint(one_and_gamma(1, +1, mu)), link(w, behind, mu),
                     psi, s, out, behind);
        }
    }
    return out;
}

Spinors dirac(const Wilson& w, const Spinors& psi)
{
    return combine(1, diagonal(w, w.mubar, +1, psi), -w.kappa, hopping(w, psi));
}

Spinors dirac_dagger(const Wilson& w, const Spinors& psi)
{
    return combine(1, diagonal(w, -w.mubar, +1, psi), -w.kappa, hopping_dagger(w, psi));
}

Spinors hermitian(const Wilson& w, const Spinors& psi) { return gamma5(dirac(w, psi)); }

Spinors dirac_even(const Wilson& w, const Spinors& psi)
{
    const Spinors even = only_parity(w.lattice, psi, 0);
    const Spinors odd = diagonal(w, w.mubar, -1, hopping(w, even));
    return combine(1, diagonal(w, w.mubar, +1, even), -w.kappa * w.kappa, hopping(w, odd));
}

Spinors dirac_even_dagger(const Wilson& w, const Spinors& psi)
{
    const Spinors even = only_parity(w.lattice, psi, 0);
    const Spinors odd = diagonal(w, -w.mubar, -1, hopping_dagger(w, even));
    return combine(1, diagonal(w, -w.mubar, +1, even), -w.kappa * w.kappa, hopping_dagger(w, odd));
}

Spinors even_source(const Wilson& w, const Spinors& b)
{
    const Spinors odd = diagonal(w, w.mubar, -1, only_parity(w.lattice, b, 1));
    return combine(1, only_parity(w.lattice, b, 0), w.kappa, hopping(w, odd));
}

Spinors complete_odd(const Wilson& w, const Spinors& x_even, const Spinors& b)
{
    const Spinors even = only_parity(w.lattice, x_even, 0);
    const Spinors odd = combine(1, only_parity(w.lattice, b, 1), w.kappa, hopping(w, even));
    return combine(1, even, 1, diagonal(w, w.mubar, -1, odd));
}

} // namespace qcd::reference
