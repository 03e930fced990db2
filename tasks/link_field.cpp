#include "tasks/link_field.hpp"

#include "base/error.hpp"
#include "lattice/box.hpp"
#include "lattice/link.hpp"
#include "runtime/paused_workers.hpp"
#include "runtime/ranks.hpp"
#include "tasks/rows.hpp"

#include <fmt/format.h>

#include <exception>
#include <optional>
#include <set>
#include <utility>
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

int end_of(const Box& box, int mu) { return box.lower[mu] + box.extents[mu]; }

/// Calls f(links, reals in memory) of each link of a box of owned sites in a time slice; `links` is
/// where it is among those of the whole slice.
template <class Real, class F>
void for_each_link(const Tiling& tiling, const Box& box, Real* slice,
                   const std::array<std::unique_ptr<TileData>, 4>& tiles, const F& f)
{
    const Extents& l = tiling.lattice();
    const int t = box.lower[3];
#pragma omp parallel for collapse(2) schedule(static)
    for (int z = box.lower[2]; z < end_of(box, 2); ++z)
        for (int y = box.lower[1]; y < end_of(box, 1); ++y)
            for (int x = box.lower[0]; x < end_of(box, 0); ++x) {
                const SitePlace p = tiling.place({x, y, z, t});
                const std::size_t site = (std::size_t(z) * l[1] + y) * l[0] + x;
                for (int mu = 0; mu < 4; ++mu) {
                    double* stored = static_cast<double*>(tiles[mu]->host(p.parity, p.tile)) +
                                     Places::offset(p.block, p.lane, reals_per_link);
                    f(slice + site * reals_per_site + mu * reals_per_link, stored);
                }
            }
}

/// A HostAccess (host_access.hpp) to all directions: workers pause when all data have come.
class AccessToAll
{
public:
    AccessToAll(const LinkField& links, starpu_data_access_mode mode) : links_(links)
    {
        LatticeGraph& graph = links.graph();
        if (graph.ranks().several()) {
            graph.wait();
            graph.ranks().barrier();
        }
        for_each_piece([&](const Data& d) { graph.acquire(d, mode); });
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
                for (const int parity : {0, 1}) f(links_.at({tile, mu, parity}));
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

std::vector<LinkPiece> links_read(const Tiling& tiling, int tile, int mu, int parity)
{
    const int other = 1 - parity;
    const LinkPiece absent{-1, 0, 0};
    std::vector<int> across; // the directions besides mu
    for (int nu = 0; nu < 4; ++nu)
        if (nu != mu) across.push_back(nu);
    std::vector<LinkPiece> read;
    for (const int nu : across) read.push_back({tile, nu, parity});
    for (int nu = 0; nu < 4; ++nu) read.push_back({tile, nu, other});
    const auto add = [&](int from, bool cut, int direction, int of_parity) {
        read.push_back(cut ? LinkPiece{from, direction, of_parity} : absent);
    };
    const int ahead = tiling.neighbour(tile, mu, +1);
    for (const int nu : across) add(ahead, tiling.cut(mu), nu, parity);
    for (const int nu : across) add(ahead, tiling.cut(mu), nu, other);
    for (const int nu : across) add(tiling.neighbour(tile, nu, +1), tiling.cut(nu), mu, other);
    for (const int nu : across) add(tiling.neighbour(tile, nu, -1), tiling.cut(nu), nu, parity);
    for (const int nu : across) add(tiling.neighbour(tile, nu, -1), tiling.cut(nu), nu, other);
    for (const int nu : across) // of two tiles that behind is that ahead
        add(tiling.neighbour(tile, nu, -1), tiling.tiles()[nu] > 2, mu, other);
    for (const int nu : across)
        add(tiling.neighbour(ahead, nu, -1), tiling.cut(mu) && tiling.cut(nu), nu, parity);
    return read;
}

LinkField::LinkField(LatticeGraph& graph, GaugeSource& source)
    : graph_(graph), first_tag_(graph.ranks().tags(8L * graph.tiling().tile_count()))
{
    const Tiling& tiling = graph.tiling();
    require_equal_tiles(tiling);
    for (auto& of_mu : tiles_)
        of_mu = std::make_unique<TileData>(
            graph, Sites::all, [&](int tile) { return tile_bytes(tiling, tile); }, sizeof(double));
    for (const Message& m : messages_of(graph)) {
        messages_[std::size_t(m.piece.mu)][std::size_t(m.piece.parity)].push_back(m);
        if (!graph.owns(m.piece.tile))
            copies_.emplace(m.piece, std::make_unique<StarpuData>(
                                         graph, tile_bytes(tiling, m.piece.tile) / sizeof(double),
                                         sizeof(double), -1, m.piece.tile));
    }
    {
        const AccessToAll access(*this, STARPU_W);
        Box box = graph.owned_box();
        const int first = box.lower[3], count = box.extents[3];
        std::vector<double> slice(source.slice_reals());
        source.begin_slices(first, count);
        box.extents[3] = 1;
        for (int t = first; t < first + count; ++t) {
            source.read_slice(t, slice);
            box.lower[3] = t;
            for_each_link(tiling, box, slice.data(), tiles_,
                          [](const double* link, double* stored) {
                              for (std::size_t i = 0; i < reals_per_link; ++i)
                                  stored[i * Places::piece] = link[i];
                          });
        }
    }
    for_each_colour([&](int mu, int parity) { share(mu, parity); });
}

std::vector<LinkField::Message> LinkField::messages_of(const LatticeGraph& graph)
{
    if (!graph.ranks().several()) return {};
    const Tiling& tiling = graph.tiling();
    const int own = graph.ranks().rank();
    std::set<std::pair<LinkPiece, int>> all; // what goes where
    for (int tile = 0; tile < tiling.tile_count(); ++tile)
        for_each_colour([&](int mu, int parity) {
            const int reader = graph.rank_of_tile(tile);
            for (const LinkPiece& p : links_read(tiling, tile, mu, parity))
                if (p.tile >= 0 && graph.rank_of_tile(p.tile) != reader) all.insert({p, reader});
        });
    std::vector<Message> messages;
    for (const auto& [piece, reader] : all)
        if (const int writer = graph.rank_of_tile(piece.tile); writer == own || reader == own)
            messages.push_back({piece, writer, reader});
    return messages;
}

void LinkField::share(int mu, int parity) const
{
    const std::vector<Message>& of_colour = messages_[std::size_t(mu)][std::size_t(parity)];
    const int own = graph_.ranks().rank();
    for (const Message& m : of_colour)
        if (m.from == own) graph_.send(at(m.piece), m.to, tag(m.piece), "links");
    for (const Message& m : of_colour)
        if (m.to == own) graph_.receive(at(m.piece), m.from, tag(m.piece), "links");
}

void LinkField::visit_slices(const std::function<void(int, std::span<const double>)>& f) const
{
    const Tiling& tiling = graph_.tiling();
    Ranks& ranks = graph_.ranks();
    const AccessToAll access(*this, STARPU_R);
    const Extents& l = tiling.lattice();
    std::vector<double> slice(std::size_t(volume(l) / l[3]) * reals_per_site);
    std::exception_ptr failure; // of f: other ranks send all that they have, whatever happens here
    const std::vector<LatticeGraph::Run> runs = graph_.runs();
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto& [rank, box] = runs[i];
        if (rank != ranks.rank() && !ranks.speaks()) continue;
        const std::size_t first =
            (std::size_t(box.lower[2]) * l[1] + box.lower[1]) * l[0] + box.lower[0];
        const std::span<double> of_run(slice.data() + first * reals_per_site,
                                       std::size_t(volume(box)) * reals_per_site);
        if (rank == ranks.rank())
            for_each_link(tiling, box, slice.data(), tiles_,
                          [](double* link, const double* stored) {
                              for (std::size_t j = 0; j < reals_per_link; ++j)
                                  link[j] = stored[j * Places::piece];
                          });
        if (!ranks.speaks()) {
            ranks.send_bytes(std::as_bytes(of_run), 0);
            continue;
        }
        if (rank != ranks.rank()) ranks.receive_bytes(std::as_writable_bytes(of_run), rank);
        const int t = box.lower[3];
        if (i + 1 < runs.size() && runs[i + 1].box.lower[3] == t) continue;
        try {
            if (!failure) f(t, slice);
        } catch (...) {
            failure = std::current_exception();
        }
    }
    if (failure) std::rethrow_exception(failure);
}

std::size_t LinkField::bytes(const LatticeGraph& graph)
{
    const Tiling& tiling = graph.tiling();
    std::size_t sum = 0;
    for (const int tile : graph.owned_tiles()) sum += 8 * tile_bytes(tiling, tile);
    for (const Message& m : messages_of(graph))
        if (!graph.owns(m.piece.tile)) sum += tile_bytes(tiling, m.piece.tile);
    return sum;
}

} // namespace qcd
