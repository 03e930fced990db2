#include "tasks/level.hpp"

#include "base/error.hpp"
#include "codelets/multigrid/coarse_hop/coarse_hop.hpp"
#include "codelets/multigrid/coarse_products/coarse_products.hpp"
#include "codelets/multigrid/orthonormalise/orthonormalise.hpp"
#include "codelets/multigrid/prolong/prolong.hpp"
#include "codelets/multigrid/put_vectors/put_vectors.hpp"
#include "codelets/multigrid/reorder_spinors/reorder_spinors.hpp"
#include "codelets/multigrid/restrict/restrict.hpp"
#include "lattice/box.hpp"
#include "runtime/opencl_program.hpp"
#include "tasks/host_access.hpp"
#include "tasks/rows.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

namespace qcd
{

namespace
{

std::size_t field_bytes(const level_shape& g, Precision p)
{
    return std::size_t(g.blocks) * QCD_LANES * spinor_bytes(p);
}

/// Bytes of the table that says for each lane of so many blocks where its spinor comes from.
std::size_t place_bytes(int blocks) { return std::size_t(blocks) * QCD_LANES * sizeof(int); }

} // namespace

Level::Level(const Tiling& tiling, const Extents& aggregate)
    : tiles_(tiling.tile_count()), lattice_(tiling.lattice())
{
    const Extents tile = tiling.extents(0);
    for (int t = 0; t < tiles_; ++t)
        if (tiling.extents(t) != tile)
            throw Error("multigrid: tiles of one size are needed, not of {} and {} (--tiles)",
                        to_string(tile), to_string(tiling.extents(t)));
    for (int mu = 0; mu < 4; ++mu) shape_.sites[mu] = tile[mu];
    shape_.lanes = 1;
    set_aggregate(aggregate);
    if (shape_.blocks_each > QCD_MOST_BLOCKS_EACH)
        throw Error("multigrid: blocks of {} have more than {} sites", to_string(aggregate),
                    QCD_MOST_BLOCKS_EACH * QCD_LANES);
}

Level::Level(const Level& finer, int n, const std::optional<Extents>& aggregate)
    : tiles_(finer.tiles_)
{
    for (int mu = 0; mu < 4; ++mu) {
        lattice_[mu] = finer.lattice_[mu] / finer.shape_.aggregate[mu];
        shape_.sites[mu] = finer.shape_.sites[mu] / finer.shape_.aggregate[mu];
    }
    if (n != 6 && n != 12 && n != 24 && n != 48)
        throw Error("multigrid: {} vectors: 6, 12, 24 or 48 are possible", n);
    shape_.lanes = n / QCD_CHIRAL_COMPONENTS;
    Extents all;
    for (int mu = 0; mu < 4; ++mu) all[mu] = shape_.sites[mu];
    set_aggregate(aggregate.value_or(all));
}

void Level::set_aggregate(const Extents& aggregate)
{
    shape_.aggregates = 1;
    int sites = 1;
    for (int mu = 0; mu < 4; ++mu) {
        const int b = aggregate[mu], l = shape_.sites[mu];
        if (b < 1 || l % b != 0)
            throw Error(
                "multigrid: blocks of {} do not divide the {} x {} x {} x {} sites that a tile "
                "has on this level (--tiles)",
                to_string(aggregate), shape_.sites[0], shape_.sites[1], shape_.sites[2],
                shape_.sites[3]);
        shape_.aggregate[mu] = b;
        shape_.aggregates *= l / b;
        sites *= b;
    }
    shape_.blocks_each = (sites * shape_.lanes + QCD_LANES - 1) / QCD_LANES;
    shape_.blocks = shape_.aggregates * shape_.blocks_each;
    blocks_.assign(std::size_t(tiles_), shape_.blocks);
}

Extents Level::aggregate() const
{
    Extents b;
    for (int mu = 0; mu < 4; ++mu) b[mu] = shape_.aggregate[mu];
    return b;
}

long Level::sites() const { return volume(lattice_); }

std::size_t Level::bytes(Precision p) const { return std::size_t(tiles_) * field_bytes(shape_, p); }

/// f(i, re, im) of component i of the lattice.
template <class Real, class Visit>
void Level::visit_as(const SpinorField& field, int rhs, const Visit& f) const
{
    const Tiling& tiling = field.tiling();
    const int n = QCD_CHIRAL_COMPONENTS * shape_.lanes;
    std::size_t i = 0;
    for_each_site(Box{{0, 0, 0, 0}, lattice_}, [&](const Coord& x) {
        Coord fine, in_tile;
        for (int mu = 0; mu < 4; ++mu) {
            fine[mu] = x[mu] * (tiling.lattice()[mu] / lattice_[mu]);
            in_tile[mu] = x[mu] % shape_.sites[mu];
        }
        auto* of_tile = static_cast<Real*>(field.data().host(0, tiling.part_of(fine)));
        const int first = first_lane_of(shape_, in_tile.data());
        for (int c = 0; c < 2 * n; ++c, ++i) {
            const int k = c % n, lane = first + k / QCD_CHIRAL_COMPONENTS,
                      row = 2 * (c / n * QCD_CHIRAL_COMPONENTS + k % QCD_CHIRAL_COMPONENTS);
            Real* const at = of_tile +
                             Rows<Real>::offset(long(rhs) * shape_.blocks + lane / QCD_LANES,
                                                lane % QCD_LANES, QCD_SPINOR_ROWS) +
                             row * Rows<Real>::piece;
            f(i, at[0], at[Rows<Real>::piece]);
        }
    });
}

template <class Visit>
void Level::visit(const SpinorField& field, int rhs, const Visit& f) const
{
    if (field.precision() == Precision::f64)
        visit_as<double>(field, rhs, f);
    else
        visit_as<float>(field, rhs, f);
}

LevelValues Level::values(const SpinorField& field, int rhs) const
{
    LevelValues all(std::size_t(sites()) * components());
    const HostAccess access(field.data(), STARPU_R);
    visit(field, rhs, [&](std::size_t i, auto re, auto im) { all[i] = {re, im}; });
    return all;
}

void Level::put_values(const SpinorField& field, int rhs, const LevelValues& all) const
{
    const HostAccess access(field.data(), STARPU_RW);
    visit(field, rhs, [&](std::size_t i, auto& re, auto& im) {
        using Real = std::remove_reference_t<decltype(re)>;
        re = Real(all[i].real());
        im = Real(all[i].imag());
    });
}

void make_orthonormal(std::vector<LevelValues>& v)
{
    const PausedWorkers paused;
    for (std::size_t i = 0; i < v.size(); ++i) {
        double norm2 = 0;
        for (const auto& z : v[i]) norm2 += std::norm(z);
        const double factor = norm2 > 0 ? 1 / std::sqrt(norm2) : 0;
        for (auto& z : v[i]) z *= factor;
#pragma omp parallel for schedule(static)
        for (std::size_t j = i + 1; j < v.size(); ++j) {
            std::complex<double> product = 0;
            for (std::size_t k = 0; k < v[i].size(); ++k) product += std::conj(v[i][k]) * v[j][k];
            for (std::size_t k = 0; k < v[i].size(); ++k) v[j][k] -= product * v[i][k];
        }
    }
}

LevelOrder::LevelOrder(LatticeGraph& graph, const Level& finest)
    : level_(finest),
      to_(
          graph, Sites::even, [&](int) { return place_bytes(finest.shape().blocks); }, sizeof(int)),
      from_(
          graph, Sites::all,
          [&](int tile) { return place_bytes(graph.tiling().shape(tile).blocks); }, sizeof(int))
{
    const Tiling& tiling = graph.tiling();
    opencl_prepare(reorder_spinors_codelet(Precision::f32));
    {
        const HostAccess to(to_, STARPU_W), from(from_, STARPU_W);
        const auto fill = [](void* places, int blocks) {
            std::fill_n(static_cast<int*>(places), std::size_t(blocks) * QCD_LANES, -1);
        };
        for (int tile = 0; tile < tiling.tile_count(); ++tile) {
            fill(to_.host(0, tile), finest.shape().blocks);
            for (const int parity : {0, 1})
                fill(from_.host(parity, tile), tiling.shape(tile).blocks);
        }
        for_each_site(graph.owned_box(), [&](const Coord& x) {
            const SitePlace p = tiling.place(x);
            const Coord origin = tiling.origin(p.tile);
            Coord in_tile;
            for (int mu = 0; mu < 4; ++mu) in_tile[mu] = x[mu] - origin[mu];
            const int here = p.block * QCD_LANES + p.lane,
                      there = first_lane_of(finest.shape(), in_tile.data());
            static_cast<int*>(to_.host(0, p.tile))[there] = 2 * here + p.parity;
            static_cast<int*>(from_.host(p.parity, p.tile))[here] = 2 * there;
        });
    }
    to_.make_constant();
    from_.make_constant();
}

std::size_t LevelOrder::bytes(const Tiling& tiling, const Level& level)
{
    return place_bytes(level.shape().blocks) * std::size_t(tiling.tile_count()) +
           2 * std::size_t(tiling.padded_sites()) * sizeof(int);
}

void LevelOrder::to_level(const SpinorField& in, const SpinorField& out,
                          const ScalarData* gate) const
{
    out.graph().sweep([&](int tile) {
        out.graph().submit(reorder_spinors_codelet(out.precision()),
                           reorder_spinors_args{out.blocks(tile), in.blocks(tile)},
                           {kept_behind(gate, out.at(0, tile)), in.at(0, tile),
                            in.sites() == Sites::all ? in.at(1, tile) : Data{}, to_.at(0, tile),
                            gate_for(gate, tile)});
    });
}

void LevelOrder::from_level(const SpinorField& in, const SpinorField& out,
                            const ScalarData* gate) const
{
    out.graph().sweep([&](int tile) {
        for (const int parity : parities(out.sites()))
            out.graph().submit(reorder_spinors_codelet(out.precision()),
                               reorder_spinors_args{out.blocks(tile), in.blocks(tile)},
                               {kept_behind(gate, out.at(parity, tile)), in.at(0, tile), Data{},
                                from_.at(parity, tile), gate_for(gate, tile)});
    });
}

Basis::Basis(LatticeGraph& graph, Precision precision, const Level& level, const Level& coarse,
             int n)
    : precision_(precision), level_(level), coarse_(coarse), n_(n),
      vectors_(
          graph, Sites::even,
          [&](int) { return std::size_t(n) * field_bytes(level.shape(), precision); },
          word_bytes(precision))
{
    if (long(n) * level.shape().blocks >
        std::numeric_limits<int>::max() / (QCD_SPINOR_ROWS * QCD_LANES))
        throw Error(
            "tiles: {} vectors of multigrid on a tile are more than kernels can number: cut "
            "the lattice into more (--tiles)",
            n);
}

std::size_t Basis::bytes(Precision p, const Level& level, int n)
{
    return std::size_t(n) * level.bytes(p);
}

void Basis::put(int first, const SpinorField& in)
{
    in.graph().sweep([&](int tile) {
        in.graph().submit(put_vectors_codelet(precision_),
                          put_vectors_args{level_.shape().blocks, first, n_},
                          {vectors_.at(0, tile), in.at(0, tile)});
    });
}

void Basis::orthonormalise(LatticeGraph& graph)
{
    graph.sweep([&](int tile) {
        graph.submit(orthonormalise_codelet(precision_),
                     orthonormalise_args{level_.shape().aggregates, n_, level_.shape()},
                     {vectors_.at(0, tile)});
    });
}

restrict_args Basis::restriction(int rhs) const
{
    const level_shape &g = level_.shape(), &coarse = coarse_.shape();
    return {.blocks = g.aggregates * n_,
            .vectors = n_,
            .face = -1,
            .level = g,
            .coarse = coarse,
            .to = {.first = 0, .stride = 1, .side = coarse.blocks, .sides = rhs}};
}

void Basis::restrict(const SpinorField& in, const SpinorField& out, const ScalarData* gate) const
{
    out.graph().sweep([&](int tile) {
        out.graph().submit(restrict_codelet(precision_), restriction(out.graph().rhs()),
                           {kept_behind(gate, out.at(0, tile)), vectors_.at(0, tile),
                            in.at(0, tile), gate_for(gate, tile)});
    });
}

void Basis::prolong(const SpinorField& in, const SpinorField& out, const ScalarData* gate) const
{
    out.graph().sweep([&](int tile) {
        out.graph().submit(
            prolong_codelet(precision_),
            prolong_args{level_.shape().blocks, n_, 0, level_.shape(), coarse_.shape()},
            {kept_behind(gate, out.at(0, tile)), vectors_.at(0, tile), in.at(0, tile),
             gate_for(gate, tile)});
    });
}

void Basis::prolong_unit(int column, const SpinorField& out) const
{
    out.graph().sweep([&](int tile) {
        out.graph().submit(
            prolong_codelet(precision_),
            prolong_args{level_.shape().blocks, n_, column, level_.shape(), coarse_.shape()},
            {out.at(0, tile), vectors_.at(0, tile), Data{}, Data{}});
    });
}

CoarseMatrices::CoarseMatrices(LatticeGraph& graph, Precision precision, const Level& level)
    : precision_(precision), level_(level),
      matrices_(
          graph, Sites::even,
          [&](int) {
              return std::size_t(QCD_COARSE_DIRECTIONS * level.components()) *
                     field_bytes(level.shape(), precision);
          },
          word_bytes(precision))
{
}

std::size_t CoarseMatrices::bytes(Precision p, const Level& level)
{
    return std::size_t(QCD_COARSE_DIRECTIONS * level.components()) * level.bytes(p);
}

void CoarseMatrices::put(const Basis& basis, int direction, int face, int column,
                         const SpinorField& in)
{
    const int columns = level_.components();
    restrict_args a = basis.restriction(in.graph().rhs());
    a.face = face;
    a.to = {.first = direction * columns + column,
            .stride = QCD_COARSE_DIRECTIONS * columns,
            .side = 1,
            .sides = columns - column};
    in.graph().sweep([&](int tile) {
        in.graph().submit(
            restrict_codelet(precision_), a,
            {updated(matrices_.at(0, tile)), basis.vectors_.at(0, tile), in.at(0, tile), Data{}});
    });
}

void CoarseMatrices::put_within(const Basis& basis, int column, const SpinorField& in)
{
    put(basis, QCD_COARSE_DIRECTIONS - 1, -1, column, in);
}

void CoarseMatrices::put_across(const Basis& basis, int direction, int column,
                                const SpinorField& in)
{
    put(basis, direction, -1, column, in);
}

void CoarseMatrices::put_both_across(const Basis& basis, int mu, int column, const SpinorField& in)
{
    put(basis, mu, 2 * mu + 1, column, in); // forward, from the upper ends
    put(basis, 4 + mu, 2 * mu, column, in);
}

void CoarseMatrices::hop(const SpinorField& in, const SpinorField& out, int terms,
                         const SpinorField* u, const ScalarData* gate) const
{
    coarse_hop_args a{};
    a.blocks = level_.shape().blocks;
    a.terms = terms;
    a.level = level_.shape();
    for (int mu = 0; mu < 4; ++mu) a.whole[mu] = level_.whole(mu);
    const Tiling& tiling = out.tiling();
    out.graph().sweep([&](int tile) {
        std::vector<Operand> slots(coarse_hop_slots);
        slots[coarse_hop_out] = kept_behind(gate, out.at(0, tile));
        slots[coarse_hop_matrices] = matrices_.at(0, tile);
        slots[coarse_hop_in] = in.at(0, tile);
        for (int mu = 0; mu < 4; ++mu) {
            if (!tiling.cut(mu)) continue;
            slots[coarse_hop_ahead + mu] = in.at(0, tiling.neighbour(tile, mu, +1));
            if (tiling.tiles()[mu] > 2) // else it is the one ahead
                slots[coarse_hop_behind + mu] = in.at(0, tiling.neighbour(tile, mu, -1));
        }
        if (u) slots[coarse_hop_u] = u->at(0, tile);
        slots[coarse_hop_gate] = gate_for(gate, tile);
        out.graph().submit(coarse_hop_codelet(precision_), a, slots);
    });
}

void CoarseMatrices::products(const SpinorField& q, const SpinorField* u, const LatticeSums& sums,
                              const ScalarData* gate) const
{
    q.graph().sweep([&](int tile) {
        q.graph().submit(
            coarse_products_codelet(precision_), coarse_products_args{level_.shape().blocks},
            {q.at(0, tile), u ? u->at(0, tile) : Data{}, gate_for(gate, tile), sums.part(0, tile)});
    });
}

} // namespace qcd
