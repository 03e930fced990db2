// Operations on sums and on the solvers' scalars, on every backend.

#include "codelets/coefficients/coefficients.hpp"
#include "codelets/linked_coefficients/linked_coefficients.hpp"
#include "codelets/merge_sums/merge_sums.hpp"
#include "tests/codelets/blocks.hpp"
#include "tests/codelets/sums.hpp"

#include <catch2/catch.hpp>

using namespace qcd;
using namespace qcd::test;
using Complex = std::complex<double>;
using Scalars = std::array<double, QCD_COEFFICIENTS>;
using Values = std::array<double, QCD_MAX_SUMS>;

namespace
{

/// An iteration under way: |r|^2 = 2, threshold 1e-3, and values that no formula makes by itself.
Scalars under_way()
{
    Scalars c{};
    c[QCD_RR] = 2;
    c[QCD_ALPHA] = 0.7, c[QCD_ALPHA + 1] = -0.2;
    c[QCD_BETA] = 0.3, c[QCD_BETA + 1] = 0.9;
    c[QCD_OMEGA] = -1.1, c[QCD_OMEGA + 1] = 0.4;
    c[QCD_RHO] = 1.7, c[QCD_RHO + 1] = -0.6;
    c[QCD_APAP] = 3.1;
    c[QCD_STOP] = 1e-3;
    c[QCD_STEPS] = 1;
    return c;
}

Complex at(const Scalars& c, int place) { return {c[place], c[place + 1]}; }

const Values* none = nullptr;

/// Runs a stage on every backend (equal bits), returns the scalars.
Scalars stage(const coefficients_args& args, const Scalars* previous, const Values* a,
              const Values* b)
{
    Scalars result{};
    const Buffer<double> before(previous ? previous->begin() : nullptr,
                                previous ? previous->end() : nullptr);
    const Buffer<i64> sums_a = a ? sums_of(*a) : Buffer<i64>(),
                      sums_b = b ? sums_of(*b) : Buffer<i64>();
    on_every_backend([&](const Backend& backend) {
        auto c = poisoned<double>(QCD_COEFFICIENTS);
        backend.run(coefficients_codelet(), args,
                    {out(c), previous ? in(before) : absent, a ? in(sums_a) : absent,
                     b ? in(sums_b) : absent});
        std::copy(c.begin(), c.end(), result.begin());
        return bytes_of(c);
    });
    return result;
}

void check_near(Complex value, Complex expected)
{
    INFO(value << " is not " << expected);
    CHECK(std::abs(value - expected) <= 1e-15 * (1 + std::abs(expected)));
}

} // namespace

TEST_CASE("coefficients: start", "[codelets]")
{
    const bool rho_is_rr = GENERATE(false, true);
    const Values dots{1, 2, 3, 4.5, 0};
    const Scalars c = stage({QCD_STAGE_START, rho_is_rr, 1e-3, 0}, nullptr, &dots, none);
    CHECK(c[QCD_GATE] == 0);
    CHECK(c[QCD_RR] == 4.5);
    CHECK(c[QCD_STOP] == Approx(4.5e-6).epsilon(1e-15));
    CHECK(at(c, QCD_RHO) == Complex(rho_is_rr ? 4.5 : 0));
    CHECK(c[QCD_KNOWN] == 1);
    CHECK(c[QCD_RESIDUALS] == 4.5);
    for (const int place : {QCD_ALPHA, QCD_BETA, QCD_OMEGA}) CHECK(at(c, place) == 0.0);
    CHECK(c[QCD_APAP] == 0);
}

TEST_CASE("coefficients: b = 0 is solved by x = 0, also with tolerance 0", "[codelets]")
{
    const Values zero{};
    CHECK(stage({QCD_STAGE_START, 0, GENERATE(0.0, 1e-10), 0}, nullptr, &zero, none)[QCD_GATE] ==
          1);
}

TEST_CASE("coefficients: Conjugate Residual", "[codelets]")
{
    const Values Ar{0.4, 1.3, 5, -0.8, 0.35}; // (r|Ar), |Ar|^2, (Ap|Ar)
    const Values update{7, 7, 1.25, 7, 7};    // |r|^2
    const Complex rho(0.4, 1.3), ApAr(-0.8, 0.35);
    Scalars old = under_way();
    SECTION("first iteration: beta = 0")
    {
        old[QCD_RHO] = old[QCD_RHO + 1] = 0;
        const Scalars c = stage({QCD_STAGE_CR, 0, 0, 0}, &old, &Ar, none);
        CHECK(c[QCD_RR] == 2); // without b the residual is the previous one
        check_near(at(c, QCD_BETA), 0);
        check_near(c[QCD_APAP], 5);
        check_near(at(c, QCD_ALPHA), std::conj(rho) / 5.0);
        check_near(at(c, QCD_RHO), rho);
    }
    SECTION("later: beta = conj(rho)/rho_old")
    {
        const Complex beta = std::conj(rho) / at(old, QCD_RHO);
        const double ApAp = 5 + 2 * (std::conj(beta) * ApAr).real() + std::norm(beta) * 3.1;
        const Scalars c = stage({QCD_STAGE_CR, 0, 0, 0}, &old, &Ar, &update);
        CHECK(c[QCD_GATE] == 0);
        CHECK(c[QCD_RR] == 1.25);
        check_near(at(c, QCD_BETA), beta);
        check_near(c[QCD_APAP], ApAp);
        check_near(at(c, QCD_ALPHA), std::conj(rho) / ApAp);
        check_near(at(c, QCD_RHO), rho);
        CHECK(c[QCD_STOP] == old[QCD_STOP]);
        CHECK(at(c, QCD_ALPHA_BEFORE) == at(old, QCD_ALPHA));
        CHECK(c[QCD_STEPS] == 0);
        old[QCD_STEPS] = 0;
        CHECK(stage({QCD_STAGE_CR, 0, 0, 0}, &old, &Ar, &update)[QCD_STEPS] == 1);
    }
    SECTION("far beyond convergence, where squares are too small for a double")
    {
        constexpr double tiny = 0x1p-600;
        Values small;
        for (int i = 0; i < QCD_MAX_SUMS; ++i) small[i] = tiny * Ar[i];
        for (const int place : {QCD_RHO, QCD_RHO + 1, QCD_APAP}) old[place] *= tiny;
        old[QCD_STOP] = 0;
        const Complex beta = std::conj(rho) / (at(old, QCD_RHO) / tiny);
        const Scalars c = stage({QCD_STAGE_CR, 0, 0, 0}, &old, &small, none);
        CHECK(c[QCD_GATE] == 0);
        check_near(at(c, QCD_BETA), beta);
        const double ApAp = 5 + 2 * (std::conj(beta) * ApAr).real() + std::norm(beta) * 3.1;
        check_near(at(c, QCD_ALPHA), std::conj(rho) / ApAp);
    }
    SECTION("(r|Ar) = 0 is a breakdown")
    {
        const Values stuck{0, 0, 5, 1, 1};
        CHECK(stage({QCD_STAGE_CR, 0, 0, 0}, &old, &stuck, &update)[QCD_GATE] == 2);
    }
    SECTION("A r = 0 is a breakdown")
    {
        old[QCD_RHO] = old[QCD_RHO + 1] = 0;
        const Values singular{};
        CHECK(stage({QCD_STAGE_CR, 0, 0, 0}, &old, &singular, none)[QCD_GATE] == 2);
    }
    SECTION("|Ap|^2 that rounding made negative is a breakdown")
    {
        const Values rounding{0.4, 1.3, 0, -100, 0};
        CHECK(stage({QCD_STAGE_CR, 0, 0, 0}, &old, &rounding, &update)[QCD_GATE] == 2);
    }
}

TEST_CASE("coefficients: CG on the normal equations", "[codelets]")
{
    const Values a{9, 9, 2.5, 9, 9}, update{9, 9, 1.25, 9, 9}, zero{};
    Scalars old = under_way();
    old[QCD_RHO + 1] = 0;
    SECTION("alpha = |z|^2/|q|^2")
    {
        const Scalars c = stage({QCD_STAGE_CG_ALPHA, 0, 0, 0}, &old, &a, none);
        CHECK(at(c, QCD_ALPHA) == Complex(1.7 / 2.5));
        CHECK(at(c, QCD_ALPHA_BEFORE) == at(old, QCD_ALPHA));
        CHECK(c[QCD_STEPS] == 2);
        CHECK(c[QCD_RR] == 2);
        CHECK(stage({QCD_STAGE_CG_ALPHA, 0, 0, 0}, &old, &zero, none)[QCD_GATE] == 2);
    }
    SECTION("beta = |z_new|^2/|z|^2")
    {
        const Scalars c = stage({QCD_STAGE_CG_BETA, 0, 0, 0}, &old, &a, &update);
        CHECK(at(c, QCD_BETA) == Complex(2.5 / 1.7));
        CHECK(c[QCD_RHO] == 2.5);
        CHECK(c[QCD_RR] == 1.25);
        CHECK(stage({QCD_STAGE_CG_BETA, 0, 0, 0}, &old, &zero, &update)[QCD_GATE] == 2);
    }
    SECTION("x gets its steps behind the second beta, if the gate is open")
    {
        const Values converged{9, 9, 1e-4, 9, 9};
        for (const auto& [steps, left] : {std::pair(0, 0), {1, 1}, {2, 0}}) {
            old[QCD_STEPS] = steps;
            CHECK(stage({QCD_STAGE_CG_BETA, 0, 0, 0}, &old, &a, &update)[QCD_STEPS] == left);
            CHECK(stage({QCD_STAGE_CG_BETA, 0, 0, 0}, &old, &a, &converged)[QCD_STEPS] == steps);
        }
    }
    SECTION("the first beta is 0")
    {
        old[QCD_RHO] = 0;
        const Scalars c = stage({QCD_STAGE_CG_BETA, 0, 0, 0}, &old, &a, none);
        CHECK(at(c, QCD_BETA) == 0.0);
        CHECK(c[QCD_RHO] == 2.5);
    }
}

TEST_CASE("coefficients: after the last iteration, the steps that x lacks", "[codelets]")
{
    Scalars old = under_way();
    old[QCD_GATE] = GENERATE(0, 1, 2);
    old[QCD_STEPS] = GENERATE(0, 1, 2);
    const Scalars c = stage({QCD_STAGE_LAST_STEPS, 0, 0, 0}, &old, none, none);
    CHECK(c[QCD_GATE] == (old[QCD_STEPS] == 0));
    CHECK(at(c, QCD_BETA) == 0.0);
    CHECK(c[QCD_RR] == old[QCD_RR]);
    if (old[QCD_STEPS] == 1) {
        CHECK(at(c, QCD_ALPHA_BEFORE) == at(old, QCD_ALPHA));
        CHECK(at(c, QCD_ALPHA) == 0.0);
    } else if (old[QCD_STEPS] == 2) {
        CHECK(at(c, QCD_ALPHA_BEFORE) == at(old, QCD_ALPHA_BEFORE));
        CHECK(at(c, QCD_ALPHA) == at(old, QCD_ALPHA));
    }
}

TEST_CASE("coefficients: BiCGstab", "[codelets]")
{
    const Scalars old = under_way();
    const Complex rho = at(old, QCD_RHO), alpha = at(old, QCD_ALPHA);
    SECTION("alpha = (shadow|r)/(shadow|v)")
    {
        const Values v{9, 9, 9, 0.5, -1.5}, update{9, 9, 1.25, 9, 9}, orthogonal{9, 9, 9, 0, 0};
        const Scalars c = stage({QCD_STAGE_BICGSTAB_ALPHA, 0, 0, 0}, &old, &v, &update);
        check_near(at(c, QCD_ALPHA), rho / Complex(0.5, -1.5));
        CHECK(c[QCD_RR] == 1.25);
        CHECK(stage({QCD_STAGE_BICGSTAB_ALPHA, 0, 0, 0}, &old, &orthogonal, &update)[QCD_GATE] ==
              2);
        Scalars stuck = old;
        stuck[QCD_RHO] = stuck[QCD_RHO + 1] = 0;
        CHECK(stage({QCD_STAGE_BICGSTAB_ALPHA, 0, 0, 0}, &stuck, &v, &update)[QCD_GATE] == 2);
    }
    SECTION("far beyond convergence, where squares are too small for a double")
    {
        constexpr double tiny = 0x1p-600;
        Scalars later = old;
        later[QCD_RHO] *= tiny, later[QCD_RHO + 1] *= tiny;
        const Values v{9, 9, 9, 0.5 * tiny, -1.5 * tiny};
        const Scalars c = stage({QCD_STAGE_BICGSTAB_ALPHA, 0, 0, 0}, &later, &v, none);
        CHECK(c[QCD_GATE] == 0);
        check_near(at(c, QCD_ALPHA), rho / Complex(0.5, -1.5));
    }
    SECTION("omega = (t|s)/(t|t), beta and the next (shadow|r)")
    {
        const Values t{0.6, 0.2, 4, -0.7, 1.1},
            s{0.3, -0.9, 1e-9, 9, 9}; // (s|t), |t|^2, (shadow|t); (shadow|s)
        const Scalars c = stage({QCD_STAGE_BICGSTAB_OMEGA, 0, 0, 0}, &old, &t, &s);
        const Complex omega = Complex(0.6, -0.2) / 4.0;
        const Complex rho_new = Complex(0.3, -0.9) - omega * Complex(-0.7, 1.1);
        check_near(at(c, QCD_OMEGA), omega);
        check_near(at(c, QCD_RHO), rho_new);
        check_near(at(c, QCD_BETA), rho_new / rho * (alpha / omega));
        CHECK(c[QCD_RR] == 2); // |s|^2 is not the residual of an iteration
        CHECK(c[QCD_GATE] == 0);
    }
    SECTION("t = 0: the step is alpha p alone")
    {
        const Values t{}, s{};
        const Scalars c = stage({QCD_STAGE_BICGSTAB_OMEGA, 0, 0, 0}, &old, &t, &s);
        CHECK(at(c, QCD_OMEGA) == 0.0);
        CHECK(at(c, QCD_BETA) == 0.0);
    }
}

TEST_CASE("coefficients: the gate closes at the threshold", "[codelets]")
{
    const int s =
        GENERATE(QCD_STAGE_CR, QCD_STAGE_CG_BETA, QCD_STAGE_BICGSTAB_ALPHA, QCD_STAGE_RESIDUAL);
    const Scalars old = under_way();
    const Values a{1, 2, 3, 4, 5};
    const auto gate = [&](double rr) {
        const Values b{9, 9, rr, 9, 9};
        const Scalars c = stage({s, 0, 0, 0}, &old, &a, &b);
        CHECK(c[QCD_RR] == rr);
        return c[QCD_GATE];
    };
    CHECK(gate(1e-3) == 1);
    CHECK(gate(std::nextafter(1e-3, 1)) == 0);
    CHECK(gate(0) == 1);
}

TEST_CASE("coefficients: what is no number closes the gate", "[codelets]")
{
    const int s = GENERATE(QCD_STAGE_CR, QCD_STAGE_CG_ALPHA, QCD_STAGE_CG_BETA,
                           QCD_STAGE_BICGSTAB_ALPHA, QCD_STAGE_RESIDUAL);
    const Scalars old = under_way();
    const double nan = poison<double>, infinite = std::numeric_limits<double>::infinity();
    const Values good{1, 2, 3, 4, 5}, bad{nan, nan, nan, nan, nan};
    if (s != QCD_STAGE_RESIDUAL) CHECK(stage({s, 0, 0, 0}, &old, &bad, none)[QCD_GATE] == 2);
    CHECK(stage({s, 0, 0, 0}, &old, &good, &bad)[QCD_GATE] == 2);
    const Values overflow{9, 9, infinite, 9, 9};
    CHECK(stage({s, 0, 0, 0}, &old, &good, &overflow)[QCD_GATE] == 2);
}

TEST_CASE("coefficients: CR breaks down where rounding takes the digits of a step", "[codelets]")
{
    // |b|^2 = 4, |Ar|^2 = 9: (r|Ar) = 6 c at first
    const auto gate = [](double tol, double rounding, double c, double rr = 4) {
        const Values bb{0, 0, 0, 4, 0};
        Scalars s = stage({QCD_STAGE_START, 0, tol, rounding}, nullptr, &bb, none);
        s[QCD_RR] = rr;
        const Values Ar{3 * std::sqrt(rr) * c, 0, 9, 0, 0};
        return stage({QCD_STAGE_CR, 0, 0, 0}, &s, &Ar, none)[QCD_GATE];
    };
    constexpr double f64 = 0x1p-53, f32 = 0x1p-24;
    // What the step makes of the residual, u |r|/c, is more than 2 tol |b|.
    CHECK(gate(1e-10, f64, 0.99 * f64 / 2e-10) == 2);
    CHECK(gate(1e-10, f64, -1.01 * f64 / 2e-10) == 0);
    CHECK(gate(1e-10, f64, 0.99 * f64 / 2e-10, 3.6) == 0);
    CHECK(gate(1e-4, f32, 0.99 * f32 / 2e-4) == 2);
    CHECK(gate(1e-4, f32, 1.01 * f32 / 2e-4) == 0);
    // A tolerance that rounding allows to nobody is no reason.
    CHECK(gate(1e-30, f64, 0x1p-10) == 0);
    CHECK(gate(1e-30, f64, 0x1p-12) == 2);
    // The next direction would be rounding.
    CHECK(gate(1e-4, f64, 0.99 * std::sqrt(f64) / 8, 4e-6) == 2);
    CHECK(gate(1e-4, f64, 1.01 * std::sqrt(f64) / 8, 4e-6) == 0);
    CHECK(gate(1e-4, f32, 0.99 * std::sqrt(f32) / 8, 4e-6) == 2);
    CHECK(gate(1e-4, f32, 1.01 * std::sqrt(f32) / 8, 4e-6) == 0);
    // Not asked for
    CHECK(gate(1e-4, 0, 1e-15) == 0);
    CHECK(gate(1e-4, 0, 0) == 2);
}

TEST_CASE("coefficients: a |b|^2 that is no number is no convergence", "[codelets]")
{
    const double rr = GENERATE(std::numeric_limits<double>::infinity(), poison<double>);
    const Values dots{0, 0, 0, rr, 0}, a{1, 2, 3, 4, 5};
    const Scalars start = stage({QCD_STAGE_START, 0, 1e-3, 0}, nullptr, &dots, none);
    CHECK(start[QCD_GATE] == 0);
    CHECK(stage({QCD_STAGE_CR, 0, 0, 0}, &start, &a, none)[QCD_GATE] == 2);
}

TEST_CASE("coefficients: BiCGstab leaves x alone when |t|^2 is no number", "[codelets]")
{
    const double tt = GENERATE(std::numeric_limits<double>::infinity(), poison<double>);
    const Scalars old = under_way();
    const Values t{1, 2, tt, 4, 5}, s{1, 2, 3, 4, 5};
    CHECK(stage({QCD_STAGE_BICGSTAB_OMEGA, 0, 0, 0}, &old, &t, &s)[QCD_GATE] == 2);
}

TEST_CASE("coefficients: a closed gate passes on, whatever the sums", "[codelets]")
{
    const int s = GENERATE(range(QCD_STAGE_CR, QCD_STAGE_RESIDUAL + 1));
    Scalars old = under_way();
    old[QCD_GATE] = GENERATE(1.0, 2.0);
    const double nan = poison<double>;
    const Values bad{nan, nan, nan, nan, nan};
    CHECK(stage({s, 0, 0, 0}, &old, &bad, &bad) == old);
}

TEST_CASE("coefficients: a block collects the residuals of its iterations", "[codelets]")
{
    const auto block_after = [](const Backend& backend, int residuals) {
        Scalars first = under_way();
        first[QCD_KNOWN] = 7; // of a block before: left behind
        const Buffer<double> before(first.begin(), first.end());
        auto c = poisoned<double>(QCD_COEFFICIENTS);
        for (int i = 0; i < residuals; ++i) {
            const Buffer<i64> b = sums_of(Values{9, 9, 1.5 + i, 9, 9});
            backend.run(coefficients_codelet(), coefficients_args{QCD_STAGE_RESIDUAL, 0, 0, 0},
                        {out(c), i == 0 ? in(before) : absent, absent, in(b)});
        }
        return c;
    };
    on_every_backend([&](const Backend& backend) {
        const auto c = block_after(backend, 3);
        CHECK(c[QCD_RR] == 3.5);
        CHECK(c[QCD_KNOWN] == 3);
        for (int i = 0; i < 3; ++i) CHECK(c[QCD_RESIDUALS + i] == 1.5 + i);
        CHECK(c[QCD_STOP] == 1e-3);
        CHECK(block_after(backend, QCD_MOST_RESIDUALS + 2)[QCD_KNOWN] == QCD_MOST_RESIDUALS);
        return bytes_of(c);
    });
}

TEST_CASE("coefficients: sums are rounded alike on every backend", "[codelets]")
{
    // Wide cancellation, subnormal and huge results, ties: START puts the rounded sum in |r|^2.
    const double tiny = 0x1p-1074, huge = 0x1.fffffffffffffp1023;
    const std::vector<std::vector<double>> lists = {
        {1e300, 1, -1e300}, {tiny, tiny, tiny},       {huge, -huge, tiny}, {0x1p53, 1},
        {0x1p53, 1, tiny},  {0x1p-1022, -tiny},       {huge, 0x1p969},     {huge, 0x1p970},
        {-0x1p53, -3},      {1e16, 1, -1e16, 1e-300}, {huge, huge, -huge}};
    for (const auto& list : lists) {
        Buffer<i64> sums(QCD_TASK_SUM_WORDS);
        for (const double x : list) accumulate(&sums[3 * QCD_SUM_WORDS], x);
        on_every_backend([&](const Backend& backend) {
            auto c = poisoned<double>(QCD_COEFFICIENTS);
            backend.run(coefficients_codelet(), coefficients_args{QCD_STAGE_START, 0, 0, 0},
                        {out(c), absent, in(sums)});
            CHECK(c[QCD_RR] == value_of(sums, 3));
            return bytes_of(c);
        });
    }
}

TEST_CASE("merge_sums: parts add word by word", "[codelets]")
{
    const int parts = GENERATE(1, 2, 13, 14);
    std::vector<Buffer<i64>> part(parts, Buffer<i64>(QCD_TASK_SUM_WORDS));
    Buffer<i64> expected(QCD_TASK_SUM_WORDS);
    for (int i = 0; i < parts; ++i)
        for (int word = 0; word < QCD_TASK_SUM_WORDS; ++word) {
            part[i][word] =
                i64(ref::splitmix64(QCD_TASK_SUM_WORDS * i + word)) >> 4; // both signs, 14 fit
            expected[word] += part[i][word];
        }
    on_every_backend([&](const Backend& backend) {
        auto result = poisoned_sums();
        std::vector<SlotMemory> slots = {out(result)};
        for (const auto& p : part) slots.push_back(in(p));
        backend.run(merge_sums_codelet(), merge_sums_args{parts}, slots);
        CHECK(result == expected);
        return bytes_of(result);
    });
}

// Several workers at once: tests/solver/test_digests.cpp; several GPUs: scripts/gpu-check.
TEST_CASE("linked_coefficients: a worker that is all of its peers has its sums once more for each",
          "[codelets]")
{
    // CR and BiCGstab read all sums of a and b; START puts one into |r|^2, whatever its words.
    const auto [formula, scale] = GENERATE(table<int, double>({{QCD_STAGE_CR, 1},
                                                               {QCD_STAGE_BICGSTAB_OMEGA, 1},
                                                               {QCD_STAGE_START, 0x1p-1040},
                                                               {QCD_STAGE_START, 0x1p-500},
                                                               {QCD_STAGE_START, 0x1p1000}}));
    const bool more = GENERATE(false, true), with_b = GENERATE(false, true);
    const int peers = GENERATE(1, QCD_MOST_PEERS);
    std::array<Buffer<i64>, 4> sums; // a, b, more of a, of b
    Buffer<i64> all[2] = {Buffer<i64>(QCD_TASK_SUM_WORDS), Buffer<i64>(QCD_TASK_SUM_WORDS)};
    for (int i = 0; i < 4; ++i) {
        sums[i].resize(QCD_TASK_SUM_WORDS);
        for (int sum = 0; sum < QCD_MAX_SUMS; ++sum)
            for (const double x : {1.0, -0x1p-31, 1.0 / (3 + i)})
                accumulate(&sums[i][sum * QCD_SUM_WORDS], x * (1 + sum) * scale);
        for (int word = 0; word < QCD_TASK_SUM_WORDS && (i < 2 || more); ++word)
            all[i % 2][word] += (1 + peers) * sums[i][word];
    }
    const Scalars old = under_way();
    const Buffer<double> before(old.begin(), old.end());
    const coefficients_args step{formula, 0, 0, 0};
    constexpr std::size_t part = QCD_SENT_SUMS * sizeof(sent_word);
    for (const Backend& backend : backends()) {
        if (!backend.has_peers()) continue;
        auto expected = poisoned<double>(QCD_COEFFICIENTS);
        backend.run(coefficients_codelet(), step,
                    {out(expected), in(before), in(all[0]), with_b ? in(all[1]) : absent});
        const auto inbox = backend.peer_memory(peers * part);
        std::vector<SlotMemory> slots(linked_coefficients_slots, absent);
        auto c = poisoned<double>(QCD_COEFFICIENTS);
        Buffer<i64> order(1);
        slots[coefficients_out] = out(c);
        slots[coefficients_previous] = in(before);
        slots[coefficients_sums_a] = in(sums[0]);
        if (with_b) slots[coefficients_sums_b] = in(sums[1]);
        slots[linked_coefficients_order] = out(order);
        if (more) slots[linked_coefficients_more_a] = in(sums[2]);
        if (more && with_b) slots[linked_coefficients_more_b] = in(sums[3]);
        slots[linked_coefficients_inbox] = peer(*inbox);
        for (int i = 0; i < peers; ++i)
            slots[linked_coefficients_outbox + i] = {.data = inbox->at(i * part), .peer = true};
        // The number of an exchange tells its words from those of earlier ones.
        for (const unsigned number : {1u, 3u, 0xffffffffu}) {
            c = poisoned<double>(QCD_COEFFICIENTS);
            slots[coefficients_out] = out(c);
            backend.run(linked_coefficients_codelet(),
                        linked_coefficients_args{step, number, peers}, slots);
            CHECK(c == expected);
        }
    }
}
