#include "tasks/ladder_fields.hpp"

#include "base/error.hpp"
#include "codelets/ladder/links.h"
#include "lattice/box.hpp"

#include <limits>

namespace qcd
{

namespace
{

constexpr int links_of_site = QCD_LADDER_LINK_ELEMENTS;

/// Memory of some tiles on the host for as long as this lives.
template <class Real>
class HostTiles
{
public:
    HostTiles(const LadderLattice& lattice, const std::vector<std::unique_ptr<StarpuData>>& tiles,
              starpu_data_access_mode mode)
        : lattice_(lattice), tiles_(tiles)
    {
        for (const auto& tile : tiles_) lattice_.graph().acquire(tile->data(), mode);
    }
    ~HostTiles()
    {
        for (const auto& tile : tiles_) lattice_.graph().release(tile->data());
    }
    HostTiles(const HostTiles&) = delete;
    HostTiles& operator=(const HostTiles&) = delete;
    Real* of(int tile) const
    {
        return reinterpret_cast<Real*>(starpu_vector_get_local_ptr(tiles_[tile]->data().handle));
    }

private:
    const LadderLattice& lattice_;
    const std::vector<std::unique_ptr<StarpuData>>& tiles_;
};

/// Place of an element in psi[colour][spin] and in [spin][colour].
struct Element {
    int ladder, usual;
};
constexpr Element element(int c, int s) { return {4 * c + s, 3 * s + c}; }

template <class Real, class F>
void visit_elements(Real* spinor, double* usual, const F& f)
{
    for (int c = 0; c < 3; ++c)
        for (int s = 0; s < 4; ++s)
            for (int part = 0; part < 2; ++part)
                f(spinor[2 * element(c, s).ladder + part], usual[2 * element(c, s).usual + part]);
}

/// Stores U_mu(x) for the neighbour ahead of x, and its adjoint for that behind x + mu.
template <class Real>
class LinkWriter
{
public:
    LinkWriter(const LadderLattice& lattice, const HostTiles<Real>& tiles, int switches)
        : lattice_(lattice), tiles_(tiles), switches_(switches)
    {
    }
    void store(std::size_t x, std::size_t x_plus_mu, int d, const double* u, double sign) const
    {
        const Matrix ahead = matrix(x, d), behind = matrix(x_plus_mu, d + 4);
        for (int row = 0; row < 3; ++row)
            for (int col = 0; col < 3; ++col) {
                const double* z = u + 2 * (3 * row + col);
                put(ahead, row, col, sign * z[0], sign * z[1]);
                put(behind, col, row, sign * z[0], -sign * z[1]);
            }
    }

private:
    struct Matrix { // of a direction at a site
        Real* tile;
        int sites, site, d;
    };
    Matrix matrix(std::size_t s, int d) const
    {
        const auto [tile, site] = lattice_.place(s);
        return {tiles_.of(tile), lattice_.shape(tile).sites, int(site), d};
    }
    void put(const Matrix& m, int row, int col, double re, double im) const
    {
        Real* z = m.tile + 2 * ladder_link_place(switches_, m.sites, m.site, m.d, row, col);
        z[0] = Real(re);
        z[1] = Real(im);
    }
    const LadderLattice& lattice_;
    const HostTiles<Real>& tiles_;
    int switches_;
};

template <class Real>
void read_links(const LadderLattice& lattice, const std::vector<std::unique_ptr<StarpuData>>& data,
                int switches, GaugeSource& source, bool antiperiodic)
{
    const Extents& l = lattice.extents();
    const HostTiles<Real> tiles(lattice, data, STARPU_W);
    const LinkWriter<Real> writer(lattice, tiles, switches);
    std::vector<double> slice(source.slice_reals());
    const std::size_t stride[] = {1, std::size_t(l[0]), std::size_t(l[0]) * l[1],
                                  std::size_t(l[0]) * l[1] * l[2]};
    std::size_t s = 0;
    for_each_site(l, [&](const Coord& x) {
        const std::size_t in_slice = s % stride[3];
        if (in_slice == 0) source.read_slice(x[3], slice);
        for (int mu = 0; mu < 4; ++mu) {
            const bool wraps = x[mu] + 1 == l[mu];
            const std::size_t ahead = wraps ? s - x[mu] * stride[mu] : s + stride[mu];
            writer.store(s, ahead, (mu + 1) % 4, slice.data() + (4 * in_slice + mu) * 18,
                         wraps && mu == 3 && antiperiodic ? -1 : 1);
        }
        ++s;
    });
}

std::vector<int> all(int extent) { return {extent}; }

} // namespace

LadderLattice::LadderLattice(Graph& graph, const Extents& lattice, const std::vector<int>& slabs)
    : graph_(&graph),
      slabs_(lattice, Grid<4>::Thickness{all(lattice[0]), all(lattice[1]), all(lattice[2]), slabs})
{
    if (graph.plan().kind == PlanKind::batch || graph.plan().kind == PlanKind::linked)
        throw Error("ladder: versions run by plan graph, pinned or replay, not {}",
                    to_string(graph.plan().kind));
    for (int tile = 0; tile < tiles(); ++tile)
        if (slabs_.cells(tile) > std::numeric_limits<int>::max() / (2 * links_of_site))
            throw Error("tiles: a slab of {} time slices of {} has more links than "
                        "the ladder's kernels can number: cut it into more (--tiles)",
                        slabs_.extents(tile)[3], to_string(lattice));
}

ladder_shape LadderLattice::shape(int tile) const
{
    const auto e = slabs_.extents(tile);
    const int slice = e[0] * e[1] * e[2];
    return {e[0], e[1], e[2], e[3], slice, slice * e[3], cut()};
}

LadderLattice::Place LadderLattice::place(std::size_t s) const
{
    const Extents& l = extents();
    const std::size_t slice = std::size_t(l[0]) * l[1] * l[2];
    const int tile = slabs_.part_of({0, 0, 0, int(s / slice)});
    return {tile, s - slice * slabs_.origin(tile)[3]};
}

std::unique_ptr<StarpuData> LadderLattice::complex_data(int tile, std::size_t count,
                                                        Precision p) const
{
    return std::make_unique<StarpuData>(*graph_, 2 * count, real_bytes(p),
                                        graph_->owner(tile, tiles()), tile);
}

LadderField::LadderField(const LadderLattice& lattice, Precision precision)
    : lattice_(&lattice), precision_(precision)
{
    for (int tile = 0; tile < lattice.tiles(); ++tile)
        tiles_.push_back(lattice.complex_data(
            tile, std::size_t(QCD_LADDER_ELEMENTS) * lattice.shape(tile).sites, precision));
}

std::size_t LadderField::bytes(const Extents& l, Precision p)
{
    return std::size_t(volume(l)) * 2 * QCD_LADDER_ELEMENTS * real_bytes(p);
}

void LadderField::fill(const SpinorSource& source)
{
    const auto fill_as = [&]<class Real>(Real) {
        const HostTiles<Real> tiles(*lattice_, tiles_, STARPU_W);
        std::size_t s = 0;
        for_each_site(lattice_->extents(), [&](const Coord& x) {
            double usual[24];
            source.site(x, usual);
            const auto [tile, site] = lattice_->place(s++);
            visit_elements(tiles.of(tile) + 24 * site, usual,
                           [](Real& in_tile, double value) { in_tile = Real(value); });
        });
    };
    precision_ == Precision::f64 ? fill_as(double()) : fill_as(float());
}

void LadderField::visit(const std::function<void(const Coord&, const double*)>& f) const
{
    const auto visit_as = [&]<class Real>(Real) {
        const HostTiles<Real> tiles(*lattice_, tiles_, STARPU_R);
        std::size_t s = 0;
        for_each_site(lattice_->extents(), [&](const Coord& x) {
            double usual[24];
            const auto [tile, site] = lattice_->place(s++);
            visit_elements(tiles.of(tile) + 24 * site, usual,
                           [](Real in_tile, double& value) { value = in_tile; });
            f(x, usual);
        });
    };
    precision_ == Precision::f64 ? visit_as(double()) : visit_as(float());
}

LadderLinks::LadderLinks(const LadderLattice& lattice, Precision precision, int switches,
                         GaugeSource& source, bool antiperiodic)
{
    if (source.extents() != lattice.extents())
        throw Error("gauge: {} has {} sites, the lattice is {}", source.description(),
                    to_string(source.extents()), to_string(lattice.extents()));
    for (int tile = 0; tile < lattice.tiles(); ++tile)
        tiles_.push_back(lattice.complex_data(
            tile, std::size_t(links_of_site) * lattice.shape(tile).sites, precision));
    precision == Precision::f64
        ? read_links<double>(lattice, tiles_, switches, source, antiperiodic)
        : read_links<float>(lattice, tiles_, switches, source, antiperiodic);
    for (const auto& tile : tiles_) lattice.graph().make_constant(tile->data());
}

std::size_t LadderLinks::bytes(const Extents& l, Precision p)
{
    return std::size_t(volume(l)) * 2 * links_of_site * real_bytes(p);
}

LadderScalar::LadderScalar(Graph& graph)
    : value_(std::make_unique<HostData>(graph, 2, sizeof(double), graph.owner(0, 1)))
{
}

ladder_sum LadderScalar::wait() const
{
    Graph& graph = value_->graph();
    graph.acquire(data(), STARPU_R);
    const ladder_sum value = *static_cast<const ladder_sum*>(value_->host());
    graph.release(data());
    return value;
}

} // namespace qcd
