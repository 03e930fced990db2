#include "tasks/link_field.hpp"

#include "base/error.hpp"
#include "lattice/box.hpp"
#include "lattice/link.hpp"
#include "runtime/paused_workers.hpp"
#include "tasks/rows.hpp"

#include <fmt/format.h>

#include <optional>
#include <vector>

namespace qcd
{

namespace
{

using links::reals_per_link;
using links::reals_per_site;
using Places = Rows<double>;

std::size_t tile_bytes(const Tiling& t, int tile)
{
    return std::size_t(t.padded_sites(tile)) * reals_per_link * sizeof(double);
}

/// Calls f(links, reals in memory) of each link of a time slice, `links` being where it is there.
template <class Slice, class F>
void for_each_link(const Tiling& tiling, int t, Slice* slice,
                   const std::array<std::unique_ptr<TileData>, 4>& tiles, const F& f)
{
    const Extents& l = tiling.lattice();
#pragma omp parallel for schedule(static)
    for (int z = 0; z < l[2]; ++z)
        for (int y = 0; y < l[1]; ++y)
            for (int x = 0; x < l[0]; ++x) {
                const SitePlace p = tiling.place({x, y, z, t});
                const std::size_t site = (std::size_t(z) * l[1] + y) * l[0] + x;
                for (int mu = 0; mu < 4; ++mu) {
                    double* stored = static_cast<double*>(tiles[mu]->host(p.parity, p.tile)) +
                                     Places::offset(p.block, p.lane, reals_per_link);
                    f(slice + site * reals_per_site + mu * reals_per_link, stored);
                }
            }
}

/// As HostAccess (host_access.hpp) of all directions: workers pause when all data have come.
class AccessToAll
{
public:
    AccessToAll(const LinkField& links, starpu_data_access_mode mode) : links_(links)
    {
        for_each_piece([&](const Data& d) { links_.graph().acquire(d, mode); });
        paused_.emplace();
    }
    ~AccessToAll()
    {
        for_each_piece([&](const Data& d) { links_.graph().release(d); });
    }
    AccessToAll(const AccessToAll&) = delete;
    AccessToAll& operator=(const AccessToAll&) = delete;

private:
    template <class F>
    void for_each_piece(const F& f) const
    {
        for (const int tile : links_.graph().owned_tiles())
            for (int mu = 0; mu < 4; ++mu)
                for (const int parity : {0, 1}) f(links_.at(mu, parity, tile));
    }
    const LinkField& links_;
    std::optional<PausedWorkers> paused_;
};

} // namespace

void require_equal_tiles(const Tiling& tiling)
{
    for (int mu = 0; mu < 4; ++mu)
        for (const int thickness : tiling.thickness()[mu])
            if (thickness != tiling.thickness()[mu].front())
                throw Error(
                    fmt::format("tiles: {} tiles of {} in direction {} are not equally thick, "
                                "which updates of links need: choose a number that divides {}",
                                tiling.tiles()[mu], to_string(tiling.lattice()), "xyzt"[mu],
                                tiling.lattice()[mu] / tile_granularity));
}

LinkField::LinkField(LatticeGraph& graph, GaugeSource& source) : graph_(graph)
{
    const Tiling& tiling = graph.tiling();
    require_equal_tiles(tiling);
    for (auto& of_mu : tiles_)
        of_mu = std::make_unique<TileData>(
            graph, Sites::all, [&](int tile) { return tile_bytes(tiling, tile); }, sizeof(double));
    const AccessToAll access(*this, STARPU_W);
    const int lt = tiling.lattice()[3];
    std::vector<double> slice(source.slice_reals());
    source.begin_slices(0, lt);
    for (int t = 0; t < lt; ++t) {
        source.read_slice(t, slice);
        for_each_link(tiling, t, slice.data(), tiles_, [](const double* link, double* stored) {
            for (std::size_t i = 0; i < reals_per_link; ++i) stored[i * Places::piece] = link[i];
        });
    }
}

void LinkField::visit_slices(const std::function<void(int, std::span<const double>)>& f) const
{
    const Tiling& tiling = graph_.tiling();
    const AccessToAll access(*this, STARPU_R);
    std::vector<double> slice(std::size_t(volume(tiling.lattice()) / tiling.lattice()[3]) *
                              reals_per_site);
    for (int t = 0; t < tiling.lattice()[3]; ++t) {
        for_each_link(tiling, t, slice.data(), tiles_, [](double* link, const double* stored) {
            for (std::size_t i = 0; i < reals_per_link; ++i) link[i] = stored[i * Places::piece];
        });
        f(t, slice);
    }
}

std::size_t LinkField::bytes(const Tiling& t)
{
    return std::size_t(t.padded_sites()) * 8 * reals_per_link * sizeof(double);
}

} // namespace qcd
