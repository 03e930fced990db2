#include "tasks/field.hpp"

#include "base/error.hpp"
#include "codelets/chiral_scale/chiral_scale.hpp"
#include "codelets/hopping/hopping.hpp"
#include "lattice/box.hpp"
#include "lattice/fixed_point.hpp"
#include "lattice/source_scale.hpp"
#include "lattice/spinor_digest.hpp"
#include "runtime/opencl_program.hpp"
#include "runtime/ranks.hpp"
#include "runtime/simulation.hpp"
#include "tasks/clover_field.hpp"
#include "tasks/host_access.hpp"
#include "tasks/rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <limits>

namespace qcd
{

namespace
{

std::size_t link_bytes(const Tiling& t, Precision p, LinkStorage s, int tile)
{
    return std::size_t(t.padded_sites(tile)) * 4 * reals(s) * real_bytes(p);
}

/// How far a link may be from what its stored reals make of it.
double most_distance(Precision p) { return p == Precision::f64 ? 1e-12 : 1e-6; }

/// Waits.
void copy_tiles(const LatticeGraph& graph, const TileData& from, const TileData& to,
                const std::function<std::size_t(int tile)>& bytes)
{
    const HostAccess read(from, STARPU_R), written(to, STARPU_W);
    for (const int parity : {0, 1})
        for (const int tile : graph.owned_tiles())
            std::memcpy(to.host(parity, tile), from.host(parity, tile), bytes(tile));
}

int end_of(const Box& box, int mu) { return box.lower[mu] + box.extents[mu]; }

/// A site's spinor among the rows of a field, rounded, and what it stands for.
template <class Real>
struct StoredReals {
    using Word = Real;
    static constexpr int rows = QCD_SPINOR_ROWS;
    static void put(const double* spinor, Real* out, int piece)
    {
        for (int r = 0; r < rows; ++r) out[r * piece] = Real(spinor[r]);
    }
    static void get(const Real* in, int piece, double* spinor)
    {
        for (int r = 0; r < rows; ++r) spinor[r] = in[r * piece];
    }
};
struct StoredInFixedPoint {
    using Word = std::uint32_t;
    static constexpr int rows = int(fixed_point::Spinor{}.size());
    static void put(const double* spinor, Word* out, int piece)
    {
        const fixed_point::Spinor s = fixed_point::of_spinor(spinor);
        for (int r = 0; r < rows; ++r) out[r * piece] = s[r];
    }
    static void get(const Word* in, int piece, double* spinor)
    {
        fixed_point::Spinor s;
        for (int r = 0; r < rows; ++r) s[r] = in[r * piece];
        fixed_point::to_reals(s, spinor);
    }
};

} // namespace

SpinorField::SpinorField(LatticeGraph& graph, Precision precision, Sites sites,
                         const std::vector<int>* of_tiles, Contents contents)
    : graph_(&graph), precision_(precision), sites_(sites),
      blocks_(of_tiles ? *of_tiles : std::vector<int>()),
      tiles_(
          graph, sites,
          [&](int tile) {
              return std::size_t(graph.rhs()) * std::size_t(blocks(tile)) * QCD_LANES *
                     spinor_bytes(precision);
          },
          word_bytes(precision), contents)
{
    opencl_prepare(hopping_codelet(precision));
    if (contents == Contents::of_tasks) clear();
}

std::size_t SpinorField::bytes(const Tiling& t, Precision p, Sites sites)
{
    return std::size_t(t.padded_sites()) * spinor_bytes(p) * (sites == Sites::all ? 2 : 1);
}

void SpinorField::clear()
{
    graph_->sweep([&](int tile) {
        for (const int parity : parities(sites_))
            graph_->submit(chiral_scale_codelet(precision_), chiral_scale_args{blocks(tile), {}},
                           {tiles_.at(parity, tile), Data{}});
    });
}

template <class Stored>
void SpinorField::fill_as(const SpinorSource& source, int rhs)
{
    using Word = typename Stored::Word;
    const Box& box = graph_->owned_box();
    using Places = Rows<Word>;
#pragma omp parallel for collapse(2) schedule(static)
    for (int t = box.lower[3]; t < end_of(box, 3); ++t)
        for (int z = box.lower[2]; z < end_of(box, 2); ++z)
            for (int y = box.lower[1]; y < end_of(box, 1); ++y) {
                std::vector<double> line(std::size_t(box.extents[0]) * 24);
                source.line({0, y, z, t}, box.extents[0], line.data());
                for (int x = 0; x < box.extents[0]; ++x) {
                    const SitePlace p = tiling().place({x, y, z, t});
                    if (!has_parity(sites_, p.parity)) continue;
                    Stored::put(&line[std::size_t(x) * 24],
                                static_cast<Word*>(tiles_.host(p.parity, p.tile)) +
                                    Places::offset(first_block(p.tile, rhs) + p.block, p.lane,
                                                   Stored::rows),
                                Places::piece);
                }
            }
}

void SpinorField::fill(const SpinorSource& source, int rhs)
{
    if (graph_->rhs() == 1) clear(); // the lanes that stay empty hold 0
    const HostAccess access(tiles_, STARPU_RW);
    if (is_simulated) return;
    if (graph_->rhs() > 1) zero(rhs);
    if (is_fixed_point(precision_)) return fill_as<StoredInFixedPoint>(source, rhs);
    precision_ == Precision::f64 ? fill_as<StoredReals<double>>(source, rhs)
                                 : fill_as<StoredReals<float>>(source, rhs);
}

/// Clears one right-hand side on the host.
void SpinorField::zero(int rhs)
{
    for (const int tile : graph_->owned_tiles())
        for (const int parity : parities(sites_)) {
            const std::size_t bytes =
                std::size_t(blocks(tile)) * QCD_LANES * spinor_bytes(precision_);
            std::memset(static_cast<char*>(tiles_.host(parity, tile)) + rhs * bytes, 0, bytes);
        }
}

template <class Stored>
void SpinorField::visit_as(const Box& box, const Visitor& f, int rhs) const
{
    using Word = typename Stored::Word;
    using Places = Rows<Word>;
    for_each_site(box, [&](const Coord& x) {
        const SitePlace p = tiling().place(x);
        if (!has_parity(sites_, p.parity)) return;
        double s[24];
        Stored::get(static_cast<const Word*>(tiles_.host(p.parity, p.tile)) +
                        Places::offset(first_block(p.tile, rhs) + p.block, p.lane, Stored::rows),
                    Places::piece, s);
        f(x, s);
    });
}

void SpinorField::visit(const Box& box, const Visitor& f, int rhs) const
{
    if (is_fixed_point(precision_)) return visit_as<StoredInFixedPoint>(box, f, rhs);
    precision_ == Precision::f64 ? visit_as<StoredReals<double>>(box, f, rhs)
                                 : visit_as<StoredReals<float>>(box, f, rhs);
}

void SpinorField::visit(const Visitor& f, int rhs) const
{
    const HostAccess access(tiles_, STARPU_R);
    visit(graph_->owned_box(), f, rhs);
}

void SpinorField::visit_by_threads(const Visitor& f, int rhs) const
{
    const Box& box = graph_->owned_box();
    const HostAccess access(tiles_, STARPU_R);
#pragma omp parallel for collapse(2) schedule(static)
    for (int t = box.lower[3]; t < end_of(box, 3); ++t)
        for (int z = box.lower[2]; z < end_of(box, 2); ++z)
            visit({{box.lower[0], box.lower[1], z, t}, {box.extents[0], box.extents[1], 1, 1}}, f,
                  rhs);
}

void SpinorField::visit_in_turn(std::span<std::byte> state, const Visitor& f, int rhs) const
{
    Ranks& ranks = graph_->ranks();
    const HostAccess access(tiles_, STARPU_R);
    int before = -1; // the rank that has the state
    for (const auto& [rank, box] : graph_->runs()) {
        if (before >= 0 && before != rank) {
            if (before == ranks.rank()) ranks.send_bytes(state, rank);
            if (rank == ranks.rank()) ranks.receive_bytes(state, before);
        }
        if (rank == ranks.rank()) visit(box, f, rhs);
        before = rank;
    }
    ranks.broadcast(state, before);
}

void SpinorField::visit_on_first_rank(const Visitor& f, int rhs) const
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
        if (rank == 0 && ranks.rank() == 0) visit(box, call, rhs);
        if (rank == 0 || (rank != ranks.rank() && ranks.rank() != 0)) continue;
        const std::size_t sites = std::size_t(volume(box)) / 2 * parities(sites_).size();
        spinors.clear();
        if (rank == ranks.rank()) {
            visit(
                box,
                [&](const Coord&, const double* s) { spinors.insert(spinors.end(), s, s + 24); },
                rhs);
            ranks.send_bytes(std::as_bytes(std::span(spinors)), 0);
            continue;
        }
        spinors.resize(24 * sites);
        ranks.receive_bytes(std::as_writable_bytes(std::span(spinors)), rank);
        std::size_t at = 0;
        for_each_site(box, [&](const Coord& c) {
            if (has_parity(sites_, (c[0] + c[1] + c[2] + c[3]) % 2)) call(c, &spinors[24 * at++]);
        });
    }
    if (failure) std::rethrow_exception(failure);
}

std::uint64_t SpinorField::digest(int rhs) const
{
    SpinorDigest digest(int(word_bytes(precision_)));
    visit_in_turn(
        digest.state(), [&](const Coord&, const double* s) { digest.add_site(s); }, rhs);
    return digest.value();
}

double largest_real(LatticeGraph& graph, const SpinorSource& source)
{
    if (is_simulated) return 0;
    const std::vector<double> all = graph.ranks().all(largest_real(source, graph.owned_box()));
    const auto is_none = [](double x) { return std::isnan(x); };
    const auto none = std::find_if(all.begin(), all.end(), is_none);
    return none != all.end() ? *none : *std::max_element(all.begin(), all.end());
}

GaugeField::GaugeField(LatticeGraph& graph, Precision precision, GaugeSource& source,
                       bool antiperiodic, LinkStorage storage, CloverField* clover)
    : graph_(&graph), precision_(precision), storage_(storage), antiperiodic_(antiperiodic),
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
        for (int t = first; t < end && !is_simulated && worst.distance <= most_distance(precision);
             ++t) {
            source.read_slice(t, slice);
            if (clover) clover->slices().add_slice(t, slice);
            worst = precision == Precision::f64 ? put_slice<double>(graph, t, slice)
                                                : put_slice<float>(graph, t, slice);
        }
    }
    tiles_.make_constant();
    if (!(worst.distance <= most_distance(precision)))
        throw Error("links: in {} reals link {} at {},{},{},{} would be off by {:.1e}, "
                    "more than {}: it is not in SU(3), store it in 18",
                    reals(storage), worst.mu, worst.site[0], worst.site[1], worst.site[2],
                    worst.site[3], worst.distance, most_distance(precision));
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

GaugeField::GaugeField(const GaugeField& wide, Precision precision)
    : graph_(wide.graph_), precision_(precision), storage_(wide.storage_),
      antiperiodic_(wide.antiperiodic_),
      tiles_(
          *graph_, Sites::all,
          [&](int tile) { return link_bytes(graph_->tiling(), precision, storage_, tile); },
          word_bytes(precision), Contents::none)
{
    if (is_fixed_point(precision))
        narrow_to_16_bits(wide);
    else
        narrow_reals(*graph_, wide.tiles_, tiles_, Sites::all, 4, reals(storage_));
    tiles_.make_constant();
}

void GaugeField::narrow_to_16_bits(const GaugeField& wide)
{
    if (storage_ == LinkStorage::minimal) throw Error("links: of 8 reals are none in 16 bits");
    const double largest =
        narrow_to_words(*graph_, wide.tiles_, tiles_, Sites::all, 4, reals(storage_));
    if (!(largest <= fixed_point::most_of_link))
        throw Error("links: 16 bits hold numbers up to 1, a link has {}: iterations in "
                    "single precision hold it (--sloppy single)",
                    largest);
}

GaugeField::GaugeField(const GaugeField& whole, Precision precision, const Domains& domains)
    : graph_(whole.graph_), precision_(precision), storage_(whole.storage_),
      antiperiodic_(whole.antiperiodic_), domains_(domains),
      tiles_(
          *graph_, Sites::all,
          [&](int tile) { return link_bytes(graph_->tiling(), precision, storage_, tile); },
          real_bytes(precision), Contents::none)
{
    if (storage_ == LinkStorage::minimal)
        throw Error("domain: a link between domains is 0, which 8 reals cannot hold: store links "
                    "in 12 or 18");
    if (precision != whole.precision_)
        narrow_reals(*graph_, whole.tiles_, tiles_, Sites::all, 4, reals(storage_));
    else
        copy_tiles(*graph_, whole.tiles_, tiles_, [&](int tile) {
            return link_bytes(graph_->tiling(), precision, storage_, tile);
        });
    precision == Precision::f64 ? cut_links<double>() : cut_links<float>();
    tiles_.make_constant();
}

template <class Real>
void GaugeField::cut_links()
{
    using Places = Rows<Real>;
    const Tiling& tiling = graph_->tiling();
    const HostAccess access(tiles_, STARPU_RW);
    const int n = reals(storage_);
    for_each_site(graph_->owned_box(), [&](const Coord& x) {
        for (int mu = 0; mu < 4; ++mu) {
            if (!domains_->cuts(x, mu)) continue;
            const SitePlace p = tiling.place(x);
            const long block = long(mu) * tiling.shape(p.tile).blocks + p.block;
            Real* link = static_cast<Real*>(tiles_.host(p.parity, p.tile)) +
                         Places::offset(block, p.lane, n);
            for (int i = 0; i < n; ++i) link[i * Places::piece] = 0;
        }
    });
}

template <class Real>
GaugeField::Worst GaugeField::put_slice(const LatticeGraph& graph, int t,
                                        std::span<const double> links)
{
    const Tiling& tiling = graph.tiling();
    const Extents& l = tiling.lattice();
    const Box& box = graph.owned_box();
    using Places = Rows<Real>;
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
                    Real* stored = out + Places::offset(block, p.lane, n);
                    const links::Link link = links::load(in + 18 * mu);
                    double r[18];
                    links::compress(link, storage_, std::numeric_limits<Real>::epsilon() / 2, r);
                    for (int i = 0; i < n; ++i)
                        r[i] = stored[i * Places::piece] = Real((mu == 3 ? phase : 1) * r[i]);
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
