#include "tasks/link_updates.hpp"

#include "codelets/gauge/link_heatbath/link_heatbath.hpp"
#include "codelets/gauge/link_overrelax/link_overrelax.hpp"
#include "codelets/gauge/link_reunitarize/link_reunitarize.hpp"
#include "runtime/opencl_program.hpp"
#include "runtime/ranks.hpp"

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

LinkUpdates::LinkUpdates(LinkField& links, const UpdateRule& rule) : links_(links), rule_(rule)
{
    LatticeGraph& graph = links.graph();
    for (const int tile : graph.owned_tiles())
        counts_.emplace(tile, std::make_unique<HostData>(graph, 1, sizeof(link_counts),
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
            std::vector<Operand> operands{links_.at({tile, mu, parity})};
            for (const LinkPiece& p : links_read(graph.tiling(), tile, mu, parity))
                operands.push_back(p.tile < 0 ? Data{} : links_.at(p));
            submit(tile, link_args_of(graph.tiling(), tile, mu, parity), std::move(operands));
        });
        links_.share(mu, parity);
    });
}

void LinkUpdates::heatbath(std::uint32_t n)
{
    for_each_update([&](int tile, link_update_args a, std::vector<Operand> operands) {
        set_heatbath(a, rule_, n);
        operands.push_back(counts_.at(tile)->data());
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
                         {links_.at({tile, mu, parity})});
        });
        links_.share(mu, parity);
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
    Graph& graph = links_.graph();
    link_counts own{}, all{};
    const auto add = [](link_counts& sum, const link_counts& c) {
        sum.drawn += c.drawn;
        sum.trials += c.trials;
        sum.exhausted += c.exhausted;
    };
    for (const auto& [tile, counts] : counts_) {
        graph.acquire(counts->data(), STARPU_R);
        add(own, *static_cast<const link_counts*>(counts->host()));
        graph.release(counts->data());
    }
    for (const link_counts& of_rank : graph.ranks().all(own)) add(all, of_rank);
    return all;
}

} // namespace qcd
