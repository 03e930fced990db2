// The hopping term as a graph of tasks: exact on integers, right on random links, and the theorems
// of the operators, on many tilings and all kinds of workers.

#include "lattice/twist.hpp"
#include "solver/operator.hpp"
#include "tests/tasks/graph.hpp"
#include "tests/tasks/tilings.hpp"

#include <numbers>

using namespace qcd;
using namespace qcd::test;
using ref::Complex;

namespace
{

/// out = H psi on all sites; both parities have their own tasks.
void hop_everywhere(const Wilson& wilson, const SpinorField& psi, const SpinorField& out)
{
    for (const int parity : {0, 1})
        wilson.hop({.parity = parity, .out = &out, .psi = &psi, .b = spin::real(1)});
}

ref::Spinors hop_on_tiles(const Tiling& tiling, Precision p, const ref::Links& links,
                          bool antiperiodic, const ref::Spinors& psi)
{
    LatticeGraph graph(tiling);
    const auto gauge = gauge_of(graph, p, links, antiperiodic);
    const auto in = field_of(graph, p, Sites::all, psi);
    const SpinorField out(graph, p, Sites::all);
    const Wilson wilson(graph, *gauge, p);
    hop_everywhere(wilson, *in, out);
    return values(out);
}

/// Integers from -8 to 8 in every component.
ref::Spinors integer_spinor(const Extents& l, int seed)
{
    ref::Spinors psi(12 * volume(l));
    for (std::size_t k = 0; k < psi.size(); ++k)
        psi[k] = {std::floor(17 * (ref::uniform(2 * k, seed) + 0.5)) - 8,
                  std::floor(17 * (ref::uniform(2 * k + 1, seed) + 0.5)) - 8};
    return psi;
}

/// One of 1, -1, i, -i in every row and column of every link: integers stay integers, and no two
/// links are alike by habit.
ref::Links permutation_links(const Extents& l, int seed)
{
    const Complex phase[] = {1, -1, {0, 1}, {0, -1}};
    const int permutation[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                   {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    ref::Links u(36 * volume(l));
    for (std::size_t link = 0; link < u.size() / 9; ++link) {
        const std::uint64_t r = ref::splitmix64(link + (std::uint64_t(seed) << 32));
        for (int row = 0; row < 3; ++row)
            u[9 * link + 3 * row + permutation[r % 6][row]] = phase[r >> (8 + 2 * row) & 3];
    }
    return u;
}

} // namespace

TEST_CASE("graph: H of a constant field on unit links is 8 psi at every site", "[graph]")
{
    const Workers workers = any_workers();
    INFO(name_of(workers));
    const Precision precision = any_precision();
    const Cutting cutting = GENERATE_COPY(from_range(cuttings_of_one_lattice(most_tiles(workers))));
    INFO(cutting.name() << ", " << precision);
    ref::Spinors psi(12 * volume(cutting.lattice));
    for (std::size_t k = 0; k < psi.size(); ++k) psi[k] = {double(k % 12) + 1, -2 * double(k % 12)};
    const auto Hpsi =
        hop_on_tiles(cutting.tiling(), precision, ref::unit_links(cutting.lattice), false, psi);
    CHECK(ref::distance(Hpsi, ref::combine(8, psi, 0, psi)) == 0);
}

TEST_CASE("graph: H on integers is exact", "[graph]")
{
    const Workers workers = any_workers();
    INFO(name_of(workers));
    const Cutting cutting = GENERATE_COPY(from_range(cuttings_of_one_lattice(most_tiles(workers))));
    INFO(cutting.name());
    const Extents& l = cutting.lattice;
    static const ref::Spinors psi = integer_spinor(l, 1);
    static const ref::Links links = permutation_links(l, 2);
    static const ref::Spinors expected = ref::hopping({l, links, 0, 0, true}, psi);
    // In double; single has the same layout in halves, which the constant field and random links
    // test.
    CHECK(ref::distance(hop_on_tiles(cutting.tiling(), Precision::f64, links, true, psi),
                        expected) == 0);
}

TEST_CASE("graph: H on random links, equal bits on every tiling", "[graph]")
{
    const Workers workers = any_workers();
    INFO(name_of(workers));
    const Precision precision = any_precision();
    const bool antiperiodic = precision == Precision::f64;
    INFO(precision << (antiperiodic ? ", antiperiodic" : ", periodic"));
    const Extents l = one_lattice;
    const ref::Spinors psi = in_single(ref::det_spinor(l, 1));
    const ref::Links links = in_single(ref::gen_gauge(l, 2, 0.4));
    const ref::Spinors expected = ref::hopping({l, links, 0, 0, antiperiodic}, psi);
    ref::Spinors first;
    for (const Cutting& cutting : cuttings_of_one_lattice(most_tiles(workers))) {
        INFO(cutting.name());
        const auto Hpsi = hop_on_tiles(cutting.tiling(), precision, links, antiperiodic, psi);
        CHECK(ref::distance(Hpsi, expected) <= 16 * epsilon(precision));
        if (first.empty()) first = Hpsi;
        CHECK(ref::distance(Hpsi, first) == 0);
    }
}

TEST_CASE("graph: H on lattices with few and many lanes", "[graph]")
{
    use_workers({.cpu = cores()});
    const Cutting cutting = any_cutting();
    INFO(cutting.name());
    const Extents& l = cutting.lattice;
    const ref::Spinors psi = integer_spinor(l, 3);
    const ref::Links links = permutation_links(l, 4);
    CHECK(ref::distance(hop_on_tiles(cutting.tiling(), Precision::f64, links, true, psi),
                        ref::hopping({l, links, 0, 0, true}, psi)) == 0);
}

namespace
{

/// Operators on a small lattice cut into uneven tiles, as the solvers use them.
struct Problem {
    Problem(const ref::Links& links, double kappa, double mubar, bool antiperiodic,
            Precision p = Precision::f64, LinkStorage storage = LinkStorage::full, double csw = 0)
        : parameters{kappa, mubar, csw},
          clover(clover_of(graph, p, parameters, CloverField::Inverse::on_odd_sites)),
          gauge(gauge_of(graph, p, links, antiperiodic, storage, clover.get())),
          wilson(graph, *gauge, p, clover.get()), plain{lattice, links,        kappa,
                                                        mubar,   antiperiodic, csw}
    {
    }
    ref::Spinors apply(Matrix m, const ref::Spinors& psi) const
    {
        return made_by(m, psi, [](const Operator& A, auto& x, auto& y) { A(x, y); });
    }
    ref::Spinors apply_adjoint(Matrix m, const ref::Spinors& psi) const
    {
        return made_by(m, psi, [](const Operator& A, auto& x, auto& y) { A.adjoint(x, y); });
    }

    static constexpr Extents lattice{4, 6, 2, 8};
    mutable LatticeGraph graph{Tiling(lattice, {{{4}, {2, 4}, {2}, {4, 2, 2}}})};
    DiracParameters parameters;
    std::unique_ptr<CloverField> clover;
    std::unique_ptr<GaugeField> gauge;
    Wilson wilson;
    ref::Wilson plain;

private:
    template <class Call>
    ref::Spinors made_by(Matrix m, const ref::Spinors& psi, const Call& call) const
    {
        const DiracOperator A(wilson, parameters, m);
        const auto x = field_of(graph, A.precision(), A.sites(), psi);
        const SpinorField y(graph, A.precision(), A.sites());
        call(A, *x, y);
        return values(y);
    }
};

/// |a - b| in units of |b|.
double difference(const ref::Spinors& a, const ref::Spinors& b)
{
    return std::sqrt(ref::norm2(ref::combine(1, a, -1, b)) / ref::norm2(b));
}

} // namespace

TEST_CASE("operators: D, gamma5 D, Dhat and their adjoints equal the reference", "[operators]")
{
    const Workers workers = any_workers();
    INFO(name_of(workers));
    const Precision precision = any_precision();
    const double mubar = GENERATE(0.0, 0.3), csw = GENERATE(0.0, 1.3);
    const LinkStorage storage =
        GENERATE(LinkStorage::full, LinkStorage::two_rows, LinkStorage::minimal);
    INFO(precision << ", mubar " << mubar << ", csw " << csw << ", links of " << reals(storage));
    if (storage != LinkStorage::full && mubar != 0) return; // the twist does not meet the links
    if (csw != 0 && (storage == LinkStorage::full) != (mubar != 0)) return; // to save time
    const Extents l = Problem::lattice;
    const ref::Spinors psi = in_single(ref::det_spinor(l, 1));
    const bool full = storage == LinkStorage::full; // others are rounded to other links
    const ref::Links links = ref::gen_gauge(l, 2, 0.5);
    const Problem p(full ? in_single(links) : links, 0.14, mubar, true, precision, storage, csw);
    const double bound = (full ? 4 : 8) * epsilon(precision);
    CHECK(difference(p.apply(Matrix::D, psi), ref::dirac(p.plain, psi)) <= bound);
    CHECK(difference(p.apply(Matrix::gamma5_D, psi), ref::hermitian(p.plain, psi)) <= bound);
    CHECK(difference(p.apply(Matrix::Dhat, psi), ref::dirac_even(p.plain, psi)) <= bound);
    CHECK(difference(p.apply(Matrix::gamma5_Dhat, psi),
                     ref::gamma5(ref::dirac_even(p.plain, psi))) <= bound);
    // (gamma5 A)^dagger = A^dagger gamma5
    CHECK(difference(p.apply_adjoint(Matrix::gamma5_D, psi),
                     ref::dirac_dagger(p.plain, ref::gamma5(psi))) <= bound);
    CHECK(difference(p.apply_adjoint(Matrix::gamma5_Dhat, psi),
                     ref::dirac_even_dagger(p.plain, ref::gamma5(psi))) <= bound);
}

TEST_CASE("operators: gamma5-hermiticity", "[operators]")
{
    use_workers({.cpu = cores()});
    const double mubar = GENERATE(0.0, 0.3), csw = GENERATE(0.0, 1.3);
    const Matrix matrix = GENERATE(Matrix::gamma5_D, Matrix::gamma5_Dhat);
    const Extents l = Problem::lattice;
    const Problem p(ref::gen_gauge(l, 2, 0.5), 0.14, mubar, true, Precision::f64, LinkStorage::full,
                    csw);
    const ref::Spinors x = ref::det_spinor(l, 1), y = ref::det_spinor(l, 2);
    // (x | g A(mubar) y) = (g A(-mubar) x | y)
    const Complex left = ref::inner(x, p.apply(matrix, y)),
                  right = ref::inner(p.apply_adjoint(matrix, x), y);
    CHECK(std::abs(left - right) <= 1e-14 * ref::norm2(x));
    if (mubar == 0)
        CHECK(std::abs(ref::inner(x, p.apply(matrix, x)).imag()) <= 1e-14 * ref::norm2(x));
}

TEST_CASE("operators: gauge covariance", "[operators]")
{
    use_workers({.cpu = cores()});
    const Extents l = Problem::lattice;
    const Matrix matrix = GENERATE(Matrix::D, Matrix::Dhat);
    const ref::Links u = ref::gen_gauge(l, 2, 0.5);
    const ref::Rotations g = ref::random_rotations(l, 3);
    const ref::Spinors psi = ref::det_spinor(l, 1);
    const double csw = GENERATE(0.0, 1.3);
    const auto made_of = [&](const ref::Links& links) {
        return Problem(links, 0.14, 0.1, true, Precision::f64, LinkStorage::full, csw);
    };
    const Problem before = made_of(u), after = made_of(ref::transform(l, g, u));
    CHECK(difference(after.apply(matrix, ref::transform(g, psi)),
                     ref::transform(g, before.apply(matrix, psi))) <= 1e-15);
}

TEST_CASE("operators: even and odd parts make up the whole", "[operators]")
{
    use_workers({.cpu = cores()});
    const Extents l = Problem::lattice;
    const double csw = GENERATE(0.0, 1.3);
    const Problem p(ref::gen_gauge(l, 2, 0.5), 0.14, 0.2, true, Precision::f64, LinkStorage::full,
                    csw);
    const ref::Spinors b = ref::det_spinor(l, 1);
    const auto source = field_of(p.graph, Precision::f64, Sites::all, b);
    const DiracOperator full(p.wilson, p.parameters, Matrix::D),
        even(p.wilson, p.parameters, Matrix::Dhat);
    SECTION("the linear map")
    {
        const ref::Spinors sum = ref::combine(1, p.apply(Matrix::D, ref::only_parity(l, b, 0)), 1,
                                              p.apply(Matrix::D, ref::only_parity(l, b, 1)));
        CHECK(difference(p.apply(Matrix::D, b), sum) <= 1e-15);
    }
    SECTION("right-hand side and reconstruction")
    {
        SpinorField rhs(p.graph, Precision::f64, Sites::even),
            x(p.graph, Precision::f64, Sites::all);
        even.prepare(*source, rhs);
        CHECK(difference(values(rhs), ref::even_source(p.plain, b)) <= 1e-15);
        // Whatever x_e is: D x = b holds on odd sites, and Dhat x_e = rhs on the even ones.
        const ref::Spinors x_even = ref::only_parity(l, ref::det_spinor(l, 7), 0);
        even.reconstruct(*field_of(p.graph, Precision::f64, Sites::even, x_even), *source, x);
        CHECK(difference(values(x), ref::complete_odd(p.plain, x_even, b)) <= 1e-15);
        const ref::Spinors r = ref::combine(1, b, -1, ref::dirac(p.plain, values(x)));
        CHECK(ref::norm2(ref::only_parity(l, r, 1)) <= 1e-30 * ref::norm2(b));
        CHECK(difference(ref::only_parity(l, r, 0),
                         ref::combine(1, values(rhs), -1, p.apply(Matrix::Dhat, x_even))) <= 1e-14);
    }
}

TEST_CASE("operators: plane waves are eigenvectors in momentum space", "[operators]")
{
    use_workers({.cpu = cores()});
    const Extents l = Problem::lattice;
    const bool antiperiodic = GENERATE(true, false);
    const std::array<int, 4> n = GENERATE(std::array{0, 0, 0, 0}, std::array{1, 0, 0, 0},
                                          std::array{1, 2, 1, 3}, std::array{2, 3, 1, 7});
    const double kappa = 0.12, mubar = 0.07;
    const auto momentum = ref::momentum(l, n, antiperiodic);
    const std::array<Complex, 4> u = {Complex(1, 2), -0.5, Complex(0, 3), Complex(2, -1)};
    // D(p) = 1 + i mubar gamma5 - 2 kappa sum_mu (cos p_mu - i gamma_mu sin p_mu)
    std::array<Complex, 4> v{};
    for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b) {
            Complex element = ref::one_and_gamma(1, Complex(0, mubar), 5)[a][b];
            for (int mu = 0; mu < 4; ++mu)
                element -= 2 * kappa *
                           ref::one_and_gamma(std::cos(momentum[mu]),
                                              Complex(0, -std::sin(momentum[mu])), mu)[a][b];
            v[a] += element * u[b];
        }
    const Problem p(ref::unit_links(l), kappa, mubar, antiperiodic);
    CHECK(difference(p.apply(Matrix::D, ref::plane_wave(l, momentum, u, 1)),
                     ref::plane_wave(l, momentum, v, 1)) <= 1e-14);
}

namespace
{

class TwistedUnit : public GaugeSource
{
public:
    TwistedUnit(const Extents& l, const Theta& theta)
        : GaugeSource(l, "twisted unit"), unit_(open_gauge("unit", l)), theta_(theta)
    {
    }

private:
    void read(const Box& box, std::span<double> links) override
    {
        unit_->read_box(box, links);
        twist_slice(extents(), theta_, slice_of(box), links);
    }
    std::unique_ptr<GaugeSource> unit_;
    Theta theta_;
};

} // namespace

TEST_CASE("operators: with a twisted boundary plane waves have momenta (2 n + theta) pi / L",
          "[operators]")
{
    use_workers({.cpu = cores()});
    const Extents l = Problem::lattice;
    const Theta theta = GENERATE(Theta{0.3, 0, 0, 0}, Theta{0, -0.7, 1.2, 0.45});
    const std::array<int, 4> n{1, 2, 0, 3};
    const double kappa = 0.12;
    auto p = ref::momentum(l, n, true);
    for (int mu = 0; mu < 4; ++mu) p[mu] += theta[mu] * std::numbers::pi / l[mu];
    TwistedUnit source(l, theta);
    LatticeGraph graph(Tiling(l, Extents{1, 1, 1, 2}));
    const GaugeField gauge(graph, Precision::f64, source, true);
    const Wilson wilson(graph, gauge, Precision::f64);
    const std::array<Complex, 4> u = {Complex(1, 2), -0.5, Complex(0, 3), Complex(2, -1)};
    std::array<Complex, 4> v = u;
    for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b)
            for (int mu = 0; mu < 4; ++mu)
                v[a] -=
                    2 * kappa *
                    ref::one_and_gamma(std::cos(p[mu]), Complex(0, -std::sin(p[mu])), mu)[a][b] *
                    u[b];
    SpinorField Dpsi(graph, Precision::f64, Sites::all);
    DiracOperator(wilson, {kappa, 0}, Matrix::D)(
        *field_of(graph, Precision::f64, Sites::all, ref::plane_wave(l, p, u, 1)), Dpsi);
    CHECK(difference(values(Dpsi), ref::plane_wave(l, p, v, 1)) <= 1e-14);
}

TEST_CASE("operators: the true residual is computed in double, on single fields too", "[operators]")
{
    const Workers workers = any_workers();
    INFO(name_of(workers));
    const Extents l = Problem::lattice;
    const Problem p(in_single(ref::gen_gauge(l, 2, 0.5)), 0.14, 0.2, true, Precision::f32);
    const ref::Spinors x = in_single(ref::det_spinor(l, 1)), b = in_single(ref::det_spinor(l, 2));
    const Wilson in_double(p.graph, *p.gauge, Precision::f32_in_f64);
    const LatticeSums rr(p.graph, Sites::all);
    const SpinorField even(p.graph, Precision::f32, Sites::even);
    const SpinorField odd(p.graph, Precision::f32, Sites::odd);
    residual(in_double, p.parameters, *field_of(p.graph, Precision::f32, Sites::all, x),
             *field_of(p.graph, Precision::f32, Sites::all, b), {&even, &odd}, rr);
    const ref::Spinors r = ref::combine(1, b, -1, ref::dirac(p.plain, x));
    CHECK(rr.wait()[2] == Approx(ref::norm2(r)).epsilon(1e-13));
    CHECK(difference(values(even), ref::only_parity(l, r, 0)) <= 1e-7);
    CHECK(difference(values(odd), ref::only_parity(l, r, 1)) <= 1e-7);
}
