#pragma once
// One SU(3) link in double precision on the host: for making, checking and measuring gauge fields.
// In memory: row, column, re, im, the order of every supported file.

#include <cstddef>
#include <cstring>

namespace qcd::links
{

inline constexpr std::size_t reals_per_link = 18;
inline constexpr std::size_t reals_per_site = 72; ///< mu = x, y, z, t

struct Complex {
    double re, im;
};

struct Link {
    Complex e[3][3];
};

inline Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
inline Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
inline Complex operator*(Complex a, Complex b)
{
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
inline Complex conj(Complex a) { return {a.re, -a.im}; }

inline Link load(const double* reals)
{
    Link u;
    std::memcpy(&u, reals, sizeof u);
    return u;
}
inline void store(const Link& u, double* reals) { std::memcpy(reals, &u, sizeof u); }

inline Link operator*(const Link& a, const Link& b)
{
    Link c;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            c.e[i][j] = a.e[i][0] * b.e[0][j] + a.e[i][1] * b.e[1][j] + a.e[i][2] * b.e[2][j];
    return c;
}

/// Re tr a b^dagger
inline double real_trace(const Link& a, const Link& b)
{
    double sum = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            sum += a.e[i][j].re * b.e[i][j].re + a.e[i][j].im * b.e[i][j].im;
    return sum;
}

Link unit();

/// Row 2 becomes conj(row 0 x row 1): determinant 1 if rows 0 and 1 are orthonormal. The bits are
/// those that kernels make of links of 12 reals (codelets/device/link.h).
void complete_third_row(Link& u);

/// Rows 0 and 1 orthonormalised in this order, with the bits of numpy, row 2 completed: determinant
/// 1. The rows must be linearly independent.
void project_two_rows(Link& u);

/// All three rows orthonormalised in this order, then divided by the cube root of the determinant
/// that is nearest to 1: no row is preferred. The rows must be linearly independent.
void project(Link& u);

/// Largest |(U U^dagger - 1)_ij|; NaN or infinite if an element is.
double unitarity_violation(const Link& u);

/// |det U - 1|
double determinant_violation(const Link& u);

} // namespace qcd::links
