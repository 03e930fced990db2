#include "drivers/bench/bench_operations.hpp"

#include "base/random.hpp"
#include "codelets/cg_scalars/cg_scalars.hpp"
#include "codelets/pack_faces/pack_faces.hpp"
#include "codelets/xgemm33x34/xgemm33x34.hpp"
#include "codelets/xgemm34x44/xgemm34x44.hpp"

#include <fmt/format.h>

namespace qcd
{

namespace
{

constexpr double bench_twist = 0; // a twisted mass is rare beside a clover term

/// Links in SU(3) that cost little to generate: the 8 reals that make one (codelets/device/link.h)
/// are uniform in [-0.5, 0.5).
class UniformLinks : public GaugeSource
{
public:
    explicit UniformLinks(const Extents& lattice) : GaugeSource(lattice, "uniform numbers") {}

private:
    void read(const Box& box, std::span<double> links) override
    {
        const int t = slice_of(box);
        constexpr int n = reals(LinkStorage::minimal);
        const std::size_t count = links.size() / links::reals_per_link;
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < count; ++i) {
            double r[n];
            for (int j = 0; j < n; ++j) r[j] = uniform((t * count + i) * n + j, 1);
            links::store(links::expand(r, LinkStorage::minimal), &links[i * links::reals_per_link]);
        }
    }
};

GaugeField uniform_links(LatticeGraph& graph, Precision precision, LinkStorage storage)
{
    UniformLinks source(graph.tiling().lattice());
    const auto made = [&](Precision p) { return GaugeField(graph, p, source, true, storage); };
    return is_fixed_point(precision) ? GaugeField(made(Precision::f64), precision)
                                     : made(precision);
}

/// Of numbers that are made faster than those of links: 1 on the diagonal, and uniform noise.
std::unique_ptr<CloverField> uniform_clover(LatticeGraph& graph, Precision precision)
{
    const Extents& l = graph.tiling().lattice();
    auto clover = std::make_unique<CloverField>(graph, precision, 0, bench_twist,
                                                CloverField::Inverse::on_odd_sites);
    const Box& own = graph.owned_box();
    const long row = l[0] * clover_reals; // of sites
    std::vector<double> slice(row * own.extents[1] * own.extents[2]);
    for (int t = own.lower[3]; t < own.lower[3] + own.extents[3]; ++t) {
#pragma omp parallel for schedule(static)
        for (long i = 0; i < long(slice.size()); ++i) {
            const long y = own.lower[1] + i / row % own.extents[1],
                       z = own.lower[2] + i / row / own.extents[1];
            const long place = i % (clover_reals / 2);
            const bool diagonal = place < 3 || (place >= 9 && place < 12);
            const long number = ((long(t) * l[2] + z) * l[1] + y) * row + i % row;
            slice[std::size_t(i)] = (diagonal ? 1 : 0) + 0.2 * uniform(std::uint64_t(number), 2);
        }
        clover->put_slice(t, slice);
    }
    clover->complete();
    return clover;
}

constexpr chiral general_a{0.75, -0.25, 0.5, 0.125}, general_b{-0.5, 0.25, 1.25, -0.75};
constexpr double spinor = QCD_SPINOR_ROWS, half_spinor = spinor / 2;

void hop(const BenchFields& f)
{
    f.wilson().hop({.parity = 0, .out = &f.even(0), .psi = &f.odd(), .b = general_b});
}

/// The second hop of an even-odd operator: a o v added, sums made.
void hop_with(const Dots& dots, const BenchFields& f)
{
    f.wilson().hop({.parity = 0,
                    .out = &f.even(0),
                    .psi = &f.odd(),
                    .b = general_b,
                    .v = &f.even(1),
                    .a = general_a,
                    .dots = dots});
}

void hop_add(const BenchFields& f) { hop_with({}, f); }

/// In CG.
void hop_with_norm2(const BenchFields& f)
{
    hop_with({.which = QCD_SUM_OUT_OUT, .sums = &f.sums()}, f);
}

/// In CR.
void hop_with_sums(const BenchFields& f)
{
    hop_with({.which = QCD_SUM_RE_V_OUT | QCD_SUM_OUT_OUT | QCD_SUM_RE_U_OUT,
              .u = &f.even(2),
              .sums = &f.sums()},
             f);
}

/// The first and the second hop of an even-odd operator with a clover term, in CR.
void hop_inverse(const BenchFields& f)
{
    f.wilson().hop({.parity = 1,
                    .out = &f.odd_result(),
                    .psi = &f.even(1),
                    .b = spin::real(1),
                    .clover = Clover::divides,
                    .twist = bench_twist});
}
void hop_clover(const BenchFields& f)
{
    f.wilson().hop({.parity = 0,
                    .out = &f.even(0),
                    .psi = &f.odd(),
                    .b = general_b,
                    .v = &f.even(1),
                    .a = general_a,
                    .clover = Clover::multiplies_v,
                    .twist = bench_twist,
                    .dots = {.which = QCD_SUM_RE_V_OUT | QCD_SUM_OUT_OUT | QCD_SUM_RE_U_OUT,
                             .u = &f.even(2),
                             .sums = &f.sums()}});
}

void pack(const BenchFields& f)
{
    for (const int tile : f.graph().owned_tiles()) {
        std::vector<Operand> slots(pack_faces_slots);
        slots[pack_faces_psi] = f.odd().at(1, tile);
        slots[pack_faces_links] = f.links().at(1, tile);
        for (int face = 0; face < 8; ++face)
            slots[pack_faces_faces + face] = f.faces().at(tile, face);
        f.graph().submit(pack_faces_codelet(f.precision(), f.links().storage()),
                         pack_faces_args{f.tiling().shape(tile), 1, 0}, slots);
    }
}

void link_times_spinor(const BenchFields& f)
{
    f.graph().sweep([&](int tile) {
        f.graph().submit(xgemm33x34_codelet(f.precision(), f.links().storage()),
                         xgemm33x34_args{f.tiling().shape(tile).blocks, 2, 1},
                         {f.even(0).at(0, tile), f.links().at(0, tile), f.even(1).at(0, tile)});
    });
}

void project_spins(const BenchFields& f)
{
    f.graph().sweep([&](int tile) {
        f.graph().submit(xgemm34x44_codelet(f.precision()),
                         xgemm34x44_args{f.tiling().shape(tile).blocks, 2, 1},
                         {f.even(0).at(0, tile), f.even(1).at(0, tile)});
    });
}

void products(const BenchFields& f) { dot(f.even(0), &f.even(1), f.sums()); }

void merge(const BenchFields& f) { f.sums().merge(); }

/// In place: from the second call on beta = 1.
void step_of_scalars(const BenchFields& f)
{
    f.graph().submit(cg_beta_codelets().alone, scalar_step_args{},
                     {updated(f.changing().copy(0)), Data{}, f.sums().total(), Data{}});
}

void add_to_first(const BenchFields& f) { add_correction(f.in_single(), {}, f.even(0)); }

/// As CG does it in every second iteration, with p and p' in 16 bits.
void add_steps_to_first(const BenchFields& f)
{
    add_correction(f.in_single(), {&f.cg(), &f.in_half(), &f.in_half()}, f.even(0));
}

double no_units(const Tiling&) { return 0; }

/// Pairs of a lower and an upper face site, of one parity.
double face_sites(const Tiling& t)
{
    double sites = 0;
    for (int mu = 0; mu < 4; ++mu)
        if (t.cut(mu)) sites += double(volume(t.lattice())) / t.lattice()[mu] * t.tiles()[mu] / 2;
    return sites;
}

} // namespace

BenchFields::BenchFields(LatticeGraph& graph, Precision precision, LinkStorage links)
    : graph_(&graph), links_(uniform_links(graph, precision, links)),
      clover_(uniform_clover(graph, plain_precision(precision))),
      wilson_(graph, links_, precision, clover_.get()),
      faces_(tiling().any_cut() ? graph.exchange().make_halo(precision) : nullptr),
      odd_(graph, precision, Sites::odd), odd_result_(graph, precision, Sites::odd),
      sums_(graph, Sites::even), cr_(graph), cg_(graph), changing_(graph), bicgstab_(graph),
      gcr_(graph)
{
    for (int i = 0; i < spinors; ++i) {
        even_.emplace_back(graph, precision, Sites::even);
        reset(i);
    }
    if (precision == Precision::f64) {
        in_single_ = std::make_unique<SpinorField>(graph, Precision::f32, Sites::even);
        fill(*in_single_, spinors);
        in_half_ = std::make_unique<SpinorField>(graph, Precision::f16, Sites::even);
        fill(*in_half_, spinors);
    }
    if (is_fixed_point(precision)) {
        plain_x_ = std::make_unique<SpinorField>(graph, plain_precision(precision), Sites::even);
        reset(0);
    }
    fill(odd_, 99);
}

/// Each right-hand side with numbers of its own.
void BenchFields::fill(SpinorField& field, int seed)
{
    for (int rhs = 0; rhs < graph_->rhs(); ++rhs)
        field.fill(*open_spinor_source(fmt::format("det:{}", seed + 100 * rhs), tiling().lattice()),
                   rhs);
}

void BenchFields::reset(int i)
{
    fill(even_[i], i + 1);
    if (i == 0 && plain_x_) fill(*plain_x_, i + 1);
}

std::size_t BenchFields::bytes(const Tiling& tiling, Precision p, LinkStorage links, int rhs)
{
    return GaugeField::bytes(tiling, p, links) +
           (is_fixed_point(p) ? GaugeField::bytes(tiling, Precision::f64, links) : 0) +
           CloverField::bytes(tiling, plain_precision(p), CloverField::Inverse::on_odd_sites) +
           rhs * ((spinors + 2) * SpinorField::bytes(tiling, p, Sites::even) +
                  (p != Precision::f32 ? 2 * SpinorField::bytes(tiling, Precision::f32, Sites::even)
                                       : 0) +
                  3 * Halo::bytes(tiling, p));
}

void BenchFields::set_scalars(bool general)
{
    for (int rhs = 0; rhs < graph_->rhs(); ++rhs) set_scalars(general, rhs);
}

void BenchFields::set_scalars(bool general, int rhs)
{
    const solve_scalars open{.gate = 0, .rr = 1, .bb = 1, .stop = 0, .drop = 0, .most = 1};
    scalar alpha{}, beta{}, omega{};
    if (general) {
        alpha = {0.375, -0.21};
        beta = {0.53, 0.11};
        omega = {-0.26, 0.34};
    }
    const x_steps x{.alpha = alpha, .alpha_before = omega, .lacking = 2};
    cr_scalars cr{};
    cr.solve = open, cr.x = x, cr.beta = beta;
    cr_.set(cr, rhs);
    for (const auto* c : {&cg_, &changing_})
        c->set({.solve = open, .x = x, .beta = beta, .zz = 1}, rhs);
    gcr_scalars gcr{};
    gcr.solve = open, gcr.directions = 3, gcr.used = 3;
    gcr.beta[0] = gcr.xi[2] = beta, gcr.beta[1] = gcr.xi[1] = omega;
    gcr.alpha[2] = gcr.xi[0] = alpha;
    if (rhs == 0) gcr_.set(gcr); // which has one
    bicgstab_.set({.solve = open, .alpha = alpha, .beta = beta, .omega = omega, .rho = {1, 0}},
                  rhs);
}

double BenchOperation::unit_count(const Tiling& t) const
{
    return units ? units(t) : double(volume(t.lattice())) / 2;
}

double BenchOperation::bytes_with(Precision p, LinkStorage s, int rhs) const
{
    const double plain = double(real_bytes(plain_precision(p)));
    return cost.reals / spinor * double(spinor_bytes(p)) + cost.plain * plain +
           (cost.links * reals(s) * double(real_bytes(p)) + cost.clover * plain) / rhs;
}

const std::vector<BenchOperation>& bench_operations()
{
    using F = const BenchFields&;
    static const std::vector<BenchOperation> all{
        {"hopping", {1320, 2 * spinor, 8}, hop, {0}},
        {"hopping_add", {1320, 3 * spinor, 8}, hop_add, {0}},
        {"hopping_norm2", {1320, 3 * spinor, 8}, hop_with_norm2, {0}},
        {"hopping_sums", {1320, 4 * spinor, 8}, hop_with_sums, {0}},
        {.name = "hopping_inverse",
         .cost = {1824, 2 * spinor, 8, 0, clover_reals},
         .submit = hop_inverse,
         .writes = {0},
         .check =
             [](F f) {
                 hop_inverse(f);
                 f.wilson().hop(
                     {.parity = 0, .out = &f.even(0), .psi = &f.odd_result(), .b = spin::real(1)});
             }},
        {"hopping_clover", {1824, 4 * spinor, 8, 0, clover_reals}, hop_clover, {0}},
        {.name = "pack_faces",
         .cost = {156, 2 * spinor, 1, 2 * half_spinor},
         .submit = pack,
         .writes = {0},
         .check = hop,
         .units = face_sites,
         .applies = [](const Tiling& t) { return t.any_cut(); }},
        {.name = "xgemm33x34",
         .cost = {264, 2 * spinor, 1},
         .submit = link_times_spinor,
         .writes = {0},
         .in_half = false,
         .of_several = false},
        {.name = "xgemm34x44",
         .cost = {12, 2 * spinor},
         .submit = project_spins,
         .writes = {0},
         .in_half = false,
         .of_several = false},
        {"chiral_scale",
         {72, 2 * spinor},
         [](F f) { scale(general_a, f.even(1), f.even(0)); },
         {0}},
        {"dot", {192, 2 * spinor}, products, {}},
        {.name = "xpay",
         .cost = {96, 3 * spinor},
         .submit =
             [](F f) {
                 xpay({0, 0}, f.even(1), f.even(0));
             },
         .writes = {0},
         .in_half = false},
        {"cr_update",
         {528, 7 * spinor, 0, 2 * spinor},
         [](F f) {
             cr_update(f.cr(), f.even(4), &f.x(), f.even(1), f.even(2), f.even(3), f.sums());
         },
         {0, 1, 2, 3}},
        {"cr_update_but_x",
         {336, 7 * spinor},
         [](F f) {
             cr_update(f.cr(), f.even(4), nullptr, f.even(1), f.even(2), f.even(3), f.sums());
         },
         {1, 2, 3}},
        {"cg_residual",
         {144, 3 * spinor},
         [](F f) { cg_residual(f.cg(), f.even(1), f.even(0), f.sums()); },
         {0}},
        {"cg_update",
         {288, 4 * spinor, 0, 2 * spinor},
         [](F f) { cg_update(f.cg(), f.even(3), &f.x(), f.even(2), f.even(1)); },
         {0, 1}},
        {"cg_update_but_x",
         {96, 3 * spinor},
         [](F f) { cg_update(f.cg(), f.even(2), nullptr, f.even(1), f.even(0)); },
         {0}},
        {"bicgstab_residual",
         {240, 4 * spinor},
         [](F f) { bicgstab_residual(f.bicgstab(), f.even(1), f.even(2), f.even(0), f.sums()); },
         {0}},
        {"bicgstab_update",
         {528, 6 * spinor, 0, 2 * spinor},
         [](F f) {
             bicgstab_update(f.bicgstab(), f.even(3), f.even(4), f.x(), f.even(1), f.even(2),
                             f.sums());
         },
         {0, 1, 2}},
        {.name = "gcr_products",
         .cost = {192, 3 * spinor},
         .submit = [](F f) { gcr_products(f.gcr(), f.even(0), f.even(1), &f.even(2), f.sums()); },
         .writes = {},
         .in_half = false,
         .of_several = false},
        {.name = "gcr_update", // the third direction of a cycle
         .cost = {384, 7 * spinor},
         .submit =
             [](F f) {
                 const SpinorField* const earlier[]{&f.even(3), &f.even(4)};
                 gcr_update(f.gcr(), f.even(0), earlier, f.even(1), &f.even(2), f.sums());
             },
         .writes = {0, 1, 2},
         .in_half = false,
         .of_several = false},
        {.name = "gcr_solution", // of three
         .cost = {288, 5 * spinor},
         .submit =
             [](F f) {
                 const SpinorField* const z[]{&f.even(1), &f.even(2), &f.even(3)};
                 gcr_solution(f.gcr(), z, f.even(0));
             },
         .writes = {0},
         .in_half = false,
         .of_several = false},
        {.name = "merge_sums",
         .cost = {},
         .submit = merge,
         .writes = {},
         .check = products,
         .units = no_units,
         .applies = [](const Tiling& t) { return t.tile_count() > 1; }},
        {.name = "narrow",
         .cost = {0, 1.5 * spinor},
         .submit = [](F f) { narrow(f.even(1), f.in_single()); },
         .writes = {0},
         .check = [](F f) { narrow(f.even(1), f.in_single()), add_to_first(f); },
         .of_both = true},
        {.name = "widen",
         .cost = {0, 1.5 * spinor},
         .submit = [](F f) { widen(f.in_single(), f.even(0), nullptr); },
         .writes = {0},
         .of_both = true,
         .of_several = false},
        {.name = "add_correction",
         .cost = {24, 2.5 * spinor},
         .submit = add_to_first,
         .writes = {0},
         .of_both = true},
        {.name = "narrow_to_half",
         .cost = {0, (1 + 52 / 192.0) * spinor},
         .submit = [](F f) { narrow(f.even(1), f.in_half()); },
         .writes = {0},
         .check = [](F f) { narrow(f.even(1), f.in_half()), add_steps_to_first(f); },
         .of_both = true},
        {.name = "add_correction_of_half",
         .cost = {216, (2.5 + 52 / 192.0) * spinor},
         .submit = add_steps_to_first,
         .writes = {0},
         .of_both = true},
        {.name = "cg_beta",
         .cost = {},
         .submit = step_of_scalars,
         .writes = {},
         .check = [](F f) { products(f), merge(f), step_of_scalars(f); },
         .units = no_units},
    };
    return all;
}

std::string result_of(const BenchOperation& operation, const BenchFields& f)
{
    std::string text;
    for (int rhs = 0; rhs < f.graph().rhs(); ++rhs) {
        for (const int i : operation.writes) text += fmt::format("{:016x} ", f.even(i).digest(rhs));
        if (&f.x() != &f.even(0)) text += fmt::format("{:016x} ", f.x().digest(rhs));
        for (const double sum : f.sums().wait(rhs)) text += fmt::format("{:a} ", sum);
        const cg_scalars c = f.changing().wait(rhs);
        text += fmt::format("{:a} {:a} {:a} ", c.solve.gate, c.beta.re, c.zz);
    }
    return text;
}

} // namespace qcd
