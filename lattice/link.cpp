#include "lattice/link.hpp"

#include <algorithm>
#include <cmath>

namespace qcd::links
{

namespace
{

/// conj(a d - b c), rounded as in codelets/device/link.h.
Complex conj_minor(Complex a, Complex b, Complex c, Complex d)
{
    const double re = std::fma(-b.re, c.re, std::fma(-a.im, d.im, a.re * d.re));
    const double im = std::fma(-a.re, d.im, std::fma(b.im, c.re, b.re * c.im));
    return {std::fma(b.im, c.im, re), std::fma(-a.im, d.re, im)};
}

/// |a|^2 as the square of the rounded modulus.
double modulus2(Complex a)
{
    const double large = std::max(std::abs(a.re), std::abs(a.im));
    if (large == 0) return 0;
    const double ratio = std::min(std::abs(a.re), std::abs(a.im)) / large;
    const double modulus = std::sqrt(std::fma(ratio, ratio, 1.0)) * large;
    return modulus * modulus;
}

void normalise(Complex row[3])
{
    const double norm = std::sqrt(modulus2(row[0]) + modulus2(row[1]) + modulus2(row[2]));
    const double scale = 1 / norm;
    for (int j = 0; j < 3; ++j) row[j] = {row[j].re * scale, row[j].im * scale};
}

/// (a|b)
Complex inner(const Complex a[3], const Complex b[3])
{
    return conj(a[0]) * b[0] + conj(a[1]) * b[1] + conj(a[2]) * b[2];
}

Complex unit_phase(Complex z)
{
    const double modulus = std::sqrt(z.re * z.re + z.im * z.im);
    if (modulus == 0) return {1, 0};
    return {z.re / modulus, z.im / modulus};
}

/// e^{i phi/2} of e^{i phi}, -pi < phi <= pi.
Complex square_root(Complex z)
{
    if (z.re <= -1) return {0, 1};
    return unit_phase({1 + z.re, z.im});
}

/// e^{i phi/3} of e^{i phi}, -pi < phi <= pi, with the bits of + - * / and sqrt: the same
/// everywhere.
Complex cube_root(Complex z)
{
    const Complex fourth = square_root(square_root(z));
    Complex w = fourth * square_root(square_root(fourth)); // phi (1/4 + 1/16): off by phi/48
    for (int k = 0; k < 5; ++k) { // Newton: w = (2 w + z / w^2) / 3, |w| = 1
        const Complex next = w + w + z * conj(w * w);
        w = unit_phase(next);
    }
    return w;
}

} // namespace

Link unit()
{
    Link u{};
    for (int i = 0; i < 3; ++i) u.e[i][i].re = 1;
    return u;
}

void complete_third_row(Link& u)
{
    const auto& [a, b, c] = u.e;
    for (int j = 0; j < 3; ++j) {
        const int k = (j + 1) % 3, l = (j + 2) % 3;
        u.e[2][j] = conj_minor(a[k], a[l], b[k], b[l]);
    }
}

void project_two_rows(Link& u)
{
    auto& [a, b, c] = u.e;
    normalise(a);
    const Complex overlap = inner(a, b);
    for (int j = 0; j < 3; ++j) b[j] = b[j] - overlap * a[j];
    normalise(b);
    complete_third_row(u);
}

void project(Link& u)
{
    const Link start = u;
    project_two_rows(u);
    // Orthonormalised too, the last row would be row 2 times this phase, which is the determinant.
    const Complex phase = conj(cube_root(unit_phase(inner(u.e[2], start.e[2]))));
    for (int i = 0; i < 2; ++i)
        for (Complex& element : u.e[i]) element = phase * element;
    complete_third_row(u);
}

double unitarity_violation(const Link& u)
{
    double worst = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j) {
            Complex sum{i == j ? -1.0 : 0.0, 0};
            for (int k = 0; k < 3; ++k) sum = sum + u.e[i][k] * conj(u.e[j][k]);
            const double violation = std::sqrt(sum.re * sum.re + sum.im * sum.im);
            if (!(violation <= worst)) worst = violation; // a NaN is kept
            if (std::isnan(worst)) return worst;
        }
    return worst;
}

double determinant_violation(const Link& u)
{
    Link completed = u;
    complete_third_row(completed);
    Complex det{-1, 0};
    for (int j = 0; j < 3; ++j) det = det + u.e[2][j] * conj(completed.e[2][j]);
    return std::sqrt(det.re * det.re + det.im * det.im);
}

} // namespace qcd::links
