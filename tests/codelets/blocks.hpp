#pragma once
// Fields of whole blocks (codelets/device/shape.h) made from, and read back as, plain arrays of
// sites.

#include "codelets/device/shape.h"
#include "lattice/fixed_point.hpp"
#include "lattice/link_storage.hpp"
#include "lattice/precision.hpp"
#include "tests/codelets/launch.hpp"
#include "tests/reference/fields.hpp"
#include "tests/runtime/session.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace qcd::test
{

namespace ref = qcd::reference;

/// A word of a field in 16 bits (lattice/fixed_point.hpp).
struct Half {
    std::uint32_t word;
    static constexpr std::uint32_t of_nan = 0x7fc00000; ///< the unit of what is no number
    bool operator==(const Half&) const = default;
};

/// Stored reals, those that are never in 16 bits, arithmetic and its name for the kernels.
struct F64 {
    using Real = double;
    using Plain = double;
    using Math = double;
    static constexpr Precision precision = Precision::f64;
};
struct F32 {
    using Real = float;
    using Plain = float;
    using Math = float;
    static constexpr Precision precision = Precision::f32;
};
struct F32InF64 {
    using Real = float;
    using Plain = float;
    using Math = double;
    static constexpr Precision precision = Precision::f32_in_f64;
};
struct F16 {
    using Real = Half;
    using Plain = float;
    using Math = float;
    static constexpr Precision precision = Precision::f16;
};

template <class Real>
inline constexpr double epsilon_of = std::numeric_limits<Real>::epsilon();
template <>
inline constexpr double epsilon_of<Half> = 0x1p-14; // of a site whose largest real is 1

/// Rows of a spinor, and of a link in so many reals.
template <class Real>
inline constexpr int spinor_rows = std::is_same_v<Real, Half> ? 13 : 24;
template <class Real>
constexpr int rows_of_link(LinkStorage s)
{
    return std::is_same_v<Real, Half> ? reals(s) / 2 : reals(s);
}

/// n units of rounding of the result as it is stored.
template <class P>
constexpr double eps(double n)
{
    return n * epsilon_of<typename P::Real>;
}

/// Where a real lies in a field of `rows` rows per block: pieces of 128 bytes, all rows of a piece
/// together.
template <class Real>
std::size_t place_of_real(long block, int lane, int rows, int row)
{
    constexpr int piece = QCD_PIECE_BYTES / int(sizeof(Real));
    return (std::size_t(block * (32 / piece) + lane / piece) * rows + row) * piece + lane % piece;
}

template <class Real>
constexpr Real poison = std::numeric_limits<Real>::quiet_NaN();
template <>
inline constexpr Half poison<Half>{Half::of_nan};

template <class Real>
Buffer<Real> poisoned(std::size_t n)
{
    return Buffer<Real>(n, poison<Real>);
}

template <class Real>
Buffer<Real> poisoned_spinors(long blocks)
{
    return poisoned<Real>(blocks * 32 * spinor_rows<Real>);
}

/// Rounded to the stored precision, so that rounding of inputs is not an error of the kernel.
template <class Real>
ref::Spinors rounded(ref::Spinors z)
{
    if constexpr (std::is_same_v<Real, Half>) {
        for (std::size_t at = 0; at < z.size(); at += 12) {
            double* reals = reinterpret_cast<double*>(&z[at]);
            fixed_point::to_reals(fixed_point::of_spinor(reals), reals);
        }
    } else
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
    links::compress(link, storage, epsilon_of<Real> / 2, r.data());
    for (int k = 0; k < reals(storage); ++k)
        if constexpr (std::is_same_v<Real, Half>)
            r[k] = fixed_point::link_of(fixed_point::of_link(r[k], 0))[0];
        else
            r[k] = double(Real(r[k]));
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

/// A site of a field in 16 bits, from and as 12 complex numbers.
inline void put_half(Buffer<Half>& f, long block, int lane, const ref::Complex* spinor)
{
    const auto s = fixed_point::of_spinor(reinterpret_cast<const double*>(spinor));
    for (int row = 0; row < 13; ++row) f[place_of_real<Half>(block, lane, 13, row)].word = s[row];
}
inline void get_half(const Buffer<Half>& f, long block, int lane, ref::Complex* spinor)
{
    fixed_point::Spinor s;
    for (int row = 0; row < 13; ++row) s[row] = f[place_of_real<Half>(block, lane, 13, row)].word;
    fixed_point::to_reals(s, reinterpret_cast<double*>(spinor));
}

/// Site 32*block + lane of an array of `components` complex numbers a site.
template <class Real>
Buffer<Real> to_blocks(const std::vector<ref::Complex>& sites, int components = 12)
{
    if constexpr (std::is_same_v<Real, Half>) {
        Buffer<Half> f(sites.size() / 12 * 13);
        for (std::size_t s = 0; s < sites.size() / 12; ++s)
            put_half(f, s / 32, s % 32, &sites[12 * s]);
        return f;
    } else {
        Buffer<Real> f(sites.size() * 2);
        for (std::size_t k = 0; k < sites.size(); ++k) {
            const long s = k / components;
            const int row = 2 * (k % components);
            f[place_of_real<Real>(s / 32, s % 32, 2 * components, row)] = Real(sites[k].real());
            f[place_of_real<Real>(s / 32, s % 32, 2 * components, row + 1)] = Real(sites[k].imag());
        }
        return f;
    }
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

inline ref::Spinors from_blocks(const Buffer<Half>& f)
{
    ref::Spinors sites(f.size() / 13 * 12);
    for (std::size_t s = 0; s < f.size() / 13; ++s) get_half(f, s / 32, s % 32, &sites[12 * s]);
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
