#pragma once
// Vector operations of the solvers, one loop over sites each. Scalars and sums are double in both
// precisions. Sums run over one parity of one xy-plane at a time, and these in order: the same bits
// for any thread count.

#include "baseline/field.hpp"

#include <complex>

namespace qcd::baseline
{

using Scalar = std::complex<double>;

template <class Real>
void xcopy(const Field<Real>& x, Field<Real>& y); ///< y <- x

template <class Real>
void xscal(Scalar alpha, Field<Real>& x); ///< x <- alpha x

template <class Real>
void xaxpy(Scalar alpha, const Field<Real>& x, Field<Real>& y); ///< y <- y + alpha x

template <class Real>
double norm2(const Field<Real>& x); ///< |x|^2

template <class Real>
Scalar xdotc(const Field<Real>& x, const Field<Real>& y); ///< (x|y) = sum of conj(x) y

} // namespace qcd::baseline
