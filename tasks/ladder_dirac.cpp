#include "tasks/ladder_dirac.hpp"

#include "codelets/ladder/contracts.hpp"
#include "codelets/ladder/gamma.h"
#include "runtime/device_limits.hpp"
#include "runtime/opencl_program.hpp"

namespace qcd
{

namespace
{

/// L[d][row][column], (1 -+ gamma_mu) transposed: it stands to the right of the spinor.
template <class Real>
void fill_spin_matrices(Real* L)
{
    for (int d = 0; d < 8; ++d)
        for (int s = 0; s < 4; ++s) {
            const double sign = d < 4 ? -1 : 1;
            const int power = ladder_power(d, s);
            Real* one = L + 2 * (16 * d + 4 * s + s);
            Real* gamma = L + 2 * (16 * d + 4 * ladder_partner(d, s) + s);
            one[0] = 1;
            gamma[power % 2] = Real(power < 2 ? sign : -sign);
        }
}

std::unique_ptr<HostData> spin_matrices(Graph& graph, Precision p)
{
    constexpr int elements = 8 * 16;
    auto L = std::make_unique<HostData>(graph, 2 * elements, real_bytes(p), -1);
    p == Precision::f64 ? fill_spin_matrices(static_cast<double*>(L->host()))
                        : fill_spin_matrices(static_cast<float*>(L->host()));
    graph.make_constant(L->data());
    return L;
}

/// The report's bufMove.
std::unique_ptr<HostData> table_of(const LadderLattice& lattice, int tile)
{
    const ladder_shape shape = lattice.shape(tile);
    auto table =
        std::make_unique<HostData>(lattice.graph(), std::size_t(8) * shape.sites, sizeof(int),
                                   lattice.graph().owner(tile, lattice.tiles()), tile);
    int* n = static_cast<int*>(table->host());
    for (int site = 0; site < shape.sites; ++site)
        for (int d = 0; d < 8; ++d) *n++ = ladder_neighbour(shape, site, d);
    lattice.graph().make_constant(table->data());
    return table;
}

/// Elements of a time slice.
std::size_t slice_elements(const ladder_shape& g)
{
    return std::size_t(QCD_LADDER_ELEMENTS) * g.slice;
}

} // namespace

template <class F>
auto LadderDirac::with_kernel(const F& f) const
{
    const ladder_shape shape = lattice_.shape(0);
    if (version_.separate) {
        const ladder_xgemm33x34_args args{shape, version_.switches, multiple_, 0, {}, {}};
        return f(ladder_xgemm33x34_codelet(precision_, version_, multiple_), &args);
    }
    const ladder_stencil_args args{shape, version_.switches, multiple_, {}, {}};
    return f(ladder_stencil_codelet(precision_, version_, multiple_), &args);
}

LadderDirac::LadderDirac(const LadderLattice& lattice, Precision precision,
                         const LadderStencil& stencil, GaugeSource& gauge, bool antiperiodic)
    : lattice_(lattice), precision_(precision), version_(stencil.version),
      multiple_(ladder_multiple(stencil.version, stencil.multiple)),
      links_(lattice, precision, stencil.version.switches, gauge, antiperiodic)
{
    if (!version_.has(QCD_LADDER_SPARSE)) spin_ = spin_matrices(lattice.graph(), precision);
    for (int tile = 0; tile < lattice.tiles(); ++tile) {
        const ladder_shape shape = lattice.shape(tile);
        Tile& data = tiles_.emplace_back();
        if (lattice.cut())
            for (auto* slice : {&data.first, &data.last})
                *slice = lattice.complex_data(tile, slice_elements(shape), precision);
        if (!version_.has(QCD_LADDER_COMPUTED)) data.neighbours = table_of(lattice, tile);
        if (version_.separate)
            for (auto& t : data.t)
                t = lattice.complex_data(tile, slice_elements(shape) * shape.t, precision);
    }
    with_kernel([&](const Codelet& codelet, const void* args) {
        require_groups_fit(codelet, args);
        opencl_prepare(codelet);
    });
}

std::optional<KernelFacts> LadderDirac::kernel_facts(int worker) const
{
    return with_kernel([&](const Codelet& codelet, const void* args) {
        return qcd::kernel_facts(codelet, args, worker);
    });
}

Data LadderDirac::below(int tile) const
{
    return lattice_.cut() ? tiles_[lattice_.behind(tile)].last->data() : Data{};
}

Data LadderDirac::above(int tile) const
{
    return lattice_.cut() ? tiles_[lattice_.ahead(tile)].first->data() : Data{};
}

void LadderDirac::send_slices(const LadderField& psi) const
{
    for (int tile = 0; tile < lattice_.tiles(); ++tile) {
        const ladder_shape shape = lattice_.shape(tile);
        const int elements = int(slice_elements(shape));
        const auto send = [&](int from, const StarpuData& slice) {
            lattice_.graph().submit(ladder_xcopy_codelet(precision_),
                                    ladder_xcopy_args{{elements, 0}, from},
                                    {slice.data(), psi.at(tile)});
        };
        send(0, *tiles_[tile].first);
        send(elements * (shape.t - 1), *tiles_[tile].last);
    }
}

void LadderDirac::fused(const LadderField& psi, const LadderField& out, const chiral& a,
                        const chiral& b, int tile) const
{
    const auto& table = tiles_[tile].neighbours;
    lattice_.graph().submit(
        ladder_stencil_codelet(precision_, version_, multiple_),
        ladder_stencil_args{lattice_.shape(tile), version_.switches, multiple_, a, b},
        {out.at(tile), psi.at(tile), below(tile), above(tile), links_.at(tile),
         table ? table->data() : Data{}, spin_ ? spin_->data() : Data{}});
}

void LadderDirac::separate(const LadderField& psi, const LadderField& out, const chiral& a,
                           const chiral& b, int tile) const
{
    const ladder_shape shape = lattice_.shape(tile);
    for (int d = 0; d < 8; ++d) {
        const Data t = tiles_[tile].t[d % 2]->data();
        lattice_.graph().submit(
            ladder_xgemm34x44_codelet(precision_, version_, multiple_),
            ladder_xgemm34x44_args{shape, version_.switches, multiple_, d},
            {t, psi.at(tile), d == 4 ? below(tile) : Data{}, d == 0 ? above(tile) : Data{}});
        lattice_.graph().submit(
            ladder_xgemm33x34_codelet(precision_, version_, multiple_),
            ladder_xgemm33x34_args{shape, version_.switches, multiple_, d, a, b},
            {Operand(out.at(tile), d > 0), t, links_.at(tile),
             d == 0 ? Operand(psi.at(tile)) : Operand()});
    }
}

void LadderDirac::operator()(const LadderField& psi, const LadderField& out, const chiral& a,
                             const chiral& b) const
{
    if (lattice_.cut()) send_slices(psi);
    for (int tile = 0; tile < lattice_.tiles(); ++tile)
        version_.separate ? separate(psi, out, a, b, tile) : fused(psi, out, a, b, tile);
}

double LadderDirac::flops() const
{
    // Counts what the operations that are submitted count.
    constexpr unsigned with_psi = 1u << ladder_xgemm33x34_psi;
    double all = 0;
    for (int tile = 0; tile < lattice_.tiles(); ++tile) {
        const ladder_shape shape = lattice_.shape(tile);
        if (!version_.separate) {
            const ladder_stencil_args args{shape, version_.switches, multiple_, {}, {}};
            all +=
                ladder_stencil_codelet(precision_, version_, multiple_).operation.flops(&args, 0);
            continue;
        }
        for (int d = 0; d < 8; ++d) {
            const ladder_xgemm34x44_args first{shape, version_.switches, multiple_, d};
            const ladder_xgemm33x34_args second{shape, version_.switches, multiple_, d, {}, {}};
            all += ladder_xgemm34x44_codelet(precision_, version_, multiple_)
                       .operation.flops(&first, 0);
            all += ladder_xgemm33x34_codelet(precision_, version_, multiple_)
                       .operation.flops(&second, d == 0 ? with_psi : 0);
        }
    }
    return all;
}

std::size_t LadderDirac::bytes(const Extents& l, int tiles, Precision p, const LadderVersion& v)
{
    const std::size_t field = LadderField::bytes(l, p), slice = field / l[3];
    return LadderLinks::bytes(l, p) + (tiles > 1 ? 2 * tiles * slice : 0) +
           (v.separate ? 2 * field : 0) +
           (v.has(QCD_LADDER_COMPUTED) ? 0 : std::size_t(volume(l)) * 8 * sizeof(int)) +
           (v.has(QCD_LADDER_SPARSE) ? 0 : 8 * 16 * 2 * real_bytes(p));
}

} // namespace qcd
