// Fields: what goes in comes out, whatever the tiling, and has the same digest.

#include "base/error.hpp"
#include "lattice/spinor_digest.hpp"
#include "tasks/exchange.hpp"
#include "tasks/updates.hpp"
#include "tasks/wilson.hpp"
#include "tests/tasks/graph.hpp"
#include "tests/tasks/tilings.hpp"

#include <map>

using namespace qcd;
using namespace qcd::test;

TEST_CASE("fields: filled, visited in site order, same digest on every tiling", "[fields]")
{
    use_workers({.cpu = 1});
    const Cutting cutting = any_cutting();
    const Precision precision = any_precision();
    INFO(cutting.name() << ", " << precision);
    LatticeGraph graph(cutting.tiling());
    const ref::Spinors psi = in_single(ref::det_spinor(cutting.lattice, 1));
    const auto field = field_of(graph, precision, Sites::all, psi);
    CHECK(ref::distance(values(*field), psi) == 0);
    long next = 0;
    SpinorDigest digest(precision == Precision::f64 ? 8 : 4);
    field->visit([&](const Coord& x, const double s[24]) {
        if (ref::site_number(cutting.lattice, x) != next++)
            FAIL("site " << next - 1 << " is visited out of order");
        digest.add_site(s);
    });
    CHECK(next == volume(cutting.lattice));
    CHECK(field->digest() == digest.value());

    const int parity = GENERATE(0, 1);
    const auto half = field_of(graph, precision, parity == 0 ? Sites::even : Sites::odd, psi);
    CHECK(ref::distance(values(*half), ref::only_parity(cutting.lattice, psi, parity)) == 0);
    half->clear();
    CHECK(ref::norm2(values(*half)) == 0);
}

TEST_CASE("fields: numbers are rounded to the field's precision", "[fields]")
{
    use_workers({.cpu = 1});
    const Extents l{4, 2, 2, 2};
    const ref::Spinors psi = ref::det_spinor(l, 1);
    LatticeGraph graph(Tiling(l, Extents{2, 1, 1, 1}));
    CHECK(ref::distance(values(*field_of(graph, Precision::f32, Sites::all, psi)),
                        in_single(psi)) == 0);
}

TEST_CASE("fields: memory is what the sites need, padding counted", "[fields]")
{
    const Tiling tiling({8, 8, 4, 8}, Extents{1, 1, 1, 2}); // fills all lanes without using t
    const std::size_t sites = 8 * 8 * 4 * 8;
    CHECK(SpinorField::bytes(tiling, Precision::f64, Sites::all) == sites * 24 * 8);
    CHECK(SpinorField::bytes(tiling, Precision::f32, Sites::even) == sites / 2 * 24 * 4);
    CHECK(GaugeField::bytes(tiling, Precision::f64) == sites * 72 * 8);
    CHECK(GaugeField::bytes(tiling, Precision::f64, LinkStorage::two_rows) == sites * 48 * 8);
    CHECK(GaugeField::bytes(tiling, Precision::f32, LinkStorage::minimal) == sites * 32 * 4);
    CHECK(Halo::bytes(tiling, Precision::f64) ==
          std::size_t(2 * 2) * (8 * 8 * 4 / 2) * 12 * 8); // 2 tiles, 2 faces
    CHECK(Halo::bytes(Tiling({8, 8, 4, 8}, Extents{1, 1, 1, 1}), Precision::f64) == 0);
}

TEST_CASE("fields: links that are not in SU(3) are not stored in fewer than 18 reals", "[fields]")
{
    use_workers({.cpu = 1});
    const Extents l{4, 2, 2, 4};
    LatticeGraph graph(Tiling(l, Extents{1, 1, 1, 2}));
    const LinkStorage fewer = GENERATE(LinkStorage::two_rows, LinkStorage::minimal);
    const ref::Links good = ref::gen_gauge(l, 1, 1), rounded = in_single(good);
    gauge_of(graph, Precision::f64, good, true, fewer);
    gauge_of(graph, Precision::f64, rounded, true);
    gauge_of(graph, Precision::f32, rounded, true, fewer);
    CHECK_THROWS_WITH(gauge_of(graph, Precision::f64, rounded, true, fewer),
                      Catch::Contains("not in SU(3), store it in 18"));
    ref::Links one = good;
    one[9 * (4 * ref::site_number(l, {3, 0, 1, 2}) + 1) + 8] += 1e-3;
    CHECK_THROWS_WITH(gauge_of(graph, Precision::f32, one, true, fewer),
                      Catch::Contains("link 1 at 3,0,1,2 would be off by 1.0e-03"));
}

// Else it would keep 32 bytes for each of them, without end (Graph::make_constant).
TEST_CASE("fields: StarPU keeps no account of the tasks that read links", "[fields]")
{
    use_workers({.cpu = 1});
    const Extents l{4, 4, 4, 4};
    LatticeGraph graph(Tiling(l, Extents{1, 1, 1, 2}));
    const auto gauge = gauge_of(graph, Precision::f64, ref::unit_links(l), true);
    for (const int parity : {0, 1})
        for (const int tile : {0, 1})
            CHECK(starpu_data_get_sequential_consistency_flag(gauge->at(parity, tile).handle) == 0);
}

TEST_CASE("fields: links stay until the tasks that read them have ended", "[fields]")
{
    use_workers({.cpu = 1});
    const Extents l{8, 8, 8, 8};
    LatticeGraph graph(Tiling(l, Extents{1, 1, 1, 2}));
    const auto psi = field_of(graph, Precision::f64, Sites::all, ref::det_spinor(l, 1)),
               out = field_of(graph, Precision::f64, Sites::all, ref::det_spinor(l, 2));
    auto gauge = gauge_of(graph, Precision::f64, ref::unit_links(l), true);
    const Wilson wilson(graph, *gauge, Precision::f64);
    for (int i = 0; i < 100; ++i)
        wilson.hop({.parity = i % 2, .out = &*out, .psi = &*psi, .b = spin::real(1)});
    gauge.reset();
    CHECK(starpu_task_nsubmitted() == 0);
}

TEST_CASE("fields: dot and scale", "[fields]")
{
    const Workers workers = any_workers();
    INFO(name_of(workers));
    const Precision precision = any_precision();
    const Cutting cutting = GENERATE_COPY(from_range(cuttings_of_one_lattice(most_tiles(workers))));
    INFO(cutting.name() << ", " << precision);
    LatticeGraph graph(cutting.tiling());
    const ref::Spinors x = in_single(ref::det_spinor(cutting.lattice, 1)),
                       y = in_single(ref::det_spinor(cutting.lattice, 2));
    const auto X = field_of(graph, precision, Sites::all, x),
               Y = field_of(graph, precision, Sites::all, y);
    const LatticeSums sums(graph, Sites::all);
    dot(*X, Y.get(), sums);
    const auto s = sums.wait();
    // The value is that of the sums over sites, rounded once: it depends on nothing but the
    // numbers.
    static std::map<std::string, std::array<double, QCD_MAX_SUMS>> first;
    CHECK(s == first.try_emplace(fmt::format("{}", int(precision)), s).first->second);
    CHECK(s[0] == Approx(ref::inner(x, y).real()).margin(1e-11));
    CHECK(s[1] == Approx(ref::inner(x, y).imag()).margin(1e-11));
    CHECK(s[2] == Approx(ref::norm2(y)).epsilon(1e-13));
    CHECK(s[3] == Approx(ref::norm2(x)).epsilon(1e-13));

    scale(spin::gamma5(), *X, *Y);
    CHECK(ref::distance(values(*Y), ref::gamma5(x)) == 0);
    scale(spin::real(2), *X, *Y, Sites::odd); // even sites stay
    CHECK(ref::distance(values(*Y),
                        ref::combine(2, ref::only_parity(cutting.lattice, x, 1), 1,
                                     ref::only_parity(cutting.lattice, ref::gamma5(x), 0))) == 0);
}

TEST_CASE("lattice sums: a merge tree of any depth is exact", "[fields]")
{
    const Workers workers = any_workers();
    INFO(name_of(workers));
    const Extents tiles =
        GENERATE(Extents{1, 1, 1, 1}, Extents{1, 1, 1, 7}, Extents{1, 1, 1, 15},
                 Extents{2, 2, 2, 12}, Extents{2, 2, 2, 16}, Extents{2, 2, 4, 25});
    LatticeGraph graph(Tiling({4, 4, 8, 50}, tiles));
    const Tiling& tiling = graph.tiling();
    const LatticeSums sums(graph, Sites::all);
    INFO(2 * tiling.tile_count() << " parts");
    __int128 expected = 0; // in units of 2^-40
    long n = 0;
    for (int parity = 0; parity < 2; ++parity)
        for (int tile = 0; tile < tiling.tile_count(); ++tile) {
            const starpu_data_handle_t handle = sums.part(parity, tile).handle;
            starpu_data_acquire(handle, STARPU_W);
            i64* words = reinterpret_cast<i64*>(starpu_vector_get_local_ptr(handle));
            std::fill(words, words + QCD_TASK_SUM_WORDS, 0);
            const i64 value = i64(ref::splitmix64(n++)) >> 11; // 53 bits, both signs
            expected += value;
            for (int i = 0; i < QCD_MAX_SUMS; ++i) {
                const sum_term t = make_sum_term(std::ldexp(double(value), -40));
                words[i * QCD_SUM_WORDS + t.first] = t.w0;
                words[i * QCD_SUM_WORDS + t.first + 1] = t.w1;
                words[i * QCD_SUM_WORDS + t.first + 2] = t.w2;
            }
            starpu_data_release(handle);
        }
    for (int again = 0; again < 2; ++again)
        for (const double value : sums.wait()) CHECK(value == std::ldexp(double(expected), -40));
}
