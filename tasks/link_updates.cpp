#include "tasks/link_updates.hpp"

#include "codelets/gauge/link_heatbath/link_heatbath.hpp"
#include "codelets/gauge/link_overrelax/link_overrelax.hpp"
#include "codelets/gauge/link_reunitarize/link_reunitarize.hpp"
#include "runtime/opencl_program.hpp"

namespace qcd
{

link_update_args link_args_of(const Tiling& tiling, int tile, int mu, int parity)
{
    const tile_shape& g = tiling.shape(tile);
    const Coord origin = tiling.origin(tile);
    link_update_args a{};
    a.blocks = g.blocks;
    a.shape = g;
    a.mu = mu;
    a.parity = parity;
    unsigned sites = 1; // from one value of the coordinate to the next
    for (int nu = 0; nu < 4; ++nu) {
        const unsigned of_place = nu == 0 ? 2 : sites; // a column is two sites
        a.site += unsigned(origin[nu]) * sites;
        a.stride[nu] = of_place;
        // The bits of a part's number stand backwards in those of its lanes (shape.h).
        for (int bit = 0, of_part = g.mask[nu] >> g.bit[nu]; of_part >> bit & 1; ++bit) {
            int parts = 1; // that this bit of the lane counts
            for (int other = bit + 1; of_part >> other & 1; ++other) parts *= 2;
            a.lane_site[g.bit[nu] + bit] = of_place * unsigned(parts * g.m[nu]);
        }
        sites *= unsigned(tiling.lattice()[nu]);
    }
    return a;
}

void set_heatbath(link_update_args& a, const UpdateRule& rule, std::uint32_t sweep)
{
    a.weight = 2 * rule.beta / 3;
    a.seed[0] = unsigned(rule.seed);
    a.seed[1] = unsigned(rule.seed >> 32);
    a.sweep = sweep;
}

std::vector<LinksRead> links_read(const Tiling& tiling, int tile, int mu, int parity)
{
    const int other = 1 - parity;
    const LinksRead absent{-1, 0, 0};
    std::vector<int> across; // the directions besides mu
    for (int nu = 0; nu < 4; ++nu)
        if (nu != mu) across.push_back(nu);
    std::vector<LinksRead> read;
    for (const int nu : across) read.push_back({tile, nu, parity});
    for (int nu = 0; nu < 4; ++nu) read.push_back({tile, nu, other});
    const auto add = [&](int from, bool cut, int direction, int of_parity) {
        read.push_back(cut ? LinksRead{from, direction, of_parity} : absent);
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

LinkUpdates::LinkUpdates(LinkField& links, const UpdateRule& rule) : links_(links), rule_(rule)
{
    LatticeGraph& graph = links.graph();
    for (const int tile : graph.owned_tiles())
        counts_.push_back(std::make_unique<HostData>(graph, 1, sizeof(link_counts),
                                                     graph.owner_of_tile(tile), tile));
    opencl_prepare(link_heatbath_codelet());
}

/// submit(tile, arguments, operands without counts) for each update.
template <class Submit>
void LinkUpdates::for_each_update(const Submit& submit)
{
    LatticeGraph& graph = links_.graph();
    for_each_colour([&](int mu, int parity) {
        graph.sweep([&](int tile) {
            std::vector<Operand> operands{links_.at(mu, parity, tile)};
            for (const LinksRead& r : links_read(graph.tiling(), tile, mu, parity))
                operands.push_back(r.tile < 0 ? Data{} : links_.at(r.mu, r.parity, r.tile));
            submit(tile, link_args_of(graph.tiling(), tile, mu, parity), std::move(operands));
        });
    });
}

void LinkUpdates::heatbath(std::uint32_t n)
{
    for_each_update([&](int tile, link_update_args a, std::vector<Operand> operands) {
        set_heatbath(a, rule_, n);
        operands.push_back(counts_[std::size_t(tile)]->data());
        links_.graph().submit(link_heatbath_codelet(), a, operands);
    });
}

void LinkUpdates::overrelax()
{
    for_each_update([&](int, const link_update_args& a, const std::vector<Operand>& operands) {
        links_.graph().submit(link_overrelax_codelet(), a, operands);
    });
}

void LinkUpdates::reunitarize()
{
    LatticeGraph& graph = links_.graph();
    for_each_colour([&](int mu, int parity) {
        graph.sweep([&](int tile) {
            graph.submit(link_reunitarize_codelet(),
                         link_reunitarize_args{graph.tiling().shape(tile).blocks},
                         {links_.at(mu, parity, tile)});
        });
    });
}

void LinkUpdates::sweep(std::uint32_t n)
{
    const Graph::Iteration mark(links_.graph(), int(n));
    heatbath(n);
    for (int i = 0; i < rule_.overrelaxations; ++i) overrelax();
    if (n % std::uint32_t(rule_.reunitarize) == 0) reunitarize();
}

link_counts LinkUpdates::counts()
{
    link_counts all{};
    for (const auto& of_tile : counts_) {
        Graph& graph = of_tile->graph();
        graph.acquire(of_tile->data(), STARPU_R);
        const auto& c = *static_cast<const link_counts*>(of_tile->host());
        all.drawn += c.drawn;
        all.trials += c.trials;
        all.exhausted += c.exhausted;
        graph.release(of_tile->data());
    }
    return all;
}

} // namespace qcd
