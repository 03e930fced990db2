#include "tasks/clover_field.hpp"

#include "base/error.hpp"
#include "codelets/device/shape.h"
#include "tasks/rows.hpp"

#include <algorithm>
#include <cmath>

namespace qcd
{

static_assert(clover_reals == QCD_CLOVER_ROWS);

namespace
{

std::size_t clover_bytes(const Tiling& t, Precision p, int tile)
{
    return std::size_t(t.padded_sites(tile)) * QCD_CLOVER_ROWS * real_bytes(p);
}

} // namespace

CloverField::CloverField(LatticeGraph& graph, Precision precision, double c, double mubar,
                         Inverse inverse)
    : graph_(&graph), precision_(precision), mubar_(mubar),
      matrices_(
          graph, Sites::all,
          [&](int tile) { return clover_bytes(graph.tiling(), precision, tile); },
          real_bytes(precision), first_contents(graph))
{
    if (inverse == Inverse::on_odd_sites)
        inverses_.emplace(
            graph, Sites::odd,
            [&](int tile) { return clover_bytes(graph.tiling(), precision, tile); },
            real_bytes(precision), first_contents(graph));
    slices_ = std::make_unique<CloverSlices>(
        graph.tiling().lattice(), graph.owned_box(), c,
        [this](int t, std::span<const double> matrices) { put_slice(t, matrices); });
    access_.push_back(std::make_unique<HostAccess>(matrices_, STARPU_W));
    if (inverses_) access_.push_back(std::make_unique<HostAccess>(*inverses_, STARPU_W));
}

CloverField::CloverField(const CloverField& wide)
    : graph_(wide.graph_), precision_(Precision::f32), mubar_(wide.mubar_),
      matrices_(
          *graph_, Sites::all,
          [&](int tile) { return clover_bytes(graph_->tiling(), precision_, tile); },
          real_bytes(precision_), Contents::none)
{
    narrow_reals(*graph_, wide.matrices_, matrices_, Sites::all, 1, QCD_CLOVER_ROWS);
    matrices_.make_constant();
    if (!wide.inverses_) return;
    inverses_.emplace(
        *graph_, Sites::odd,
        [&](int tile) { return clover_bytes(graph_->tiling(), precision_, tile); },
        real_bytes(precision_), Contents::none);
    narrow_reals(*graph_, *wide.inverses_, *inverses_, Sites::odd, 1, QCD_CLOVER_ROWS);
    inverses_->make_constant();
}

void CloverField::complete()
{
    access_.clear();
    slices_.reset();
    matrices_.make_constant();
    if (inverses_) inverses_->make_constant();
}

template <class Real>
bool CloverField::put_site(const Coord& site, const double* matrix)
{
    const SitePlace p = graph_->tiling().place(site);
    using Places = Rows<Real>;
    const std::size_t at = Places::offset(p.block, p.lane, QCD_CLOVER_ROWS);
    bool finite = true;
    const auto put = [&](void* tile, const double* from) {
        Real* out = static_cast<Real*>(tile) + at;
        for (int r = 0; r < QCD_CLOVER_ROWS; ++r) {
            out[r * Places::piece] = Real(from[r]);
            finite = finite && std::isfinite(Real(from[r]));
        }
    };
    put(matrices_.host(p.parity, p.tile), matrix);
    if (inverses_ && p.parity == 1) {
        double inverse[QCD_CLOVER_ROWS];
        invert_clover(matrix, mubar_, inverse);
        put(inverses_->host(1, p.tile), inverse);
    }
    return finite;
}

void CloverField::put_slice(int t, std::span<const double> matrices)
{
    precision_ == Precision::f64 ? put_slice_as<double>(t, matrices)
                                 : put_slice_as<float>(t, matrices);
}

template <class Real>
void CloverField::put_slice_as(int t, std::span<const double> matrices)
{
    const Box slice{{0, graph_->owned_box().lower[1], graph_->owned_box().lower[2], t},
                    time_slice(graph_->owned_box().extents, 0).extents};
    const int lx = slice.extents[0], ly = slice.extents[1];
    const auto site = [&](std::size_t i) -> Coord {
        const int row = int(i / lx);
        return {int(i % lx), slice.lower[1] + row % ly, slice.lower[2] + row / ly, t};
    };
    const long sites = volume(slice);
    long bad = sites; // the first site whose matrices are no numbers
#pragma omp parallel for schedule(static) reduction(min : bad)
    for (long i = 0; i < sites; ++i)
        if (!put_site<Real>(site(i), &matrices[i * clover_reals])) bad = std::min(bad, i);
    if (bad == sites) return;
    const Coord x = site(bad);
    throw Error("clover term: at site {},{},{},{} 1 + clover, or its inverse, is not a "
                "number: a smaller csw is needed",
                x[0], x[1], x[2], x[3]);
}

std::size_t CloverField::bytes(const Tiling& t, Precision p, Inverse inverse)
{
    const int parities = inverse == Inverse::on_odd_sites ? 3 : 2;
    return std::size_t(t.padded_sites()) * parities * QCD_CLOVER_ROWS * real_bytes(p);
}

} // namespace qcd
