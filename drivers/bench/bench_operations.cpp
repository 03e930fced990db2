#include "drivers/bench/bench_operations.hpp"

#include "base/random.hpp"
#include "codelets/cg_scalars/cg_scalars.hpp"
#include "codelets/pack_faces/pack_faces.hpp"
#include "codelets/xgemm33x34/xgemm33x34.hpp"
#include "codelets/xgemm34x44/xgemm34x44.hpp"
#include "drivers/bench/plain_loop.hpp"

#include <fmt/format.h>

#include <set>
#include <string_view>

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

/// A clover term that costs little to generate: 1 on the diagonal, and uniform noise.
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

void hop(const BenchFields& f)
{
    f.wilson.hop({.parity = 0, .out = &f.even[0], .psi = &f.odd, .b = general_b});
}

/// The second hop of an even-odd operator, which adds a o v and makes sums.
void hop_with(const Dots& dots, const BenchFields& f, Clover clover = Clover::none)
{
    f.wilson.hop({.parity = 0,
                  .out = &f.even[0],
                  .psi = &f.odd,
                  .b = general_b,
                  .v = &f.even[1],
                  .a = general_a,
                  .clover = clover,
                  .twist = bench_twist,
                  .dots = dots});
}

/// The sums that CR asks for.
Dots sums_of_cr(const BenchFields& f)
{
    return {.which = QCD_SUM_RE_V_OUT | QCD_SUM_OUT_OUT | QCD_SUM_RE_U_OUT,
            .u = &f.even[2],
            .sums = &f.sums};
}

/// The first hop of an even-odd operator with a clover term.
void hop_inverse(const BenchFields& f)
{
    f.wilson.hop({.parity = 1,
                  .out = &f.odd_result,
                  .psi = &f.even[1],
                  .b = spin::real(1),
                  .clover = Clover::divides,
                  .twist = bench_twist});
}

void pack(const BenchFields& f)
{
    for (const int tile : f.graph.owned_tiles()) {
        std::vector<Operand> slots(pack_faces_slots);
        slots[pack_faces_psi] = f.odd.at(1, tile);
        slots[pack_faces_links] = f.links.at(1, tile);
        for (int face = 0; face < 8; ++face)
            slots[pack_faces_faces + face] = f.faces->at(tile, face);
        f.graph.submit(pack_faces_codelet(f.precision(), f.links.storage()),
                       pack_faces_args{f.graph.tiling().shape(tile), 1, 0}, slots);
    }
}

void link_times_spinor(const BenchFields& f)
{
    f.graph.sweep([&](int tile) {
        f.graph.submit(xgemm33x34_codelet(f.precision(), f.links.storage()),
                       xgemm33x34_args{f.graph.tiling().shape(tile).blocks, 2, 1},
                       {f.even[0].at(0, tile), f.links.at(0, tile), f.even[1].at(0, tile)});
    });
}

void project_spins(const BenchFields& f)
{
    f.graph.sweep([&](int tile) {
        f.graph.submit(xgemm34x44_codelet(f.precision()),
                       xgemm34x44_args{f.graph.tiling().shape(tile).blocks, 2, 1},
                       {f.even[0].at(0, tile), f.even[1].at(0, tile)});
    });
}

void products(const BenchFields& f) { dot(f.even[0], &f.even[1], f.sums); }

/// It works in place, so that beta is 1 from the second call on.
void step_of_scalars(const BenchFields& f)
{
    f.graph.submit(cg_beta_codelets().alone, scalar_step_args{},
                   {updated(f.changing.copy(0)), Data{}, f.sums.total(), Data{}});
}

void add_to_first(const BenchFields& f) { add_correction(*f.in_single, {}, f.even[0]); }

/// Adds two steps, as CG does in every second iteration, with p and p' in 16 bits.
void add_steps_to_first(const BenchFields& f)
{
    add_correction(*f.in_single, {&f.cg, f.in_half.get(), f.before_in_half.get()}, f.even[0]);
}

bool holds(const Slot& slot, std::string_view what) { return slot.holds == what; }

/// Does it hold numbers for each site, most of which are read or written?
bool is_field(const Slot& slot)
{
    return slot.share > 0 &&
           (holds(slot, "spinor") || holds(slot, "links") || holds(slot, "clover matrices"));
}

double bytes_of_link(const BenchFields& f)
{
    return double(reals(f.links.storage()) * real_bytes(f.precision()));
}

/// A site of a lower face and one of an upper face: their spinors are read, and the link of the
/// upper one, and half spinors are written.
double bytes_of_faces(const BenchFields& f)
{
    const Precision p = f.precision();
    return double(f.graph.rhs() * (2 * spinor_bytes(p) + spinor_bytes(plain_precision(p)))) +
           bytes_of_link(f);
}

/// The pairs of a site on a lower face and one on an upper face, of one parity.
double face_sites(const Tiling& t)
{
    double sites = 0;
    for (int mu = 0; mu < 4; ++mu)
        if (t.cut(mu)) sites += double(volume(t.lattice())) / t.lattice()[mu] * t.tiles()[mu] / 2;
    return sites;
}

/// Each right-hand side gets its own numbers.
void fill(SpinorField& field, int seed)
{
    for (int rhs = 0; rhs < field.graph().rhs(); ++rhs)
        field.fill(
            *open_spinor_source(fmt::format("det:{}", seed + 100 * rhs), field.tiling().lattice()),
            rhs);
}

} // namespace

BenchFields::BenchFields(LatticeGraph& g, Precision precision, LinkStorage storage)
    : graph(g), links(uniform_links(g, precision, storage)),
      clover(uniform_clover(g, plain_precision(precision))),
      wilson(g, links, precision, clover.get()),
      faces(g.tiling().any_cut() ? g.exchange().make_halo(precision) : nullptr),
      odd(g, precision, Sites::odd), odd_result(g, precision, Sites::odd), sums(g, Sites::even),
      cr(g), cg(g), changing(g), bicgstab(g), gcr(g)
{
    const auto even_field = [&](Precision p) {
        return std::make_unique<SpinorField>(g, p, Sites::even);
    };
    if (is_fixed_point(precision)) plain_x = even_field(plain_precision(precision));
    for (int i = 0; i < spinors; ++i) {
        even.emplace_back(g, precision, Sites::even);
        reset(i);
    }
    if (precision == Precision::f64) {
        fill(*(in_single = even_field(Precision::f32)), spinors);
        fill(*(in_half = even_field(Precision::f16)), spinors);
        fill(*(before_in_half = even_field(Precision::f16)), spinors + 1);
    }
    fill(odd, 99);
}

void BenchFields::reset(int i)
{
    fill(even[i], i + 1);
    if (i == 0 && plain_x) fill(*plain_x, i + 1);
}

std::size_t BenchFields::bytes(const Tiling& tiling, Precision p, LinkStorage links, int rhs)
{
    return GaugeField::bytes(tiling, p, links) +
           (is_fixed_point(p) ? GaugeField::bytes(tiling, Precision::f64, links) : 0) +
           CloverField::bytes(tiling, plain_precision(p), CloverField::Inverse::on_odd_sites) +
           rhs * ((spinors + 2) * SpinorField::bytes(tiling, p, Sites::even) +
                  (p != Precision::f32 ? SpinorField::bytes(tiling, Precision::f32, Sites::even)
                                       : 0) +
                  (p == Precision::f64 ? 2 * SpinorField::bytes(tiling, Precision::f16, Sites::even)
                                       : 0) +
                  3 * Halo::bytes(tiling, p));
}

void BenchFields::set_scalars(bool general)
{
    const solve_scalars open{
        .gate = QCD_GATE_OPEN, .rr = 1, .bb = 1, .stop = 0, .drop = 0, .most = 1};
    scalar alpha{}, beta{}, omega{};
    if (general) {
        alpha = {0.375, -0.21};
        beta = {0.53, 0.11};
        omega = {-0.26, 0.34};
    }
    const x_steps x{.alpha = alpha, .alpha_before = omega, .lacking = 2};
    cr_scalars of_cr{};
    of_cr.solve = open, of_cr.x = x, of_cr.beta = beta;
    gcr_scalars of_gcr{};
    of_gcr.solve = open, of_gcr.directions = 3, of_gcr.used = 3;
    of_gcr.beta[0] = of_gcr.xi[2] = beta, of_gcr.beta[1] = of_gcr.xi[1] = omega;
    of_gcr.alpha[2] = of_gcr.xi[0] = alpha;
    gcr.set(of_gcr); // GCR has one right-hand side
    for (int rhs = 0; rhs < graph.rhs(); ++rhs) {
        cr.set(of_cr, rhs);
        for (const auto* c : {&cg, &changing})
            c->set({.solve = open, .x = x, .beta = beta, .zz = 1}, rhs);
        bicgstab.set({.solve = open, .alpha = alpha, .beta = beta, .omega = omega, .rho = {1, 0}},
                     rhs);
    }
}

double BenchOperation::unit_count(const Tiling& t) const
{
    return units ? units(t) : double(volume(t.lattice())) / 2;
}

UnitWork work_of(const BenchOperation& op, const BenchFields& f)
{
    TaskRecorder recorder(f.graph);
    op.submit(f);
    const std::vector<RecordedTask> tasks = recorder.take();
    const Codelet& own = *tasks.back().codelet; // other tasks, such as pack_faces, prepare for it
    UnitWork work;
    for (const RecordedTask& task : tasks) {
        if (task.codelet != &own) continue;
        std::set<void*> seen; // a field that fills two slots is counted once
        for (std::size_t s = 0; s < own.slots.size(); ++s) {
            if (!task.memory[s]) continue;
            work.reads_links |= holds(own.slots[s], "links");
            if (is_field(own.slots[s]) && seen.insert(task.memory[s]).second)
                work.bytes += double(task.bytes[s]) * own.slots[s].moves(task.present);
        }
        if (own.operation.flops)
            work.flops += task.manner.layers * own.operation.flops(task.args.data(), task.present);
    }
    const double units = op.unit_count(f.graph.tiling());
    if (op.bytes_beside) work.bytes += units * op.bytes_beside(f);
    work.flops /= units * f.graph.rhs();
    work.bytes /= units * f.graph.rhs();
    return work;
}

const std::vector<BenchOperation>& bench_operations()
{
    using F = const BenchFields&;
    constexpr unsigned both = BenchOperation::of_both_precisions,
                       plain = BenchOperation::not_in_half, one = BenchOperation::of_one_rhs;
    static const std::vector<BenchOperation> all{
        {"hopping", hop, {0}},
        {"hopping_add", [](F f) { hop_with({}, f); }, {0}},
        // The hop of CG.
        {"hopping_norm2",
         [](F f) { hop_with({.which = QCD_SUM_OUT_OUT, .sums = &f.sums}, f); },
         {0}},
        {"hopping_sums", [](F f) { hop_with(sums_of_cr(f), f); }, {0}},
        {.name = "hopping_inverse",
         .submit = hop_inverse,
         .writes = {0},
         .check =
             [](F f) {
                 hop_inverse(f);
                 f.wilson.hop(
                     {.parity = 0, .out = &f.even[0], .psi = &f.odd_result, .b = spin::real(1)});
             }},
        {"hopping_clover", [](F f) { hop_with(sums_of_cr(f), f, Clover::multiplies_v); }, {0}},
        {.name = "pack_faces",
         .submit = pack,
         .writes = {0},
         .check = hop,
         .units = face_sites,
         .applies = [](const Tiling& t) { return t.any_cut(); },
         .bytes_beside = bytes_of_faces},
        {"xgemm33x34", link_times_spinor, {0}, plain | one},
        {"xgemm34x44", project_spins, {0}, plain | one},
        {"chiral_scale", [](F f) { scale(general_a, f.even[1], f.even[0]); }, {0}},
        {"dot", products, {}},
        {"xpay", [](F f) { xpay(0, f.even[1], f.even[0]); }, {0}, plain},
        {"cr_update",
         [](F f) { cr_update(f.cr, f.even[4], &f.x(), f.even[1], f.even[2], f.even[3], f.sums); },
         {0, 1, 2, 3}},
        {"cr_update_but_x",
         [](F f) { cr_update(f.cr, f.even[4], nullptr, f.even[1], f.even[2], f.even[3], f.sums); },
         {1, 2, 3}},
        {"cg_residual", [](F f) { cg_residual(f.cg, f.even[1], f.even[0], f.sums); }, {0}},
        {"cg_update",
         [](F f) { cg_update(f.cg, f.even[3], &f.x(), f.even[2], f.even[1]); },
         {0, 1}},
        {"cg_update_but_x",
         [](F f) { cg_update(f.cg, f.even[2], nullptr, f.even[1], f.even[0]); },
         {0}},
        {"bicgstab_residual",
         [](F f) { bicgstab_residual(f.bicgstab, f.even[1], f.even[2], f.even[0], f.sums); },
         {0}},
        {"bicgstab_update",
         [](F f) {
             bicgstab_update(f.bicgstab, f.even[3], f.even[4], f.x(), f.even[1], f.even[2], f.sums);
         },
         {0, 1, 2}},
        {"gcr_products",
         [](F f) { gcr_products(f.gcr, f.even[0], f.even[1], &f.even[2], f.sums); },
         {},
         plain | one},
        // This is the third direction of a cycle.
        {"gcr_update",
         [](F f) {
             const SpinorField* const earlier[]{&f.even[3], &f.even[4]};
             gcr_update(f.gcr, f.even[0], earlier, f.even[1], &f.even[2], f.sums);
         },
         {0, 1, 2},
         plain | one},
        // The solution is made of three directions.
        {"gcr_solution",
         [](F f) {
             const SpinorField* const z[]{&f.even[1], &f.even[2], &f.even[3]};
             gcr_solution(f.gcr, z, f.even[0]);
         },
         {0},
         plain | one},
        {.name = "merge_sums",
         .submit = [](F f) { f.sums.merge(); },
         .writes = {},
         .check = products,
         .applies = [](const Tiling& t) { return t.tile_count() > 1; }},
        {"narrow",
         [](F f) { narrow(f.even[1], *f.in_single); },
         {0},
         both,
         [](F f) { narrow(f.even[1], *f.in_single), add_to_first(f); }},
        {"widen", [](F f) { widen(*f.in_single, f.even[0], nullptr); }, {0}, both | one},
        {"add_correction", add_to_first, {0}, both},
        {"narrow_to_half",
         [](F f) { narrow(f.even[1], *f.in_half); },
         {0},
         both,
         [](F f) { narrow(f.even[1], *f.in_half), add_steps_to_first(f); }},
        {"add_correction_of_half", add_steps_to_first, {0}, both},
        {"cg_beta",
         step_of_scalars,
         {},
         0,
         [](F f) { products(f), f.sums.merge(), step_of_scalars(f); }},
    };
    return all;
}

std::string result_of(const BenchOperation& operation, const BenchFields& f)
{
    std::string text;
    for (int rhs = 0; rhs < f.graph.rhs(); ++rhs) {
        for (const int i : operation.writes) text += fmt::format("{:016x} ", f.even[i].digest(rhs));
        if (&f.x() != &f.even[0]) text += fmt::format("{:016x} ", f.x().digest(rhs));
        for (const double sum : f.sums.wait(rhs)) text += fmt::format("{:a} ", sum);
        const cg_scalars c = f.changing.wait(rhs);
        text += fmt::format("{:a} {:a} {:a} ", c.solve.gate, c.beta.re, c.zz);
    }
    return text;
}

} // namespace qcd
