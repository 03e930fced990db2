#pragma once
// Arithmetic of one site, in the two matrix products of the original generated code:
//   xgemm34x44: spinor (3 colours x 4 spins) times a sparse spin matrix (4x4),
//   xgemm33x34: link (3x3) times spinor (3x4).
// Nothing exploits that 1 -+ gamma_mu is a projector: all four spins meet the link, 8 times a site.

namespace qcd::baseline
{

/// Two reals side by side. Products are written out: std::complex would test every one for NaN.
template <class Real>
struct Complex {
    Real re, im;
};

template <class Real>
struct Spinor {
    Complex<Real> c[3][4]; ///< [colour][spin]
};

template <class Real>
struct Link {
    Complex<Real> c[3][3]; ///< [row][column]
};

/// Row a of a gamma matrix (DeGrand-Rossi) has one element, i^power[a], in column column[a].
struct Gamma {
    int column[4];
    int power[4];
};
inline constexpr Gamma gamma_of[4] = {
    {{3, 2, 1, 0}, {1, 1, 3, 3}}, // x
    {{3, 2, 1, 0}, {2, 0, 0, 2}}, // y
    {{2, 3, 0, 1}, {1, 3, 3, 1}}, // z
    {{2, 3, 0, 1}, {0, 0, 0, 0}}, // t
};

/// a + i^power b
template <class Real>
inline Complex<Real> add_phase(Complex<Real> a, int power, Complex<Real> b)
{
    switch (power % 4) {
    case 0:
        return {a.re + b.re, a.im + b.im};
    case 1:
        return {a.re - b.im, a.im + b.re};
    case 2:
        return {a.re - b.re, a.im - b.im};
    default:
        return {a.re + b.im, a.im - b.re};
    }
}

/// (1 + sign gamma_mu) psi, sign = +1 or -1.
template <int mu, int sign, class Real>
inline Spinor<Real> xgemm34x44(const Spinor<Real>& psi)
{
    constexpr Gamma g = gamma_of[mu];
    constexpr int turn = sign > 0 ? 0 : 2;
    Spinor<Real> out;
    for (int colour = 0; colour < 3; ++colour) {
        const Complex<Real>* in = psi.c[colour];
        out.c[colour][0] = add_phase(in[0], g.power[0] + turn, in[g.column[0]]);
        out.c[colour][1] = add_phase(in[1], g.power[1] + turn, in[g.column[1]]);
        out.c[colour][2] = add_phase(in[2], g.power[2] + turn, in[g.column[2]]);
        out.c[colour][3] = add_phase(in[3], g.power[3] + turn, in[g.column[3]]);
    }
    return out;
}

/// out += U psi
template <class Real>
inline void xgemm33x34(const Link<Real>& u, const Spinor<Real>& psi, Spinor<Real>& out)
{
    for (int row = 0; row < 3; ++row)
        for (int k = 0; k < 3; ++k) {
            const Complex<Real> a = u.c[row][k];
            for (int spin = 0; spin < 4; ++spin) {
                const Complex<Real> b = psi.c[k][spin];
                out.c[row][spin].re += a.re * b.re - a.im * b.im;
                out.c[row][spin].im += a.re * b.im + a.im * b.re;
            }
        }
}

/// out += U^dagger psi
template <class Real>
inline void xgemm33x34_adjoint(const Link<Real>& u, const Spinor<Real>& psi, Spinor<Real>& out)
{
    for (int row = 0; row < 3; ++row)
        for (int k = 0; k < 3; ++k) {
            const Complex<Real> a = u.c[k][row];
            for (int spin = 0; spin < 4; ++spin) {
                const Complex<Real> b = psi.c[k][spin];
                out.c[row][spin].re += a.re * b.re + a.im * b.im;
                out.c[row][spin].im += a.re * b.im - a.im * b.re;
            }
        }
}

} // namespace qcd::baseline
