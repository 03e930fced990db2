#include "lattice/link_storage.hpp"

#include <cmath>

namespace qcd::links
{

namespace
{

constexpr Complex one{1, 0};

double norm2(Complex z) { return z.re * z.re + z.im * z.im; }
Complex scaled(double s, Complex z) { return {s * z.re, s * z.im}; }
Complex ratio(Complex a, Complex b) { return scaled(1 / norm2(b), a * conj(b)); }

void normalise(Complex* z, int n)
{
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += norm2(z[i]);
    for (int i = 0; i < n; ++i) z[i] = scaled(1 / std::sqrt(sum), z[i]);
}

/// 2 (1+i y) / ((1+y^2)(1+|z|^2)): 1 + the first component of a point of the sphere.
Complex one_plus_first(double y, double z2) { return scaled(2 / ((1 + y * y) * (1 + z2)), {1, y}); }

/// The stereographic coordinates of the point z of a sphere: z[j] becomes z[j]/(1+z[0]) for j > 0,
/// and Im z[0]/(1+Re z[0]) is returned. The pole, and what is as near to it as `rounding`, becomes
/// the point at y = 4/rounding, whose y^2, squared, is still a number in the stored precision.
double coordinates(Complex* z, int n, double rounding)
{
    double rest2 = 0;
    for (int i = 1; i < n; ++i) rest2 += norm2(z[i]);
    // 1 + Re z[0], without cancellation
    const double re = z[0].re < 0 ? (z[0].im * z[0].im + rest2) / (1 - z[0].re) : 1 + z[0].re;
    const double most = 4 / rounding;
    const bool pole = re * most * most < 2;
    for (int i = 1; i < n; ++i) z[i] = pole ? Complex{} : ratio(z[i], {re, z[0].im});
    return pole ? most : z[0].im / re;
}

void compress_to_8(const Link& u, double rounding, double* out)
{
    Complex a[3] = {u.e[0][0], u.e[0][1], u.e[0][2]};
    Complex b[3] = {u.e[1][0], u.e[1][1], u.e[1][2]};
    normalise(a, 3);
    // Near the pole b0 is small; orthogonality knows it better than its own digits do.
    if (a[0].re < -0.5) b[0] = ratio(Complex{} - conj(a[1]) * b[1] - conj(a[2]) * b[2], conj(a[0]));
    out[0] = coordinates(a, 3, rounding);
    Complex c[2] = {b[1] - b[0] * a[1], b[2] - b[0] * a[2]};
    normalise(c, 2);
    out[1] = coordinates(c, 2, rounding);
    const Complex rest[] = {c[1], a[1], a[2]};
    std::memcpy(out + 2, rest, sizeof rest);
}

Link expand_8(const double* r)
{
    const Complex w{r[2], r[3]}, z[] = {{r[4], r[5]}, {r[6], r[7]}};
    const Complex g = one_plus_first(r[0], norm2(z[0]) + norm2(z[1]));
    const Complex h = one_plus_first(r[1], norm2(w));
    const Complex c[] = {h - one, h * w};
    const Complex k = c[0] * conj(z[0]) + c[1] * conj(z[1]);
    Link u;
    u.e[0][0] = g - one;
    u.e[1][0] = Complex{} - k * g;
    for (int j = 0; j < 2; ++j) {
        u.e[0][j + 1] = g * z[j];
        u.e[1][j + 1] = c[j] - k * u.e[0][j + 1];
    }
    complete_third_row(u);
    return u;
}

} // namespace

void compress(const Link& u, LinkStorage storage, double rounding, double* out)
{
    if (storage == LinkStorage::minimal)
        compress_to_8(u, rounding, out);
    else
        std::memcpy(out, &u, sizeof(double) * reals(storage));
}

Link expand(const double* stored, LinkStorage storage)
{
    if (storage == LinkStorage::minimal) return expand_8(stored);
    Link u;
    std::memcpy(&u, stored, sizeof(double) * reals(storage));
    if (storage == LinkStorage::two_rows) complete_third_row(u);
    return u;
}

double distance(const Link& a, const Link& b)
{
    double worst = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            const double d = std::sqrt(norm2(a.e[i][j] - b.e[i][j]));
            if (!(d <= worst)) worst = d; // a NaN is kept
            if (std::isnan(worst)) return worst;
        }
    return worst;
}

} // namespace qcd::links
