#include "tasks/field.hpp"

#include "codelets/chiral_scale/chiral_scale.hpp"
#include "codelets/hopping/hopping.hpp"
#include "lattice/error.hpp"
#include "lattice/spinor_digest.hpp"
#include "runtime/opencl_program.hpp"
#include "tasks/host_access.hpp"

#include <fmt/format.h>

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

/// Of links, which are read slice by slice: a file that is bad shows before it has taken the
/// memory of all. Lanes that stay empty hold 0.
Contents first_contents(const Tiling& t)
{
    return 2 * t.padded_sites() == volume(t.lattice()) ? Contents::none : Contents::zeros;
}

/// Offset of a lane in row 0 of a block, and the distance of rows, for stored reals.
template <class Real>
struct Rows {
    explicit Rows(const Graph& graph) : piece(graph.plan().row_bytes / int(sizeof(Real))) {}
    const int piece;
    std::size_t offset(long block, int lane, int rows) const
    {
        return std::size_t(block) * rows * QCD_LANES + std::size_t(lane / piece) * piece * rows +
               lane % piece;
    }
};

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
    const Extents& l = tiling().lattice();
    const Rows<Real> rows(*graph_);
#pragma omp parallel for collapse(2) schedule(static)
    for (int t = 0; t < l[3]; ++t)
        for (int z = 0; z < l[2]; ++z)
            for (int y = 0; y < l[1]; ++y)
                for (int x = 0; x < l[0]; ++x) {
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
void SpinorField::visit_plane(int t, int z, const Visitor& f) const
{
    const Extents& l = tiling().lattice();
    const Rows<Real> rows(*graph_);
    for (int y = 0; y < l[1]; ++y)
        for (int x = 0; x < l[0]; ++x) {
            const SitePlace p = tiling().place({x, y, z, t});
            if (!has_parity(sites_, p.parity)) continue;
            const Real* in = static_cast<const Real*>(tiles_.host(p.parity, p.tile)) +
                             rows.offset(p.block, p.lane, QCD_SPINOR_ROWS);
            double s[24];
            for (int r = 0; r < QCD_SPINOR_ROWS; ++r) s[r] = in[r * rows.piece];
            f({x, y, z, t}, s);
        }
}

void SpinorField::visit_stored_plane(int t, int z, const Visitor& f) const
{
    precision_ == Precision::f64 ? visit_plane<double>(t, z, f) : visit_plane<float>(t, z, f);
}

void SpinorField::visit(const Visitor& f) const
{
    const Extents& l = tiling().lattice();
    const HostAccess access(tiles_, STARPU_R);
    for (int t = 0; t < l[3]; ++t)
        for (int z = 0; z < l[2]; ++z) visit_stored_plane(t, z, f);
}

void SpinorField::visit_by_threads(const Visitor& f) const
{
    const Extents& l = tiling().lattice();
    const HostAccess access(tiles_, STARPU_R);
#pragma omp parallel for collapse(2) schedule(static)
    for (int t = 0; t < l[3]; ++t)
        for (int z = 0; z < l[2]; ++z) visit_stored_plane(t, z, f);
}

std::uint64_t SpinorField::digest() const
{
    SpinorDigest digest(int(real_bytes(precision_)));
    visit([&](const Coord&, const double* s) { digest.add_site(s); });
    return digest.value();
}

GaugeField::GaugeField(LatticeGraph& graph, Precision precision, GaugeSource& source,
                       bool antiperiodic, LinkStorage storage)
    : storage_(storage), antiperiodic_(antiperiodic),
      tiles_(
          graph, Sites::all,
          [&](int tile) { return link_bytes(graph.tiling(), precision, storage, tile); },
          real_bytes(precision), first_contents(graph.tiling()))
{
    const Extents& l = graph.tiling().lattice();
    std::vector<double> slice(std::size_t(72) * l[0] * l[1] * l[2]);
    Worst worst;
    {
        const HostAccess access(tiles_, STARPU_W);
        for (int t = 0; t < l[3] && worst.distance <= most_distance(precision); ++t) {
            source.read_slice(t, slice);
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
}

template <class Real>
GaugeField::Worst GaugeField::put_slice(const LatticeGraph& graph, int t,
                                        std::span<const double> links)
{
    const Tiling& tiling = graph.tiling();
    const Extents& l = tiling.lattice();
    const Rows<Real> rows(graph);
    const int n = reals(storage_);
    const double phase = antiperiodic_ && storage_ == LinkStorage::full && t == l[3] - 1 ? -1 : 1;
    Worst worst;
#pragma omp parallel for schedule(static)
    for (int z = 0; z < l[2]; ++z) {
        Worst mine;
        for (int y = 0; y < l[1]; ++y)
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
