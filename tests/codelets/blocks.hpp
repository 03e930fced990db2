#pragma once
// Fields of whole blocks (codelets/device/shape.h) made from, and read back as, plain arrays of
// sites.

#include "codelets/device/shape.h"
#include "lattice/link_storage.hpp"
#include "lattice/precision.hpp"
#include "tests/codelets/launch.hpp"
#include "tests/reference/fields.hpp"
#include "tests/runtime/session.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <cstring>
#include <limits>

namespace qcd::test
{

namespace ref = qcd::reference;

/// Stored reals, arithmetic and its name for the kernels.
struct F64 {
    using Real = double;
    using Math = double;
    static constexpr Precision precision = Precision::f64;
};
struct F32 {
    using Real = float;
    using Math = float;
    static constexpr Precision precision = Precision::f32;
};
struct F32InF64 {
    using Real = float;
    using Math = double;
    static constexpr Precision precision = Precision::f32_in_f64;
};

/// n units of rounding of the result as it is stored.
template <class P>
constexpr double eps(double n)
{
    return n * std::numeric_limits<typename P::Real>::epsilon();
}

/// Where a real lies in a field of `rows` rows per block: pieces of row_bytes(), all rows of a
/// piece together.
template <class Real>
std::size_t place_of_real(long block, int lane, int rows, int row)
{
    const int piece = row_bytes() / int(sizeof(Real));
    return (std::size_t(block * (32 / piece) + lane / piece) * rows + row) * piece + lane % piece;
}

template <class Real>
constexpr Real poison = std::numeric_limits<Real>::quiet_NaN();

template <class Real>
Buffer<Real> poisoned(std::size_t n)
{
    return Buffer<Real>(n, poison<Real>);
}

template <class Real>
Buffer<Real> poisoned_spinors(long blocks)
{
    return poisoned<Real>(blocks * 32 * 24);
}

/// Rounded to the stored precision, so that rounding of inputs is not an error of the kernel.
template <class Real>
ref::Spinors rounded(ref::Spinors z)
{
    for (ref::Complex& c : z) c = {double(Real(c.real())), double(Real(c.imag()))};
    return z;
}

/// The stored reals of link i of `u`, rounded.
template <class Real>
std::array<double, 18> stored_link(const ref::Links& u, std::size_t i, LinkStorage storage)
{
    links::Link link;
    std::memcpy(&link, &u[9 * i], sizeof link);
    std::array<double, 18> r;
    links::compress(link, storage, std::numeric_limits<Real>::epsilon() / 2, r.data());
    for (int k = 0; k < reals(storage); ++k) r[k] = double(Real(r[k]));
    return r;
}

/// The links that the stored reals stand for.
template <class Real>
ref::Links as_stored(ref::Links u, LinkStorage storage)
{
    for (std::size_t i = 0; i < u.size() / 9; ++i) {
        const links::Link whole = links::expand(stored_link<Real>(u, i, storage).data(), storage);
        for (int k = 0; k < 9; ++k)
            u[9 * i + k] = {whole.e[k / 3][k % 3].re, whole.e[k / 3][k % 3].im};
    }
    return u;
}

/// Numbers of |re|, |im| <= 1/2 for `blocks` full blocks.
template <class Real>
ref::Spinors random_sites(long blocks, int seed)
{
    return rounded<Real>(ref::det_spinor({32, int(blocks), 1, 1}, seed));
}

/// Site 32*block + lane of an array of `components` complex numbers a site.
template <class Real>
Buffer<Real> to_blocks(const std::vector<ref::Complex>& sites, int components = 12)
{
    Buffer<Real> f(sites.size() * 2);
    for (std::size_t k = 0; k < sites.size(); ++k) {
        const long s = k / components;
        const int row = 2 * (k % components);
        f[place_of_real<Real>(s / 32, s % 32, 2 * components, row)] = Real(sites[k].real());
        f[place_of_real<Real>(s / 32, s % 32, 2 * components, row + 1)] = Real(sites[k].imag());
    }
    return f;
}

template <class Real>
std::vector<ref::Complex> from_blocks(const Buffer<Real>& f, int components = 12)
{
    std::vector<ref::Complex> sites(f.size() / 2);
    for (std::size_t k = 0; k < sites.size(); ++k) {
        const long s = k / components;
        const int row = 2 * (k % components);
        sites[k] = {f[place_of_real<Real>(s / 32, s % 32, 2 * components, row)],
                    f[place_of_real<Real>(s / 32, s % 32, 2 * components, row + 1)]};
    }
    return sites;
}

/// Largest difference of a component; not a number counts as infinitely far.
inline double error(const std::vector<ref::Complex>& a, const std::vector<ref::Complex>& b)
{
    if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
    double largest = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        const double d =
            std::max(std::abs(a[k].real() - b[k].real()), std::abs(a[k].imag() - b[k].imag()));
        if (!(d <= largest)) largest = d == d ? d : std::numeric_limits<double>::infinity();
    }
    return largest;
}

/// (a|b), accumulated with more digits than a kernel has.
inline ref::Complex inner(const ref::Spinors& a, const ref::Spinors& b)
{
    std::complex<long double> sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k)
        sum += std::conj(std::complex<long double>(a[k])) * std::complex<long double>(b[k]);
    return ref::Complex(sum);
}
inline double norm2(const ref::Spinors& a) { return inner(a, a).real(); }

/// Numbers of blocks that a case runs through.
inline int sizes() { return GENERATE(1, 3, 8); }

} // namespace qcd::test
