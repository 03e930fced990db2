#include "baseline/dirac.hpp"

namespace qcd::baseline
{

namespace
{

/// (re + i im gamma5) psi; the first two spins have gamma5 = +1.
template <class Real>
inline Spinor<Real> twisted(Real re, Real im, const Spinor<Real>& psi)
{
    Spinor<Real> out;
    for (int colour = 0; colour < 3; ++colour)
        for (int spin = 0; spin < 4; ++spin) {
            const Complex<Real> z = psi.c[colour][spin];
            const Real b = spin < 2 ? im : -im;
            out.c[colour][spin] = {re * z.re - b * z.im, re * z.im + b * z.re};
        }
    return out;
}

/// a + factor b
template <class Real>
inline Spinor<Real> sum(const Spinor<Real>& a, Real factor, const Spinor<Real>& b)
{
    Spinor<Real> out;
    for (int colour = 0; colour < 3; ++colour)
        for (int spin = 0; spin < 4; ++spin) {
            const Complex<Real> y = a.c[colour][spin], z = b.c[colour][spin];
            out.c[colour][spin] = {y.re + factor * z.re, y.im + factor * z.im};
        }
    return out;
}

/// out <- T in - factor out
template <class Real>
void xdiagonal(double mubar, double factor, const Field<Real>& in, Field<Real>& out)
{
    for_sites(out.grid(), out.sites(), [&](long site) {
        out[site] = sum(twisted(Real(1), Real(mubar), in[site]), Real(-factor), out[site]);
    });
}

/// psi <- T^-1 psi
template <class Real>
void xdiagonal_inverse(double mubar, Field<Real>& psi)
{
    if (mubar == 0) return;
    const double n = 1 + mubar * mubar;
    for_sites(psi.grid(), psi.sites(),
              [&](long site) { psi[site] = twisted(Real(1 / n), Real(-mubar / n), psi[site]); });
}

/// out <- b + factor out, on the sites of out
template <class Real>
void xadd_source(double factor, const Field<Real>& b, Field<Real>& out)
{
    for_sites(out.grid(), out.sites(),
              [&](long site) { out[site] = sum(b[site], Real(factor), out[site]); });
}

template <class Real>
void copy_sites(Sites sites, const Field<Real>& in, Field<Real>& out)
{
    for_sites(out.grid(), sites, [&](long site) { out[site] = in[site]; });
}

} // namespace

template <class Real>
DiracOperator<Real>::DiracOperator(const Hopping<Real>& hopping, double kappa, double mubar)
    : hopping_(hopping), kappa_(kappa), mubar_(mubar)
{
}

template <class Real>
void DiracOperator<Real>::apply(const Field<Real>& in, Field<Real>& out)
{
    multiply(mubar_, in, out);
    ++applications_;
}

template <class Real>
void DiracOperator<Real>::apply_gamma5(const Field<Real>& in, Field<Real>& out)
{
    apply(in, out);
    xgamma5(out);
}

template <class Real>
void DiracOperator<Real>::apply_adjoint(const Field<Real>& in, Field<Real>& out)
{
    if (!flipped_) flipped_.emplace(in.grid(), in.sites());
    copy_sites(in.sites(), in, *flipped_);
    xgamma5(*flipped_);
    multiply(-mubar_, *flipped_, out);
    xgamma5(out);
    ++applications_;
}

template <class Real>
void FullDirac<Real>::multiply(double mubar, const Field<Real>& in, Field<Real>& out)
{
    this->hopping_.apply(in, out);
    xdiagonal(mubar, this->kappa_, in, out);
}

template <class Real>
EvenDirac<Real>::EvenDirac(const Hopping<Real>& hopping, double kappa, double mubar)
    : DiracOperator<Real>(hopping, kappa, mubar), odd_(hopping.grid(), hopping.grid().odd())
{
}

template <class Real>
void EvenDirac<Real>::multiply(double mubar, const Field<Real>& in, Field<Real>& out)
{
    this->hopping_.apply(in, odd_);
    xdiagonal_inverse(mubar, odd_);
    this->hopping_.apply(odd_, out);
    xdiagonal(mubar, this->kappa_ * this->kappa_, in, out);
}

template <class Real>
void EvenDirac<Real>::even_source(const Field<Real>& b, Field<Real>& out)
{
    copy_sites(odd_.sites(), b, odd_);
    xdiagonal_inverse(this->mubar_, odd_);
    this->hopping_.apply(odd_, out);
    xadd_source(this->kappa_, b, out);
}

template <class Real>
void EvenDirac<Real>::complete(const Field<Real>& x_even, const Field<Real>& b, Field<Real>& x)
{
    this->hopping_.apply(x_even, odd_);
    xadd_source(this->kappa_, b, odd_);
    xdiagonal_inverse(this->mubar_, odd_);
    copy_sites(x_even.sites(), x_even, x);
    copy_sites(odd_.sites(), odd_, x);
}

template <class Real>
void xgamma5(Field<Real>& psi)
{
    for_sites(psi.grid(), psi.sites(), [&](long site) {
        Spinor<Real>& z = psi[site];
        for (int colour = 0; colour < 3; ++colour)
            for (int spin = 2; spin < 4; ++spin)
                z.c[colour][spin] = {-z.c[colour][spin].re, -z.c[colour][spin].im};
    });
}

#define QCD_INSTANTIATE(Real)                                                                      \
    template class DiracOperator<Real>;                                                            \
    template class FullDirac<Real>;                                                                \
    template class EvenDirac<Real>;                                                                \
    template void xgamma5(Field<Real>&);
QCD_INSTANTIATE(float)
QCD_INSTANTIATE(double)
#undef QCD_INSTANTIATE

} // namespace qcd::baseline
