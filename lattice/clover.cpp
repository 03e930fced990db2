#include "lattice/clover.hpp"

#include "base/error.hpp"
#include "lattice/link.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace qcd
{

using links::Complex;
using links::Link;

namespace
{

// ---- F ----

Complex scaled(double s, Complex z) { return {s * z.re, s * z.im}; }

Link dagger(const Link& u)
{
    Link d;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) d.e[i][j] = links::conj(u.e[j][i]);
    return d;
}

/// x + s y
Link add(const Link& x, double s, const Link& y)
{
    Link sum;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) sum.e[i][j] = x.e[i][j] + scaled(s, y.e[i][j]);
    return sum;
}

/// Links around the sites of a time slice, which is t = 1 here.
class ThreeSlices
{
public:
    ThreeSlices(const Extents& lattice, const double* below, const double* here,
                const double* above)
        : lattice_(lattice), slices_{below, here, above}
    {
    }

    Coord step(Coord x, int mu, int sign) const
    {
        x[mu] += sign;
        if (mu < 3) x[mu] = (x[mu] + lattice_[mu]) % lattice_[mu];
        return x;
    }
    Link link(const Coord& x, int mu) const
    {
        const std::size_t site = (std::size_t(x[2]) * lattice_[1] + x[1]) * lattice_[0] + x[0];
        return links::load(slices_[x[3]] + (site * 4 + mu) * links::reals_per_link);
    }

private:
    Extents lattice_;
    std::array<const double*, 3> slices_;
};

/// i F_munu, Hermitian to the last bit.
Link field_strength(const ThreeSlices& u, const Coord& x, int mu, int nu)
{
    const Coord x_mu = u.step(x, mu, +1), x_nu = u.step(x, nu, +1), mu_x = u.step(x, mu, -1),
                nu_x = u.step(x, nu, -1), mu_nu_x = u.step(mu_x, nu, -1);
    const Link here_mu = u.link(x, mu), here_nu = u.link(x, nu);
    const Link back_mu = dagger(u.link(mu_x, mu)), back_nu = dagger(u.link(nu_x, nu));
    Link q = here_mu * u.link(x_mu, nu) * dagger(here_nu * u.link(x_nu, mu));
    q = add(q, 1,
            here_nu * dagger(u.link(mu_x, nu) * u.link(u.step(mu_x, nu, +1), mu)) *
                dagger(back_mu));
    q = add(q, 1, back_mu * dagger(u.link(mu_nu_x, nu)) * u.link(mu_nu_x, mu) * dagger(back_nu));
    q = add(q, 1, back_nu * u.link(nu_x, mu) * u.link(u.step(nu_x, mu, +1), nu) * dagger(here_mu));
    Link f;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            const Complex d = q.e[i][j] - links::conj(q.e[j][i]);
            f.e[i][j] = {-d.im / 8, d.re / 8};
        }
    return f;
}

// ---- A ----

void store_hermitian(double diagonal, double s, const Link& e, double* out)
{
    for (int i = 0; i < 3; ++i) out[i] = diagonal + s * e.e[i][i].re;
    int k = 3;
    for (int i = 1; i < 3; ++i)
        for (int j = 0; j < i; ++j, k += 2) {
            out[k] = s * e.e[i][j].re;
            out[k + 1] = s * e.e[i][j].im;
        }
}

/// 1 + c (s1 E1 + s2 E2 + s3 E3), with Pauli matrices s
void store_chirality(double c, const Link& e1, const Link& e2, const Link& e3, double* out)
{
    store_hermitian(1, c, e3, out);
    store_hermitian(1, -c, e3, out + 9);
    for (int i = 0, k = 18; i < 3; ++i)
        for (int j = 0; j < 3; ++j, k += 2) { // E1 + i E2
            out[k] = c * (e1.e[i][j].re - e2.e[i][j].im);
            out[k + 1] = c * (e1.e[i][j].im + e2.e[i][j].re);
        }
}

/// sigma is, in both chiralities, s3 for xy, s2 for xz and s1 for yz, and in the upper one -s1 for
/// xt, s2 for yt and -s3 for zt, with the other sign in the lower one.
void clover_of_site(const ThreeSlices& u, const Coord& x, double c, double* out)
{
    const auto f = [&](int mu, int nu) { return field_strength(u, x, mu, nu); };
    const Link xy = f(0, 1), xz = f(0, 2), xt = f(0, 3), yz = f(1, 2), yt = f(1, 3), zt = f(2, 3);
    store_chirality(c, add(yz, -1, xt), add(xz, +1, yt), add(xy, -1, zt), out);
    store_chirality(c, add(yz, +1, xt), add(xz, -1, yt), add(xy, +1, zt), out + 36);
}

// ---- the inverse ----

constexpr int n = 6;
using Matrix = std::array<std::array<Complex, n>, n>;

Matrix load(const double* p)
{
    Matrix m;
    for (int half = 0; half < 2; ++half) {
        const double* d = p + 9 * half;
        int k = 3;
        for (int i = 0; i < 3; ++i) {
            m[3 * half + i][3 * half + i] = {d[i], 0};
            for (int j = 0; j < i; ++j, k += 2) {
                m[3 * half + i][3 * half + j] = {d[k], d[k + 1]};
                m[3 * half + j][3 * half + i] = {d[k], -d[k + 1]};
            }
        }
    }
    for (int i = 0, k = 18; i < 3; ++i)
        for (int j = 0; j < 3; ++j, k += 2) {
            m[3 + i][j] = {p[k], p[k + 1]};
            m[j][3 + i] = {p[k], -p[k + 1]};
        }
    return m;
}

/// The Hermitian part.
void store(const Matrix& m, double* p)
{
    const auto mean = [&](int i, int j) { return scaled(0.5, m[i][j] + links::conj(m[j][i])); };
    for (int half = 0; half < 2; ++half, p += 9) {
        int k = 3;
        for (int i = 0; i < 3; ++i) {
            p[i] = m[3 * half + i][3 * half + i].re;
            for (int j = 0; j < i; ++j, k += 2) {
                const Complex z = mean(3 * half + i, 3 * half + j);
                p[k] = z.re;
                p[k + 1] = z.im;
            }
        }
    }
    for (int i = 0, k = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j, k += 2) {
            const Complex z = mean(3 + i, j);
            p[k] = z.re;
            p[k + 1] = z.im;
        }
}

/// A^2 + mubar^2
Matrix square(const Matrix& a, double mubar)
{
    Matrix s{};
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            for (int k = 0; k < n; ++k) s[i][j] = s[i][j] + a[i][k] * a[k][j];
            if (i == j) s[i][j].re += mubar * mubar;
        }
    return s;
}

double size(Complex z) { return std::max(std::abs(z.re), std::abs(z.im)); }

Complex reciprocal(Complex z)
{
    const double scale = size(z), re = z.re / scale, im = z.im / scale;
    const double norm = (re * re + im * im) * scale;
    return {re / norm, -im / norm};
}

/// Inverts by Gauss and Jordan with the largest pivot of a column: A need not be positive.
Matrix inverse(Matrix m)
{
    Matrix r{};
    for (int i = 0; i < n; ++i) r[i][i] = {1, 0};
    for (int column = 0; column < n; ++column) {
        int pivot = column;
        for (int i = column + 1; i < n; ++i)
            if (size(m[i][column]) > size(m[pivot][column])) pivot = i;
        std::swap(m[column], m[pivot]);
        std::swap(r[column], r[pivot]);
        const Complex scale = reciprocal(m[column][column]);
        for (int j = 0; j < n; ++j) {
            m[column][j] = scale * m[column][j];
            r[column][j] = scale * r[column][j];
        }
        for (int i = 0; i < n; ++i) {
            if (i == column) continue;
            const Complex factor = m[i][column];
            for (int j = 0; j < n; ++j) {
                m[i][j] = m[i][j] - factor * m[column][j];
                r[i][j] = r[i][j] - factor * r[column][j];
            }
        }
    }
    return r;
}

} // namespace

CloverSlices::CloverSlices(const Extents& lattice, const Box& box, double c, Take take)
    : lattice_(lattice), box_(box), c_(c), take_(std::move(take)),
      matrices_(volume(box) / box.extents[3] * clover_reals)
{
}

std::size_t CloverSlices::bytes(const Extents& l)
{
    return volume(l) / l[3] * (4 * links::reals_per_site + clover_reals) * sizeof(double);
}

void CloverSlices::add_slice(int t, std::span<const double> links)
{
    const std::size_t reals = volume(lattice_) / lattice_[3] * links::reals_per_site;
    if (links.size() != reals)
        throw Error("clover: time slice {} of {} reals, not {}", t, links.size(), reals);
    const int first = box_.lower[3], count = box_.extents[3], i = added_++;
    Slice here(links.begin(), links.end());
    if (i == count + 1) { // the one below
        give(first, here, first_, second_);
        return;
    }
    if (i == 0) first_ = here;
    if (i == 1) second_ = here;
    if (i >= 2) give(first + i - 1, before_, last_, here);
    if (i == count) return;
    before_ = std::exchange(last_, std::move(here));
    if (needs_outside() || i + 1 < count) return;
    give(t, before_, last_, first_);
    give(first, last_, first_, second_);
}

void CloverSlices::give(int t, const Slice& below, const Slice& here, const Slice& above)
{
    const ThreeSlices u(lattice_, below.data(), here.data(), above.data());
    const int lx = box_.extents[0], ly = box_.extents[1], rows = ly * box_.extents[2];
#pragma omp parallel for schedule(static)
    for (int row = 0; row < rows; ++row)
        for (int x = 0; x < lx; ++x)
            clover_of_site(
                u, {box_.lower[0] + x, box_.lower[1] + row % ly, box_.lower[2] + row / ly, 1}, c_,
                &matrices_[(std::size_t(row) * lx + x) * clover_reals]);
    take_(t, matrices_);
}

void invert_clover(const double* matrix, double mubar, double* inverted)
{
    for (int chirality = 0; chirality < 2; ++chirality) {
        const Matrix a = load(matrix + 36 * chirality);
        store(inverse(mubar == 0 ? a : square(a, mubar)), inverted + 36 * chirality);
    }
}

} // namespace qcd
