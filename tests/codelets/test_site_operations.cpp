// Operations that take each site by itself, on every backend: the spin and colour products and the
// solvers' vector updates, against the plain formulas.

#include "codelets/add_correction/add_correction.hpp"
#include "codelets/bicgstab_residual/bicgstab_residual.hpp"
#include "codelets/bicgstab_scalars/args.h"
#include "codelets/bicgstab_update/bicgstab_update.hpp"
#include "codelets/cg_residual/cg_residual.hpp"
#include "codelets/cg_scalars/args.h"
#include "codelets/cg_update/cg_update.hpp"
#include "codelets/chiral_scale/chiral_scale.hpp"
#include "codelets/cr_scalars/args.h"
#include "codelets/cr_update/cr_update.hpp"
#include "codelets/dot/dot.hpp"
#include "codelets/fma_chains/fma_chains.hpp"
#include "codelets/narrow/narrow.hpp"
#include "codelets/xgemm33x34/xgemm33x34.hpp"
#include "codelets/xgemm34x44/xgemm34x44.hpp"
#include "codelets/xpay/xpay.hpp"
#include "tests/codelets/blocks.hpp"
#include "tests/codelets/sums.hpp"
#include "tests/reference/dirac.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

using namespace qcd;
using namespace qcd::test;
using ref::Complex;
using ref::Spinors;

namespace
{

constexpr Complex alpha{0.75, -0.3125}, beta{-0.5, 0.6875}, omega{0.1875, 1.25}; // exact in single
constexpr Complex alpha_before{-0.4375, 0.625};

scalar scalar_of(Complex z) { return {z.real(), z.imag()}; }

/// A method's scalars with these. What an operation does not name it may not use.
template <class Struct>
Buffer<Struct> scalars(double gate = QCD_GATE_OPEN, Complex with_beta = beta)
{
    Buffer<Struct> c(1);
    const auto unused = poisoned<double>(sizeof(Struct) / sizeof(double));
    std::memcpy(c.data(), unused.data(), sizeof(Struct));
    c[0].solve.gate = gate;
    c[0].beta = scalar_of(with_beta);
    if constexpr (requires { c[0].omega; }) {
        c[0].alpha = scalar_of(alpha);
        c[0].omega = scalar_of(omega);
    } else {
        c[0].x.alpha = scalar_of(alpha);
        c[0].x.alpha_before = scalar_of(alpha_before);
    }
    return c;
}

Spinors plus(const Spinors& a, Complex factor, const Spinors& b)
{
    return ref::combine(1, a, factor, b);
}

/// A sum over fields that are themselves rounded: n units per term.
template <class P>
void check_rounded_sum(double value, double expected, std::size_t size)
{
    CHECK(std::abs(value - expected) <= eps<P>(8) * double(size));
}

} // namespace

TEMPLATE_TEST_CASE("chiral_scale: out <- c o in", "[codelets]", F64, F32, F16)
{
    using Real = typename TestType::Real;
    const int blocks = sizes();
    const chiral c = GENERATE(chiral{1, 0, -1, 0}, chiral{0.3, 0, 0.7, 0},
                              chiral{0.8, -0.25, 0.8, 0.25}, chiral{1, 0, 1, 1e-3});
    const Spinors psi = random_sites<Real>(blocks, 1);
    Spinors expected(psi.size());
    for (std::size_t k = 0; k < psi.size(); ++k)
        expected[k] =
            psi[k] * (k % 12 < 6 ? Complex(c.up_re, c.up_im) : Complex(c.down_re, c.down_im));
    on_every_backend([&](const Backend& backend) {
        auto result = poisoned_spinors<Real>(blocks);
        backend.run(chiral_scale_codelet(TestType::precision), chiral_scale_args{blocks, c},
                    {out(result), in(to_blocks<Real>(psi))});
        CHECK(error(from_blocks(result), expected) <= eps<TestType>(2));
        return bytes_of(result);
    });
}

TEMPLATE_TEST_CASE("narrow: out <- in, rounded", "[codelets]", F32, F16)
{
    using Real = typename TestType::Real;
    const int blocks = sizes();
    Spinors psi = random_sites<double>(blocks, 1);
    // Sites of all sizes; with a 0, with nothing else, and with what rounds to a power of two.
    for (std::size_t k = 0; k < psi.size(); ++k) psi[k] *= std::ldexp(1, int(k / 12 % 61) - 30);
    psi[1] = 0;
    std::fill_n(psi.begin() + 12, 12, 0);
    psi[24] = std::nextafter(1024, 0);
    on_every_backend([&](const Backend& backend) {
        auto result = poisoned_spinors<Real>(blocks);
        backend.run(narrow_codelet(TestType::precision), narrow_args{blocks},
                    {out(result), in(to_blocks<double>(psi))});
        CHECK(error(from_blocks(result), rounded<Real>(psi)) == 0);
        return bytes_of(result);
    });
}

TEMPLATE_TEST_CASE("add_correction: y <- y + x, with the steps that x lacks", "[codelets]", F32,
                   F16)
{
    using Real = typename TestType::Real;
    const int blocks = sizes(), lacking = GENERATE(-1, 0, 1, 2); // -1: no steps
    const bool closed = GENERATE(false, true);
    const Spinors y = random_sites<double>(blocks, 1), x = random_sites<float>(blocks, 2),
                  before = random_sites<Real>(blocks, 3), p = random_sites<Real>(blocks, 4);
    Spinors corrected = x;
    if (lacking == 1) corrected = plus(x, alpha, before);
    if (lacking == 2) corrected = plus(plus(x, alpha_before, before), alpha, p);
    auto c = scalars<cg_scalars>(closed ? 3 : 0);
    c[0].x.lacking = lacking;
    on_every_backend([&](const Backend& backend) {
        auto y_field = to_blocks<double>(y);
        const Codelet& codelet = add_correction_codelet(TestType::precision);
        if (lacking < 0)
            backend.run(codelet, add_correction_args{blocks},
                        {out(y_field), in(to_blocks<float>(x))});
        else
            backend.run(codelet, add_correction_args{blocks},
                        {out(y_field), in(to_blocks<float>(x)), in(to_blocks<Real>(before)),
                         in(to_blocks<Real>(p)), in(c)});
        CHECK(error(from_blocks(y_field), plus(y, 1, corrected)) <= eps<F64>(6));
        return bytes_of(y_field);
    });
}

namespace
{

/// out <- in in 16 bits, of one site that is 1 but for its first real.
Spinors copied_site(const Backend& backend, double first)
{
    Spinors psi(12 * 32, Complex(1, 1));
    psi[0] = {first, 1};
    auto result = poisoned_spinors<Half>(1);
    // Through single, which rounds none of these.
    auto wide = to_blocks<double>(psi);
    backend.run(narrow_codelet(Precision::f16), narrow_args{1}, {out(result), in(wide)});
    auto copy = poisoned_spinors<Half>(1);
    backend.run(chiral_scale_codelet(Precision::f16), chiral_scale_args{1, {1, 0, 1, 0}},
                {out(copy), in(result)});
    CHECK(error(from_blocks(copy), from_blocks(result)) ==
          (std::isfinite(from_blocks(result)[0].real()) ? 0 : HUGE_VAL));
    const Spinors all = from_blocks(copy);
    CHECK(all[12] == Complex(1, 1)); // other sites
    return Spinors(all.begin(), all.begin() + 12);
}

} // namespace

TEST_CASE("16 bits: sites with a norm of 0, a huge one, and none", "[codelets]")
{
    const auto is_nan = [](Complex z) { return z.real() != z.real() && z.imag() != z.imag(); };
    for (const Backend& backend : backends()) {
        INFO(backend.name());
        for (const double size : {0x1p100, 0x1p118, std::nextafter(0x1p119, 0) * 0.999}) {
            const Spinors site = copied_site(backend, size);
            CHECK(site[0].real() == Approx(size).epsilon(0x1p-15));
            CHECK(site[0].imag() == 0); // less than half a unit
            CHECK(site[1] == Complex(0, 0));
        }
        for (const double none :
             {0x1p119, 0x1p300, HUGE_VAL, -HUGE_VAL, double(NAN), -double(NAN)}) {
            const Spinors site = copied_site(backend, none);
            CHECK(std::all_of(site.begin(), site.end(), is_nan));
        }
        const Spinors tiny = copied_site(backend, 0x1p-300);
        CHECK(tiny[0] == Complex(0, 1));
    }
}

TEMPLATE_TEST_CASE("chiral_scale: without input it clears", "[codelets]", F64, F32)
{
    using Real = typename TestType::Real;
    const int blocks = sizes();
    on_every_backend([&](const Backend& backend) {
        auto result = poisoned_spinors<Real>(blocks);
        backend.run(chiral_scale_codelet(TestType::precision),
                    chiral_scale_args{blocks, {-1, 0, -1, 0}}, {out(result), absent});
        for (const Real x : result) REQUIRE((x == 0 && !std::signbit(x)));
        return bytes_of(result);
    });
}

TEMPLATE_TEST_CASE("xgemm33x34: out <- U_mu psi", "[codelets]", F64, F32)
{
    using Real = typename TestType::Real;
    const int blocks = sizes(), mu = GENERATE(0, 1, 2, 3), dagger = GENERATE(0, 1);
    const LinkStorage storage =
        GENERATE(LinkStorage::full, LinkStorage::two_rows, LinkStorage::minimal);
    const Spinors psi = random_sites<Real>(blocks, 1);
    const Extents sites{32, blocks, 4, 1}; // in z: the direction, as links lie in memory
    const ref::Links all = ref::random_rotations(sites, 2);
    const ref::Links links = as_stored<Real>(all, storage);
    std::vector<Complex> stored;
    for (std::size_t i = 0; i < all.size() / 9; ++i) {
        const auto r = stored_link<Real>(all, i, storage);
        for (int k = 0; k < reals(storage); k += 2) stored.emplace_back(r[k], r[k + 1]);
    }
    ref::Rotations u(links.begin() + 288L * blocks * mu, links.begin() + 288L * blocks * (mu + 1));
    if (dagger)
        for (std::size_t m = 0; m < u.size(); m += 9)
            for (int i = 0; i < 3; ++i)
                for (int j = i; j < 3; ++j) {
                    const Complex upper = u[m + 3 * i + j];
                    u[m + 3 * i + j] = std::conj(u[m + 3 * j + i]);
                    u[m + 3 * j + i] = std::conj(upper);
                }
    on_every_backend([&](const Backend& backend) {
        auto result = poisoned_spinors<Real>(blocks);
        backend.run(xgemm33x34_codelet(TestType::precision, storage),
                    xgemm33x34_args{blocks, mu, dagger},
                    {out(result), in(to_blocks<Real>(stored, reals(storage) / 2)),
                     in(to_blocks<Real>(psi))});
        CHECK(error(from_blocks(result), ref::transform(u, psi)) <=
              eps<TestType>(storage == LinkStorage::full ? 6 : 12));
        return bytes_of(result);
    });
}

TEMPLATE_TEST_CASE("xgemm34x44: out <- (1 - sign gamma_mu) psi", "[codelets]", F64, F32)
{
    using Real = typename TestType::Real;
    const int blocks = sizes(), mu = GENERATE(0, 1, 2, 3), sign = GENERATE(1, -1);
    const Spinors psi = random_sites<Real>(blocks, 1);
    const Spinors expected = ref::spin_multiply(ref::one_and_gamma(1, -sign, mu), psi);
    on_every_backend([&](const Backend& backend) {
        auto result = poisoned_spinors<Real>(blocks);
        backend.run(xgemm34x44_codelet(TestType::precision), xgemm34x44_args{blocks, mu, sign},
                    {out(result), in(to_blocks<Real>(psi))});
        CHECK(error(from_blocks(result), expected) <= eps<TestType>(1));
        return bytes_of(result);
    });
}

TEMPLATE_TEST_CASE("xpay: y <- x + beta y", "[codelets]", F64, F32)
{
    using Real = typename TestType::Real;
    const int blocks = sizes();
    const Spinors x = random_sites<Real>(blocks, 1), y = random_sites<Real>(blocks, 2);
    on_every_backend([&](const Backend& backend) {
        auto result = to_blocks<Real>(y);
        backend.run(xpay_codelet(TestType::precision), xpay_args{blocks, scalar_of(beta)},
                    {in(to_blocks<Real>(x)), out(result)});
        CHECK(error(from_blocks(result), plus(x, beta, y)) <= eps<TestType>(2));
        return bytes_of(result);
    });
}

TEMPLATE_TEST_CASE("fma_chains: x <- a x + b, several times", "[codelets]", F64, F32)
{
    using Real = typename TestType::Real;
    const int blocks = sizes(), steps = GENERATE(0, 1, 5);
    constexpr double a = -0.625, b = 1.25; // exact in single
    const auto x = to_blocks<Real>(random_sites<Real>(blocks, 1));
    Buffer<Real> expected = x;
    for (Real& real : expected)
        for (int i = 0; i < steps; ++i) real = std::fma(Real(a), real, Real(b));
    on_every_backend([&](const Backend& backend) {
        auto result = x;
        backend.run(fma_chains_codelet(TestType::precision), fma_chains_args{blocks, steps, a, b},
                    {out(result)});
        CHECK(bytes_of(result) == bytes_of(expected));
        return bytes_of(result);
    });
}

TEMPLATE_TEST_CASE("cg_residual: r <- r - alpha q, |r|^2", "[codelets]", F64, F32, F16)
{
    using Real = typename TestType::Real;
    const int blocks = sizes();
    const Spinors r = random_sites<Real>(blocks, 1), q = random_sites<Real>(blocks, 2);
    const Spinors r_new = plus(r, -alpha, q);
    on_every_backend([&](const Backend& backend) {
        auto r_field = to_blocks<Real>(r);
        auto sums = poisoned_sums();
        backend.run(cg_residual_codelet(TestType::precision), cg_residual_args{blocks},
                    {out(r_field), in(to_blocks<Real>(q)), in(scalars<cg_scalars>()), out(sums)});
        CHECK(error(from_blocks(r_field), r_new) <= eps<TestType>(2));
        check_rounded_sum<TestType>(value_of(sums, 2), norm2(r_new), r.size());
        return bytes_of(r_field, canonical(sums));
    });
}

TEMPLATE_TEST_CASE("cg_update: two steps of x, and the next p", "[codelets]", F64, F32, F16)
{
    using Real = typename TestType::Real;
    using Plain = typename TestType::Plain;
    const int blocks = sizes();
    const Spinors x = random_sites<Plain>(blocks, 1), before = random_sites<Real>(blocks, 2),
                  p = random_sites<Real>(blocks, 3), z = random_sites<Real>(blocks, 4);
    const bool with_x = GENERATE(true, false);
    const int reach = GENERATE(QCD_REACH_NEAR, QCD_REACH_MEMORY);
    on_every_backend([&](const Backend& backend) {
        auto x_field = to_blocks<Plain>(x);
        auto next = with_x ? to_blocks<Real>(before) : poisoned_spinors<Real>(blocks);
        backend.run(cg_update_codelet(TestType::precision), cg_update_args{blocks, reach},
                    {with_x ? out(x_field) : absent, out(next), in(to_blocks<Real>(p)),
                     in(to_blocks<Real>(z)), in(scalars<cg_scalars>())});
        const Spinors x_new = plus(plus(x, alpha_before, before), alpha, p);
        CHECK(error(from_blocks(x_field), with_x ? x_new : x) <= eps<TestType>(4));
        CHECK(error(from_blocks(next), plus(z, beta, p)) <= eps<TestType>(2));
        return bytes_of(x_field, next);
    });
}

TEMPLATE_TEST_CASE("cr_update: p, Ap, x and r in one pass", "[codelets]", F64, F32, F16)
{
    using Real = typename TestType::Real;
    using Plain = typename TestType::Plain;
    const int blocks = sizes();
    const Spinors x = random_sites<Plain>(blocks, 1), r = random_sites<Real>(blocks, 2),
                  p = random_sites<Real>(blocks, 3), Ap = random_sites<Real>(blocks, 4),
                  Ar = random_sites<Real>(blocks, 5);
    const Spinors p_new = plus(r, beta, p), Ap_new = plus(Ar, beta, Ap);
    const Spinors r_new = plus(r, -alpha, Ap_new);
    on_every_backend([&](const Backend& backend) {
        auto x_field = to_blocks<Plain>(x);
        auto r_field = to_blocks<Real>(r), p_field = to_blocks<Real>(p),
             Ap_field = to_blocks<Real>(Ap);
        auto sums = poisoned_sums();
        backend.run(cr_update_codelet(TestType::precision), cr_update_args{blocks},
                    {out(x_field), out(r_field), out(p_field), out(Ap_field),
                     in(to_blocks<Real>(Ar)), in(scalars<cr_scalars>()), out(sums)});
        CHECK(error(from_blocks(p_field), p_new) <= eps<TestType>(2));
        CHECK(error(from_blocks(Ap_field), Ap_new) <= eps<TestType>(2));
        CHECK(error(from_blocks(x_field), plus(plus(x, alpha_before, p), alpha, p_new)) <=
              eps<TestType>(4));
        CHECK(error(from_blocks(r_field), r_new) <= eps<TestType>(4));
        check_rounded_sum<TestType>(value_of(sums, 2), norm2(r_new), r.size());
        return bytes_of(x_field, r_field, p_field, Ap_field, canonical(sums));
    });
}

TEMPLATE_TEST_CASE("cr_update: without x the rest is the same", "[codelets]", F64, F32, F16)
{
    using Real = typename TestType::Real;
    using Plain = typename TestType::Plain;
    const int blocks = sizes();
    const auto Ar = to_blocks<Real>(random_sites<Real>(blocks, 1));
    on_every_backend([&](const Backend& backend) {
        const auto update = [&](bool with_x) {
            auto x = to_blocks<Plain>(random_sites<Plain>(blocks, 2));
            auto r = to_blocks<Real>(random_sites<Real>(blocks, 3)),
                 p = to_blocks<Real>(random_sites<Real>(blocks, 4)),
                 Ap = to_blocks<Real>(random_sites<Real>(blocks, 5));
            auto sums = poisoned_sums();
            backend.run(cr_update_codelet(TestType::precision), cr_update_args{blocks},
                        {with_x ? out(x) : absent, out(r), out(p), out(Ap), in(Ar),
                         in(scalars<cr_scalars>()), out(sums)});
            return bytes_of(r, p, Ap, canonical(sums));
        };
        const auto without_x = update(false);
        CHECK(without_x == update(true));
        return without_x;
    });
}

TEMPLATE_TEST_CASE("bicgstab_residual: r <- r - alpha v, (shadow|r), |r|^2", "[codelets]", F64, F32,
                   F16)
{
    using Real = typename TestType::Real;
    const int blocks = sizes();
    const Spinors r = random_sites<Real>(blocks, 1), v = random_sites<Real>(blocks, 2),
                  shadow = random_sites<Real>(blocks, 3);
    const Spinors s = plus(r, -alpha, v);
    on_every_backend([&](const Backend& backend) {
        auto r_field = to_blocks<Real>(r);
        auto sums = poisoned_sums();
        backend.run(bicgstab_residual_codelet(TestType::precision), bicgstab_residual_args{blocks},
                    {out(r_field), in(to_blocks<Real>(v)), in(to_blocks<Real>(shadow)),
                     in(scalars<bicgstab_scalars>()), out(sums)});
        CHECK(error(from_blocks(r_field), s) <= eps<TestType>(2));
        const Complex product = inner(shadow, s);
        check_rounded_sum<TestType>(value_of(sums, 0), product.real(), r.size());
        check_rounded_sum<TestType>(value_of(sums, 1), product.imag(), r.size());
        check_rounded_sum<TestType>(value_of(sums, 2), norm2(s), r.size());
        return bytes_of(r_field, canonical(sums));
    });
}

TEMPLATE_TEST_CASE("bicgstab_update: x, r and p in one pass", "[codelets]", F64, F32, F16)
{
    using Real = typename TestType::Real;
    const int blocks = sizes();
    const Spinors x = random_sites<typename TestType::Plain>(blocks, 1),
                  s = random_sites<Real>(blocks, 2), p = random_sites<Real>(blocks, 3),
                  v = random_sites<Real>(blocks, 4), t = random_sites<Real>(blocks, 5);
    const Spinors r_new = plus(s, -omega, t);
    on_every_backend([&](const Backend& backend) {
        auto x_field = to_blocks<typename TestType::Plain>(x);
        auto r_field = to_blocks<Real>(s), p_field = to_blocks<Real>(p);
        auto sums = poisoned_sums();
        backend.run(bicgstab_update_codelet(TestType::precision), bicgstab_update_args{blocks},
                    {out(x_field), out(r_field), out(p_field), in(to_blocks<Real>(v)),
                     in(to_blocks<Real>(t)), in(scalars<bicgstab_scalars>()), out(sums)});
        CHECK(error(from_blocks(x_field), plus(plus(x, alpha, p), omega, s)) <= eps<TestType>(4));
        CHECK(error(from_blocks(r_field), r_new) <= eps<TestType>(2));
        CHECK(error(from_blocks(p_field), plus(r_new, beta, plus(p, -omega, v))) <=
              eps<TestType>(6));
        check_rounded_sum<TestType>(value_of(sums, 2), norm2(r_new), s.size());
        return bytes_of(x_field, r_field, p_field, canonical(sums));
    });
}

TEMPLATE_TEST_CASE("a closed gate: vectors stay as they are, bit for bit", "[codelets]", F64, F32,
                   F16)
{
    using Real = typename TestType::Real;
    constexpr Precision precision = TestType::precision;
    const double closed = GENERATE(1.0, 2.0);
    const auto cr = scalars<cr_scalars>(closed);
    const auto cg = scalars<cg_scalars>(closed);
    const auto bicgstab = scalars<bicgstab_scalars>(closed);
    const auto other = to_blocks<Real>(random_sites<Real>(2, 1));
    on_every_backend([&](const Backend& backend) {
        auto x = poisoned_spinors<typename TestType::Plain>(2);
        auto a = poisoned_spinors<Real>(2), b = a, c = a,
             d = a; // NaN must not become another NaN either
        const auto untouched = bytes_of(x, a, b, c, d);
        auto sums = poisoned_sums(); // not read behind a closed gate: anything may be in them
        backend.run(cg_residual_codelet(precision), cg_residual_args{2},
                    {out(a), in(other), in(cg), out(sums)});
        CHECK(bytes_of(x, a, b, c, d) == untouched);
        backend.run(cg_update_codelet(precision), cg_update_args{2, QCD_REACH_NEAR},
                    {out(x), out(b), in(other), in(other), in(cg)});
        CHECK(bytes_of(x, a, b, c, d) == untouched);
        backend.run(cr_update_codelet(precision), cr_update_args{2},
                    {out(x), out(b), out(c), out(d), in(other), in(cr), out(sums)});
        CHECK(bytes_of(x, a, b, c, d) == untouched);
        backend.run(bicgstab_residual_codelet(precision), bicgstab_residual_args{2},
                    {out(a), in(other), in(other), in(bicgstab), out(sums)});
        CHECK(bytes_of(x, a, b, c, d) == untouched);
        backend.run(bicgstab_update_codelet(precision), bicgstab_update_args{2},
                    {out(x), out(b), out(c), in(other), in(other), in(bicgstab), out(sums)});
        CHECK(bytes_of(x, a, b, c, d) == untouched);
        return bytes_of(x, a, b, c, d);
    });
}

TEMPLATE_TEST_CASE("vectors that are updated are read even when beta = 0", "[codelets]", F64, F32)
{
    using Real = typename TestType::Real;
    const auto c = scalars<cr_scalars>(0, 0);
    const auto x = to_blocks<Real>(random_sites<Real>(1, 1));
    for (const Backend& backend : backends()) {
        auto y = to_blocks<Real>(random_sites<Real>(1, 2));
        y[5] = poison<Real>; // row 0 of one lane: the real part of a component
        backend.run(xpay_codelet(TestType::precision), xpay_args{1, {0, 0}}, {in(x), out(y)});
        constexpr int row = QCD_PIECE_BYTES / int(sizeof(Real)); // from one row to the next
        CHECK((y[5] != y[5] && y[5 + row] != y[5 + row]));
        CHECK(std::count_if(y.begin(), y.end(), [](Real z) { return z != z; }) == 2);

        auto x_field = x, r = x, p = poisoned_spinors<Real>(1), Ap = x;
        auto sums = poisoned_sums();
        backend.run(cr_update_codelet(TestType::precision), cr_update_args{1},
                    {out(x_field), out(r), out(p), out(Ap), in(x), in(c), out(sums)});
        CHECK(std::all_of(p.begin(), p.end(), [](Real z) { return z != z; }));
        CHECK(std::all_of(x_field.begin(), x_field.end(), [](Real z) { return z != z; }));
        CHECK(std::none_of(r.begin(), r.end(), [](Real z) { return z != z; })); // r never sees p
    }
}
