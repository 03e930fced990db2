#include "tests/reference/clover.hpp"

#include <algorithm>
#include <utility>

namespace qcd::reference
{

namespace
{

struct Step {
    int mu, sign;
    Step reversed() const { return {mu, -sign}; }
};

ColourMatrix times(const ColourMatrix& a, const ColourMatrix& b)
{
    ColourMatrix c{};
    for (int row = 0; row < 3; ++row)
        for (int col = 0; col < 3; ++col)
            for (int k = 0; k < 3; ++k) c[row][col] += a[row][k] * b[k][col];
    return c;
}

/// The link that a step from x passes.
ColourMatrix transporter(const Wilson& w, const Coord& x, Step step)
{
    const Coord from = step.sign > 0 ? x : neighbour(w.lattice, x, step.mu, -1);
    const long link = site_number(w.lattice, from) * 4 + step.mu;
    ColourMatrix u;
    for (int row = 0; row < 3; ++row)
        for (int col = 0; col < 3; ++col)
            u[row][col] = step.sign > 0 ? w.links[(link * 3 + row) * 3 + col]
                                        : std::conj(w.links[(link * 3 + col) * 3 + row]);
    return u;
}

/// Once round: a, b, back along a, back along b.
ColourMatrix plaquette(const Wilson& w, Coord x, Step a, Step b)
{
    ColourMatrix product{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    for (const Step step : {a, b, a.reversed(), b.reversed()}) {
        product = times(product, transporter(w, x, step));
        x = neighbour(w.lattice, x, step.mu, step.sign);
    }
    return product;
}

/// (i/2) [gamma_mu, gamma_nu]
SpinMatrix sigma(int mu, int nu)
{
    SpinMatrix s{};
    for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b)
            for (int c = 0; c < 4; ++c)
                s[a][b] += Complex(0, 0.5) *
                           (gamma(mu)[a][c] * gamma(nu)[c][b] - gamma(nu)[a][c] * gamma(mu)[c][b]);
    return s;
}

using SiteSpinor = std::array<Complex, 12>;

SiteSpinor product(const SiteMatrix& m, const SiteSpinor& v)
{
    SiteSpinor out{};
    for (int i = 0; i < 12; ++i)
        for (int j = 0; j < 12; ++j) out[i] += m[i][j] * v[j];
    return out;
}

/// m^-1 v, by Gauss' elimination.
SiteSpinor solution(SiteMatrix m, SiteSpinor v)
{
    for (int k = 0; k < 12; ++k) {
        int pivot = k;
        for (int i = k + 1; i < 12; ++i)
            if (std::abs(m[i][k]) > std::abs(m[pivot][k])) pivot = i;
        std::swap(m[k], m[pivot]);
        std::swap(v[k], v[pivot]);
        for (int i = k + 1; i < 12; ++i) {
            const Complex factor = m[i][k] / m[k][k];
            for (int j = k; j < 12; ++j) m[i][j] -= factor * m[k][j];
            v[i] -= factor * v[k];
        }
    }
    for (int k = 11; k >= 0; --k) {
        for (int j = k + 1; j < 12; ++j) v[k] -= m[k][j] * v[j];
        v[k] /= m[k][k];
    }
    return v;
}

} // namespace

ColourMatrix field_strength(const Wilson& w, long s, int mu, int nu)
{
    const Coord x = site_coord(w.lattice, s);
    const Step a{mu, +1}, b{nu, +1};
    ColourMatrix q{}, f;
    for (const auto& [first, second] :
         {std::pair{a, b}, {b, a.reversed()}, {a.reversed(), b.reversed()}, {b.reversed(), a}}) {
        const ColourMatrix leaf = plaquette(w, x, first, second);
        for (int row = 0; row < 3; ++row)
            for (int col = 0; col < 3; ++col) q[row][col] += leaf[row][col];
    }
    for (int row = 0; row < 3; ++row)
        for (int col = 0; col < 3; ++col)
            f[row][col] = (q[row][col] - std::conj(q[col][row])) / 8.0;
    return f;
}

SiteMatrix site_matrix(const Wilson& w, long s, double mubar)
{
    SiteMatrix t{};
    for (int k = 0; k < 12; ++k) t[k][k] = 1.0 + Complex(0, mubar) * gamma(5)[k / 3][k / 3];
    for (int mu = 0; mu < 4; ++mu)
        for (int nu = mu + 1; nu < 4; ++nu) {
            const SpinMatrix spin = sigma(mu, nu);
            const ColourMatrix f = field_strength(w, s, mu, nu);
            for (int i = 0; i < 12; ++i)
                for (int j = 0; j < 12; ++j)
                    t[i][j] += Complex(0, w.kappa * w.csw) * spin[i / 3][j / 3] * f[i % 3][j % 3];
        }
    return t;
}

SiteMatrix from_stored(const double* reals)
{
    SiteMatrix m{};
    const auto set = [&](int i, int j, const double* z) {
        m[i][j] = {z[0], z[1]};
        m[j][i] = {z[0], -z[1]};
    };
    for (int spin = 0; spin < 4; ++spin) { // within a spin
        const double* p = reals + 36 * (spin / 2) + 9 * (spin % 2);
        for (int colour = 0; colour < 3; ++colour)
            m[3 * spin + colour][3 * spin + colour] = p[colour];
        set(3 * spin + 1, 3 * spin, p + 3);
        set(3 * spin + 2, 3 * spin, p + 5);
        set(3 * spin + 2, 3 * spin + 1, p + 7);
    }
    for (int lower : {0, 6}) // between the spins of a chirality
        for (int row = 0; row < 3; ++row)
            for (int col = 0; col < 3; ++col)
                set(lower + 3 + row, lower + col, reals + 6 * lower + 18 + 6 * row + 2 * col);
    return m;
}

Spinors multiply(const std::vector<SiteMatrix>& m, const Spinors& psi)
{
    Spinors out(psi.size());
    for (std::size_t k = 0; k < psi.size(); ++k)
        for (int j = 0; j < 12; ++j) out[k] += m[k / 12][k % 12][j] * psi[k / 12 * 12 + j];
    return out;
}

Spinors clover_diagonal(const Wilson& w, double mubar, int power, const Spinors& psi)
{
    Spinors out(psi.size());
    for (long s = 0; s < volume(w.lattice); ++s) {
        SiteSpinor v;
        std::copy_n(&psi[12 * s], 12, v.begin());
        const SiteMatrix t = site_matrix(w, s, mubar);
        v = power > 0 ? product(t, v) : solution(t, v);
        std::copy_n(v.begin(), 12, &out[12 * s]);
    }
    return out;
}

} // namespace qcd::reference
