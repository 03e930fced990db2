#include "tasks/field.hpp"

#include "codelets/chiral_scale/chiral_scale.hpp"
#include "codelets/hopping/hopping.hpp"
#include "lattice/error.hpp"
#include "lattice/spinor_digest.hpp"
#include "runtime/opencl_program.hpp"
#include "runtime/ranks.hpp"
#include "tasks/clover_field.hpp"
#include "tasks/host_access.hpp"
#include "tasks/rows.hpp"

#include <fmt/format.h>

#include <exception>
#include <limits>

namespace qcd
{

namespace
{

std::size_t spinor_bytes(const Tiling& t, Precision p, int tile)
{
    return std::size_t(t.padded_sites(tile)) * QCD_SPINOR_ROWS * real_bytes(p);
}

std::size_t link_bytes(const Tiling& t, Precision p, LinkStorage s, int tile)
{
    return std::size_t(t.padded_sites(tile)) * 4 * reals(s) * real_bytes(p);
}

/// How far a link may be from what its stored reals make of it.
double most_distance(Precision p) { return p == Precision::f64 ? 1e-12 : 1e-6; }

int end_of(const Box& box, int mu) { return box.lower[mu] + box.extents[mu]; }

} // namespace

SpinorField::SpinorField(LatticeGraph& graph, Precision precision, Sites sites)
    : graph_(&graph), precision_(precision), sites_(sites),
      tiles_(
          graph, sites, [&](int tile) { return spinor_bytes(graph.tiling(), precision, tile); },
          real_bytes(precision))
{
    opencl_prepare(hopping_codelet(precision), graph.plan().row_bytes);
}

std::size_t SpinorField::bytes(const Tiling& t, Precision p, Sites sites)
{
    return std::size_t(t.padded_sites()) * QCD_SPINOR_ROWS * real_bytes(p) *
           (sites == Sites::all ? 2 : 1);
}

void SpinorField::clear()
{
    graph_->sweep([&](int tile) {
        for (const int parity : parities(sites_))
            graph_->submit(chiral_scale_codelet(precision_),
                           chiral_scale_args{tiling().shape(tile).blocks, {}},
                           {tiles_.at(parity, tile), Data{}});
    });
}

template <class Real>
void SpinorField::fill_as(const SpinorSource& source)
{
    const Box& box = graph_->owned_box();
    const Rows<Real> rows(*graph_);
#pragma omp parallel for collapse(2) schedule(static)
    for (int t = box.lower[3]; t < end_of(box, 3); ++t)
        for (int z = box.lower[2]; z < end_of(box, 2); ++z)
            for (int y = box.lower[1]; y < end_of(box, 1); ++y)
                for (int x = 0; x < box.extents[0]; ++x) {
                    const SitePlace p = tiling().place({x, y, z, t});
                    if (!has_parity(sites_, p.parity)) continue;
                    double s[24];
                    source.site({x, y, z, t}, s);
                    Real* out = static_cast<Real*>(tiles_.host(p.parity, p.tile)) +
                                rows.offset(p.block, p.lane, QCD_SPINOR_ROWS);
                    for (int r = 0; r < QCD_SPINOR_ROWS; ++r) out[r * rows.piece] = Real(s[r]);
                }
}

void SpinorField::fill(const SpinorSource& source)
{
    clear(); // the lanes that stay empty hold 0
    const HostAccess access(tiles_, STARPU_RW);
    precision_ == Precision::f64 ? fill_as<double>(source) : fill_as<float>(source);
}

template <class Real>
void SpinorField::visit_as(const Box& box, const Visitor& f) const
{
    const Rows<Real> rows(*graph_);
    Coord x;
    for (x[3] = box.lower[3]; x[3] < end_of(box, 3); ++x[3])
        for (x[2] = box.lower[2]; x[2] < end_of(box, 2); ++x[2])
            for (x[1] = box.lower[1]; x[1] < end_of(box, 1); ++x[1])
                for (x[0] = 0; x[0] < box.extents[0]; ++x[0]) {
                    const SitePlace p = tiling().place(x);
                    if (!has_parity(sites_, p.parity)) continue;
                    const Real* in = static_cast<const Real*>(tiles_.host(p.parity, p.tile)) +
                                     rows.offset(p.block, p.lane, QCD_SPINOR_ROWS);
                    double s[24];
                    for (int r = 0; r < QCD_SPINOR_ROWS; ++r) s[r] = in[r * rows.piece];
                    f(x, s);
                }
}

void SpinorField::visit(const Box& box, const Visitor& f) const
{
    precision_ == Precision::f64 ? visit_as<double>(box, f) : visit_as<float>(box, f);
}

void SpinorField::visit(const Visitor& f) const
{
    const HostAccess access(tiles_, STARPU_R);
    visit(graph_->owned_box(), f);
}

void SpinorField::visit_by_threads(const Visitor& f) const
{
    const Box& box = graph_->owned_box();
    const HostAccess access(tiles_, STARPU_R);
#pragma omp parallel for collapse(2) schedule(static)
    for (int t = box.lower[3]; t < end_of(box, 3); ++t)
        for (int z = box.lower[2]; z < end_of(box, 2); ++z)
            visit({{box.lower[0], box.lower[1], z, t}, {box.extents[0], box.extents[1], 1, 1}}, f);
}

void SpinorField::visit_in_turn(std::span<std::byte> state, const Visitor& f) const
{
    Ranks& ranks = graph_->ranks();
    const HostAccess access(tiles_, STARPU_R);
    int before = -1; // the rank that has the state
    for (const auto& [rank, box] : graph_->runs()) {
        if (before >= 0 && before != rank) {
            if (before == ranks.rank()) ranks.send_bytes(state, rank);
            if (rank == ranks.rank()) ranks.receive_bytes(state, before);
        }
        if (rank == ranks.rank()) visit(box, f);
        before = rank;
    }
    ranks.broadcast(state, before);
}

void SpinorField::visit_on_first_rank(const Visitor& f) const
{
    Ranks& ranks = graph_->ranks();
    const HostAccess access(tiles_, STARPU_R);
    std::exception_ptr failure;
    const auto call = [&](const Coord& c, const double* spinor) {
        try {
            if (!failure) f(c, spinor);
        } catch (...) {
            failure = std::current_exception();
        }
    };
    std::vector<double> spinors;
    for (const auto& [rank, box] : graph_->runs()) {
        if (rank == 0 && ranks.rank() == 0) visit(box, call);
        if (rank == 0 || (rank != ranks.rank() && ranks.rank() != 0)) continue;
        const std::size_t sites = std::size_t(volume(box)) / 2 * parities(sites_).size();
        spinors.clear();
        if (rank == ranks.rank()) {
            visit(box,
                  [&](const Coord&, const double* s) { spinors.insert(spinors.end(), s, s + 24); });
            ranks.send_bytes(std::as_bytes(std::span(spinors)), 0);
            continue;
        }
        spinors.resize(24 * sites);
        ranks.receive_bytes(std::as_writable_bytes(std::span(spinors)), rank);
        for (std::size_t i = 0, at = 0; i < std::size_t(volume(box)); ++i) {
            const Coord c =
                coordinates(tiling().lattice(), site_number(tiling().lattice(), box, long(i)));
            if (has_parity(sites_, (c[0] + c[1] + c[2] + c[3]) % 2)) call(c, &spinors[24 * at++]);
        }
    }
    if (failure) std::rethrow_exception(failure);
}

std::uint64_t SpinorField::digest() const
{
    SpinorDigest digest(int(real_bytes(precision_)));
    visit_in_turn(digest.state(), [&](const Coord&, const double* s) { digest.add_site(s); });
    return digest.value();
}

GaugeField::GaugeField(LatticeGraph& graph, Precision precision, GaugeSource& source,
                       bool antiperiodic, LinkStorage storage, CloverField* clover)
    : graph_(&graph), storage_(storage), antiperiodic_(antiperiodic),
      tiles_(
          graph, Sites::all,
          [&](int tile) { return link_bytes(graph.tiling(), precision, storage, tile); },
          real_bytes(precision), first_contents(graph))
{
    const Extents& l = graph.tiling().lattice();
    const int first = graph.owned_box().lower[3], end = end_of(graph.owned_box(), 3);
    source.begin_slices(first, end - first);
    std::vector<double> slice(std::size_t(72) * l[0] * l[1] * l[2]);
    Worst worst;
    {
        const HostAccess access(tiles_, STARPU_W);
        for (int t = first; t < end && worst.distance <= most_distance(precision); ++t) {
            source.read_slice(t, slice);
            if (clover) clover->slices().add_slice(t, slice);
            worst = precision == Precision::f64 ? put_slice<double>(graph, t, slice)
                                                : put_slice<float>(graph, t, slice);
        }
    }
    tiles_.make_constant();
    if (!(worst.distance <= most_distance(precision)))
        throw Error(fmt::format("links: in {} reals link {} at {},{},{},{} would be off by {:.1e}, "
                                "more than {}: it is not in SU(3), store it in 18",
                                reals(storage), worst.mu, worst.site[0], worst.site[1],
                                worst.site[2], worst.site[3], worst.distance,
                                most_distance(precision)));
    if (clover) complete(*clover, source, slice);
}

void GaugeField::complete(CloverField& clover, GaugeSource& source, std::span<double> slice)
{
    CloverSlices& slices = clover.slices();
    if (slices.needs_outside())
        for (const int t : {slices.above(), slices.below()}) {
            source.read_outside(t, slice);
            slices.add_slice(t, slice);
        }
    clover.complete();
}

GaugeField::GaugeField(const GaugeField& wide)
    : graph_(wide.graph_), storage_(wide.storage_), antiperiodic_(wide.antiperiodic_),
      tiles_(
          *graph_, Sites::all,
          [&](int tile) { return link_bytes(graph_->tiling(), Precision::f32, storage_, tile); },
          real_bytes(Precision::f32), Contents::none)
{
    narrow_reals(*graph_, wide.tiles_, tiles_, Sites::all, 4, reals(storage_));
    tiles_.make_constant();
}

template <class Real>
GaugeField::Worst GaugeField::put_slice(const LatticeGraph& graph, int t,
                                        std::span<const double> links)
{
    const Tiling& tiling = graph.tiling();
    const Extents& l = tiling.lattice();
    const Box& box = graph.owned_box();
    const Rows<Real> rows(graph);
    const int n = reals(storage_);
    const double phase = antiperiodic_ && storage_ == LinkStorage::full && t == l[3] - 1 ? -1 : 1;
    Worst worst;
#pragma omp parallel for schedule(static)
    for (int z = box.lower[2]; z < end_of(box, 2); ++z) {
        Worst mine;
        for (int y = box.lower[1]; y < end_of(box, 1); ++y)
            for (int x = 0; x < l[0]; ++x) {
                const SitePlace p = tiling.place({x, y, z, t});
                const double* in = links.data() + std::size_t(72) * ((z * l[1] + y) * l[0] + x);
                Real* out = static_cast<Real*>(tiles_.host(p.parity, p.tile));
                for (int mu = 0; mu < 4; ++mu) {
                    const long block = long(mu) * tiling.shape(p.tile).blocks + p.block;
                    Real* stored = out + rows.offset(block, p.lane, n);
                    const links::Link link = links::load(in + 18 * mu);
                    double r[18];
                    links::compress(link, storage_, std::numeric_limits<Real>::epsilon() / 2, r);
                    for (int i = 0; i < n; ++i)
                        r[i] = stored[i * rows.piece] = Real((mu == 3 ? phase : 1) * r[i]);
                    if (storage_ == LinkStorage::full) continue;
                    const double off = links::distance(links::expand(r, storage_), link);
                    if (mine.is_below(off)) mine = {off, {x, y, z, t}, mu};
                }
            }
#pragma omp critical
        if (worst.is_below(mine.distance)) worst = mine;
    }
    return worst;
}

std::size_t GaugeField::bytes(const Tiling& t, Precision p, LinkStorage s)
{
    return std::size_t(t.padded_sites()) * 2 * 4 * reals(s) * real_bytes(p);
}

} // namespace qcd
