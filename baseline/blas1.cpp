#include "baseline/blas1.hpp"

namespace qcd::baseline
{

namespace
{

constexpr int components = 12;

template <class Real>
const Complex<Real>* elements(const Spinor<Real>& psi)
{
    return &psi.c[0][0];
}

template <class Real>
Complex<Real>* elements(Spinor<Real>& psi)
{
    return &psi.c[0][0];
}

/// Adds up term(first, last) of every plane [first, last) of the field, in order.
template <class Real, class Term>
Scalar sum_planes(const Field<Real>& x, const Term& term)
{
    const long plane = x.grid().plane();
    const long first = x.sites().first;
    const long planes = x.sites().count / plane;
    std::vector<Scalar> partial(planes);
#pragma omp parallel for num_threads(x.grid().threads()) schedule(static)
    for (long p = 0; p < planes; ++p) partial[p] = term(first + p * plane, first + (p + 1) * plane);
    Scalar sum = 0;
    for (const Scalar& s : partial) sum += s;
    return sum;
}

} // namespace

template <class Real>
void xcopy(const Field<Real>& x, Field<Real>& y)
{
    for_sites(y.grid(), y.sites(), [&](long site) { y[site] = x[site]; });
}

template <class Real>
void xscal(Scalar alpha, Field<Real>& x)
{
    const Real re = Real(alpha.real()), im = Real(alpha.imag());
    for_sites(x.grid(), x.sites(), [&, re, im](long site) {
        Complex<Real>* z = elements(x[site]);
        for (int k = 0; k < components; ++k)
            z[k] = {re * z[k].re - im * z[k].im, re * z[k].im + im * z[k].re};
    });
}

template <class Real>
void xaxpy(Scalar alpha, const Field<Real>& x, Field<Real>& y)
{
    const Real re = Real(alpha.real()), im = Real(alpha.imag());
    for_sites(y.grid(), y.sites(), [&, re, im](long site) {
        const Complex<Real>* a = elements(x[site]);
        Complex<Real>* z = elements(y[site]);
        for (int k = 0; k < components; ++k) {
            z[k].re += re * a[k].re - im * a[k].im;
            z[k].im += re * a[k].im + im * a[k].re;
        }
    });
}

template <class Real>
Scalar xdotc(const Field<Real>& x, const Field<Real>& y)
{
    return sum_planes(x, [&](long first, long last) {
        double re[components] = {}, im[components] = {}; // one sum a component, to be vectorised
        for (long site = first; site < last; ++site) {
            const Complex<Real>* a = elements(x[site]);
            const Complex<Real>* b = elements(y[site]);
            for (int k = 0; k < components; ++k) {
                re[k] += double(a[k].re) * b[k].re + double(a[k].im) * b[k].im;
                im[k] += double(a[k].re) * b[k].im - double(a[k].im) * b[k].re;
            }
        }
        Scalar sum = 0;
        for (int k = 0; k < components; ++k) sum += Scalar(re[k], im[k]);
        return sum;
    });
}

template <class Real>
double norm2(const Field<Real>& x)
{
    const Scalar sum = sum_planes(x, [&](long first, long last) -> Scalar {
        double square[components] = {};
        for (long site = first; site < last; ++site) {
            const Complex<Real>* a = elements(x[site]);
            for (int k = 0; k < components; ++k)
                square[k] += double(a[k].re) * a[k].re + double(a[k].im) * a[k].im;
        }
        double s = 0;
        for (int k = 0; k < components; ++k) s += square[k];
        return s;
    });
    return sum.real();
}

#define QCD_INSTANTIATE(Real)                                                                      \
    template void xcopy(const Field<Real>&, Field<Real>&);                                         \
    template void xscal(Scalar, Field<Real>&);                                                     \
    template void xaxpy(Scalar, const Field<Real>&, Field<Real>&);                                 \
    template double norm2(const Field<Real>&);                                                     \
    template Scalar xdotc(const Field<Real>&, const Field<Real>&);
QCD_INSTANTIATE(float)
QCD_INSTANTIATE(double)
#undef QCD_INSTANTIATE

} // namespace qcd::baseline
