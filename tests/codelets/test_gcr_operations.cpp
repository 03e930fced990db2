// The operations of GCR and of methods inside of it, on every backend, against the plain formulas.

#include "codelets/chiral_scale/chiral_scale.hpp"
#include "codelets/follow_gate/follow_gate.hpp"
#include "codelets/gcr_products/gcr_products.hpp"
#include "codelets/gcr_solution/gcr_solution.hpp"
#include "codelets/gcr_update/gcr_update.hpp"
#include "codelets/widen/widen.hpp"
#include "tests/codelets/scalars.hpp"

#include <cmath>

using namespace qcd;
using namespace qcd::test;
using ref::Spinors;

namespace
{

/// Poisoned but for the gate; what an operation does not name it may not use.
gcr_scalars no_gcr_scalars(double gate = QCD_GATE_OPEN)
{
    auto c = struct_of<gcr_scalars>(poisoned<double>(sizeof(gcr_scalars) / sizeof(double)));
    c.solve.gate = gate;
    return c;
}

scalar gcr_coefficient(int i) { return {0.25 + 0.125 * i, 0.5 - 0.0625 * i}; }

template <class P>
void check_gcr_sum(double value, double expected, std::size_t size)
{
    CHECK(std::abs(value - expected) <= eps<P>(64) * double(size));
}

template <class Real>
std::vector<Buffer<Real>> gcr_fields(const std::vector<Spinors>& sites)
{
    std::vector<Buffer<Real>> fields;
    for (const Spinors& s : sites) fields.push_back(to_blocks<Real>(s));
    return fields;
}

} // namespace

TEMPLATE_TEST_CASE("gcr_products: (q0|Az) and (q1|Az)", "[codelets]", F64, F32)
{
    using Real = typename TestType::Real;
    const int blocks = sizes();
    const bool both = GENERATE(true, false);
    const Spinors Az = random_sites<Real>(blocks, 1), q0 = random_sites<Real>(blocks, 2),
                  q1 = random_sites<Real>(blocks, 3);
    const Complex first = inner(q0, Az), second = both ? inner(q1, Az) : 0;
    on_every_backend([&](const Backend& backend) {
        auto sums = poisoned_sums();
        const auto q1_field = to_blocks<Real>(q1);
        backend.run(gcr_products_codelet(TestType::precision), gcr_products_args{blocks},
                    {in(to_blocks<Real>(Az)), in(to_blocks<Real>(q0)), both ? in(q1_field) : absent,
                     in(words_of(no_gcr_scalars())), out(sums)});
        check_gcr_sum<TestType>(value_of(sums, 0), first.real(), Az.size());
        check_gcr_sum<TestType>(value_of(sums, 1), first.imag(), Az.size());
        check_gcr_sum<TestType>(value_of(sums, 3), second.real(), Az.size());
        check_gcr_sum<TestType>(value_of(sums, 4), second.imag(), Az.size());
        return bytes_of(canonical(sums));
    });
}

TEMPLATE_TEST_CASE("gcr_update: q, r and the next direction in one pass", "[codelets]", F64, F32)
{
    using Real = typename TestType::Real;
    const int blocks = sizes(), earlier = GENERATE(0, 1, 4, QCD_MOST_DIRECTIONS - 1);
    const bool with_z = GENERATE(true, false);
    const Spinors Az = random_sites<Real>(blocks, 1), r = random_sites<Real>(blocks, 2);
    gcr_scalars c = no_gcr_scalars();
    c.directions = earlier + 1;
    c.alpha[earlier] = {0.75, -0.3125};
    std::vector<Spinors> qs;
    Spinors q = Az;
    for (int l = 0; l < earlier; ++l) {
        c.beta[l] = gcr_coefficient(l);
        qs.push_back(random_sites<Real>(blocks, 3 + l));
        q = ref::combine(1, q, -number(c.beta[l]), qs.back());
    }
    const Spinors r_new = ref::combine(1, r, -number(c.alpha[earlier]), q);
    const auto fields = gcr_fields<Real>(qs);
    on_every_backend([&](const Backend& backend) {
        auto q_field = to_blocks<Real>(Az), r_field = to_blocks<Real>(r),
             z_field = poisoned_spinors<Real>(blocks);
        auto sums = poisoned_sums();
        const auto words = words_of(c);
        std::vector<SlotMemory> slots{out(q_field), out(r_field), with_z ? out(z_field) : absent,
                                      in(words), out(sums)};
        for (const auto& field : fields) slots.push_back(in(field));
        backend.run(gcr_update_codelet(TestType::precision), gcr_update_args{blocks}, slots);
        CHECK(error(from_blocks(q_field), q) <= eps<TestType>(4 + 4 * earlier));
        CHECK(error(from_blocks(r_field), r_new) <= eps<TestType>(8 + 8 * earlier));
        if (with_z) CHECK(z_field == r_field);
        check_gcr_sum<TestType>(value_of(sums, 2), norm2(from_blocks(r_field)), r.size());
        check_gcr_sum<TestType>(value_of(sums, 3), norm2(from_blocks(q_field)), r.size());
        return bytes_of(q_field, r_field, canonical(sums));
    });
}

TEMPLATE_TEST_CASE("gcr_solution: x gets the steps of a cycle", "[codelets]", F64, F32)
{
    using Real = typename TestType::Real;
    const int blocks = sizes(), used = GENERATE(0, 1, 5, QCD_MOST_DIRECTIONS);
    const Spinors x = random_sites<Real>(blocks, 1);
    gcr_scalars c = no_gcr_scalars();
    c.used = used;
    std::vector<Spinors> zs;
    Spinors expected = x;
    for (int k = 0; k < used; ++k) {
        c.xi[k] = gcr_coefficient(k);
        zs.push_back(random_sites<Real>(blocks, 2 + k));
        expected = ref::combine(1, expected, number(c.xi[k]), zs.back());
    }
    auto fields = gcr_fields<Real>(zs);
    if (used < QCD_MOST_DIRECTIONS) // not looked at
        fields.push_back(poisoned_spinors<Real>(blocks));
    on_every_backend([&](const Backend& backend) {
        auto x_field = to_blocks<Real>(x);
        const auto words = words_of(c);
        std::vector<SlotMemory> slots{out(x_field), in(words)};
        for (const auto& field : fields) slots.push_back(in(field));
        backend.run(gcr_solution_codelet(TestType::precision), gcr_solution_args{blocks}, slots);
        CHECK(error(from_blocks(x_field), expected) <= eps<TestType>(2 + 4 * used));
        return bytes_of(x_field);
    });
}

TEST_CASE("widen: out <- in, from single to double", "[codelets]")
{
    const int blocks = sizes();
    const Spinors psi = random_sites<float>(blocks, 1);
    on_every_backend([&](const Backend& backend) {
        auto result = poisoned_spinors<double>(blocks);
        backend.run(widen_codelet(Precision::f32), widen_args{blocks},
                    {out(result), in(to_blocks<float>(psi))});
        CHECK(error(from_blocks(result), psi) == 0);
        return bytes_of(result);
    });
}

TEMPLATE_TEST_CASE("a closed gate: GCR's vectors stay as they are", "[codelets]", F64, F32)
{
    using Real = typename TestType::Real;
    constexpr Precision precision = TestType::precision;
    const double gate = GENERATE(QCD_GATE_CONVERGED, QCD_GATE_BREAKDOWN, QCD_GATE_UPDATE_DUE);
    const auto c = words_of(no_gcr_scalars(gate));
    const auto other = to_blocks<Real>(random_sites<Real>(2, 1));
    const auto in_single = to_blocks<float>(random_sites<float>(2, 1));
    on_every_backend([&](const Backend& backend) {
        auto a = poisoned_spinors<Real>(2), b = a, z = a;
        auto wide = poisoned_spinors<double>(2);
        const auto untouched = bytes_of(a, b, z, wide);
        auto sums = poisoned_sums();
        backend.run(gcr_update_codelet(precision), gcr_update_args{2},
                    {out(a), out(b), out(z), in(c), out(sums), in(other)});
        CHECK(bytes_of(a, b, z, wide) == untouched);
        backend.run(gcr_solution_codelet(precision), gcr_solution_args{2},
                    {out(a), in(c), in(other)});
        CHECK(bytes_of(a, b, z, wide) == untouched);
        backend.run(chiral_scale_codelet(precision), chiral_scale_args{2, {1, 0, 1, 0}},
                    {out(a), in(other), in(c)});
        CHECK(bytes_of(a, b, z, wide) == untouched);
        backend.run(widen_codelet(Precision::f32), widen_args{2},
                    {out(wide), in(in_single), in(c)});
        CHECK(bytes_of(a, b, z, wide) == untouched);
        return bytes_of(a, b, z, wide);
    });
}

TEST_CASE("follow_gate: a gate inside of a closed one is closed", "[codelets]")
{
    const double own = GENERATE(0.0, 2.0), outer = GENERATE(0.0, 1.0, 2.0, 3.0);
    on_every_backend([&](const Backend& backend) {
        solve_scalars inner_scalars = solve_under_way, outer_scalars = solve_under_way;
        inner_scalars.gate = own;
        outer_scalars.gate = outer;
        auto c = words_of(inner_scalars);
        backend.run(follow_gate_codelet(), follow_gate_args{},
                    {out(c), in(words_of(outer_scalars))});
        const auto after = struct_of<solve_scalars>(c);
        CHECK((after.gate != QCD_GATE_OPEN) == (own != 0 || outer != 0));
        CHECK(after.rr == solve_under_way.rr);
        return bytes_of(c);
    });
}

TEST_CASE("scalars: GCR", "[codelets]")
{
    gcr_scalars old = gcr_under_way();
    SECTION("products with earlier directions, two or four at a time")
    {
        const Values a{0.5, -1, 9, 0.25, 2}, b{-3, 0.75, 9, 1.5, 0.125};
        old.projected = 2;
        const gcr_scalars c = step(gcr_project_codelets(), old, &a, &b);
        CHECK(number(c.beta[1]) == number(old.beta[1]));
        CHECK(number(c.beta[2]) == Complex(0.5, -1));
        CHECK(number(c.beta[3]) == Complex(0.25, 2));
        CHECK(number(c.beta[4]) == Complex(-3, 0.75));
        CHECK(number(c.beta[5]) == Complex(1.5, 0.125));
        CHECK(c.projected == 6);
        CHECK(step(gcr_project_codelets(), old, &a, none).projected == 4);
    }
    SECTION("alpha = (q|r)/|q|^2")
    {
        const Values Az{9, 9, 5, -0.8, 0.35}; // |Az|^2, (r|Az)
        const gcr_scalars c = step(gcr_alpha_codelets(), old, &Az, none);
        double qq = 5;
        for (int l = 0; l < 2; ++l) {
            const Complex beta = number(old.beta[l]) / old.norm2[l];
            check_near(number(c.beta[l]), beta);
            check_near(number(c.triangle[1 + l]), beta);
            qq -= std::norm(beta) * old.norm2[l];
        }
        check_near(number(c.alpha[2]), Complex(-0.8, -0.35) / qq);
        CHECK(c.directions == 3);
        CHECK(c.projected == 0);
        CHECK(c.solve.gate == QCD_GATE_OPEN);
        const Values dependent{9, 9, 1e-3, -0.8, 0.35}; // less than its parts along the others
        CHECK(step(gcr_alpha_codelets(), old, &dependent, none).solve.gate == QCD_GATE_BREAKDOWN);
        CHECK(step(gcr_alpha_codelets(), old, &dependent, none).directions == 2);
    }
    SECTION("|r|^2 and |q|^2 as they are")
    {
        const Values update{9, 9, 1.25, 0.625, 9};
        const gcr_scalars c = step(gcr_residual_codelets(), old, none, &update);
        CHECK(c.solve.rr == 1.25);
        CHECK(c.norm2[1] == 0.625);
    }
    SECTION("the steps of a cycle: sum_k xi_k (q_k + sum_l beta_lk q_l) = sum_k alpha_k q_k")
    {
        const bool last = GENERATE(false, true);
        old.directions = 4;
        if (last) old.solve.gate = GENERATE(QCD_GATE_OPEN, QCD_GATE_CONVERGED, QCD_GATE_UPDATE_DUE);
        for (int i = 0; i < 6; ++i) old.triangle[i] = gcr_coefficient(i);
        const ScalarCodelets& steps = last ? gcr_last_steps_codelets() : gcr_steps_codelets();
        gcr_scalars c = step(steps, old, none, none);
        CHECK(c.used == 4);
        CHECK(c.directions == 0);
        CHECK(c.solve.gate == QCD_GATE_OPEN);
        for (int l = 0; l < 4; ++l) {
            Complex sum = number(c.xi[l]);
            for (int k = l + 1; k < 4; ++k)
                sum += number(old.triangle[k * (k - 1) / 2 + l]) * number(c.xi[k]);
            check_near(sum, number(old.alpha[l]));
        }
        c.solve.gate = last ? QCD_GATE_OPEN : QCD_GATE_CONVERGED;
        CHECK(step(steps, c, none, none).solve.gate ==
              QCD_GATE_CONVERGED); // closed, or none is lacking
    }
    SECTION("start and resume: no directions")
    {
        const Values dots{1, 2, 3, 4.5, 0};
        CHECK(start<gcr_scalars>(gcr_start_codelets(), 1e-3, 0, dots).c.directions == 0);
        CHECK(start<gcr_scalars>(gcr_start_codelets(), 1e-3, 0, dots).c.solve.rr == 4.5);
        old.solve.gate = QCD_GATE_UPDATE_DUE;
        const gcr_scalars c = step(gcr_resume_codelets(), old, none, &dots);
        CHECK(c.directions == 0);
        CHECK(c.solve.gate == QCD_GATE_OPEN);
        CHECK(c.solve.rr == 4.5);
    }
}
