#pragma once
// Operations on the solvers' scalars in tests: scalars under way, and a step of them on every
// backend.

#include "codelets/bicgstab_scalars/bicgstab_scalars.hpp"
#include "codelets/cg_scalars/cg_scalars.hpp"
#include "codelets/cr_scalars/cr_scalars.hpp"
#include "codelets/gcr_scalars/gcr_scalars.hpp"
#include "codelets/last_residual/last_residual.hpp"
#include "tests/codelets/blocks.hpp"
#include "tests/codelets/sums.hpp"

#include <catch2/catch.hpp>

#include <cstring>

namespace qcd::test
{

using ref::Complex;
using Values = std::array<double, QCD_MAX_SUMS>;

/// An iteration under way: |r|^2 = 2, threshold 1e-3, and values that no formula makes by itself.
inline constexpr solve_scalars solve_under_way{
    .gate = QCD_GATE_OPEN, .rr = 2, .bb = 7, .stop = 1e-3, .drop = 0, .most = 2};
inline constexpr x_steps steps_under_way{
    .alpha = {0.7, -0.2}, .alpha_before = {-1.1, 0.4}, .lacking = 1};

inline cr_scalars cr_under_way()
{
    return {.solve = solve_under_way,
            .x = steps_under_way,
            .beta = {0.3, 0.9},
            .rho = {1.7, -0.6},
            .ApAp = 3.1,
            .most_loss = 0,
            .least_cos2 = 0};
}
inline cg_scalars cg_under_way()
{
    return {.solve = solve_under_way, .x = steps_under_way, .beta = {0.3, 0}, .zz = 1.7};
}
inline bicgstab_scalars bicgstab_under_way()
{
    return {.solve = solve_under_way,
            .alpha = {0.7, -0.2},
            .beta = {0.3, 0.9},
            .omega = {-1.1, 0.4},
            .rho = {1.7, -0.6}};
}

/// Two directions, and products of the third with them.
inline gcr_scalars gcr_under_way()
{
    gcr_scalars c{};
    c.solve = solve_under_way;
    c.directions = c.projected = 2;
    for (int k = 0; k < 4; ++k) {
        c.norm2[k] = 1.5 + k;
        c.alpha[k] = {0.7 - k, 0.1 * k - 0.2};
        c.beta[k] = {0.3, 0.9 - 0.5 * k};
    }
    return c;
}

inline Complex number(scalar z) { return {z.re, z.im}; }

inline const Values* const none = nullptr;

template <class Struct>
Buffer<double> words_of(const Struct& s)
{
    Buffer<double> words(sizeof s / sizeof(double));
    std::memcpy(words.data(), &s, sizeof s);
    return words;
}
template <class Struct>
Struct struct_of(const Buffer<double>& words)
{
    Struct s;
    std::memcpy(&s, words.data(), sizeof s);
    return s;
}
template <class Struct>
bool same(const Struct& a, const Struct& b)
{
    return std::memcmp(&a, &b, sizeof a) == 0;
}

/// Scalars and what an operation on them left in a history, if there was one.
template <class Struct>
struct Stepped {
    Struct c;
    solve_history history;
};

/// Runs an operation on every backend (equal bits). In the history stands nothing before.
template <class Struct>
Stepped<Struct> noted_step(const ScalarCodelets& operation, const scalar_step_args& args,
                           const Struct& before, const Values* a, const Values* b)
{
    Stepped<Struct> result{};
    const Buffer<i64> sums_a = a ? sums_of(*a) : Buffer<i64>(),
                      sums_b = b ? sums_of(*b) : Buffer<i64>();
    on_every_backend([&](const Backend& backend) {
        auto c = words_of(before), history = words_of(solve_history{});
        backend.run(operation.alone, args,
                    {out(c), out(history), a ? in(sums_a) : absent, b ? in(sums_b) : absent});
        result = {struct_of<Struct>(c), struct_of<solve_history>(history)};
        return bytes_of(c, history);
    });
    return result;
}

template <class Struct>
Struct step(const ScalarCodelets& operation, const Struct& before, const Values* a, const Values* b)
{
    return noted_step(operation, {}, before, a, b).c;
}

/// What stood there before is not read.
template <class Struct>
Stepped<Struct> start(const ScalarCodelets& operation, double tol, double rounding, const Values& a,
                      const Values* b = none)
{
    Buffer<double> poisoned_words = poisoned<double>(sizeof(Struct) / sizeof(double));
    return noted_step(
        operation,
        {.place = 0, .begins = 1, .tol = tol, .rounding = rounding, .drop = 0, .forgets = 0},
        struct_of<Struct>(poisoned_words), &a, b);
}

inline void check_near(Complex value, Complex expected)
{
    INFO(value << " is not " << expected);
    CHECK(std::abs(value - expected) <= 1e-15 * (1 + std::abs(expected)));
}

/// Runs every operation that keeps a gate: body(operation, scalars under way). `noting`: of those
/// that see |r|^2; `with_a`: that read sums a.
template <class Body>
void for_each_step(bool noting, bool with_a, const Body& body)
{
    body(cr_alpha_beta_codelets(), cr_under_way());
    body(cg_beta_codelets(), cg_under_way());
    body(bicgstab_alpha_codelets(), bicgstab_under_way());
    if (!with_a) body(last_residual_codelets(), solve_under_way);
    if (!with_a) body(gcr_residual_codelets(), gcr_under_way());
    if (!noting) {
        body(cg_alpha_codelets(), cg_under_way());
        body(gcr_project_codelets(), gcr_under_way());
        body(gcr_alpha_codelets(), gcr_under_way());
        body(gcr_steps_codelets(), gcr_under_way());
        body(bicgstab_omega_beta_codelets(), bicgstab_under_way());
    }
}

template <class Struct>
solve_scalars& solve_of(Struct& s)
{
    if constexpr (std::is_same_v<Struct, solve_scalars>)
        return s;
    else
        return s.solve;
}

} // namespace qcd::test
