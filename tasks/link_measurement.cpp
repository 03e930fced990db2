#include "tasks/link_measurement.hpp"

#include "codelets/gauge/link_plaquettes/link_plaquettes.hpp"
#include "codelets/gauge/polyakov_lines/polyakov_lines.hpp"
#include "runtime/opencl_program.hpp"
#include "runtime/ranks.hpp"

namespace qcd
{

namespace
{

constexpr int mu_t = 3;

/// Tiles that differ in t alone.
int columns(const Tiling& t) { return t.tile_count() / t.tiles()[mu_t]; }
int column_of(const Tiling& t, int tile)
{
    const Coord at = t.place_of(tile);
    return (at[2] * t.tiles()[1] + at[1]) * t.tiles()[0] + at[0];
}

int line_blocks(const Tiling& t, int tile)
{
    const Extents& e = t.extents(tile);
    return (e[0] * e[1] * e[2] + QCD_LANES - 1) / QCD_LANES;
}

} // namespace

LinkMeasurement::LinkMeasurement(LinkField& links)
    : links_(links), graph_(links.graph()), plaquettes_(graph_, Sites::all),
      traces_(graph_, Sites::even), lines_(std::size_t(columns(graph_.tiling()))),
      first_tag_(graph_.ranks().tags(columns(graph_.tiling())))
{
    const Tiling& tiling = graph_.tiling();
    for (const int tile : graph_.owned_tiles())
        if (auto& lines = lines_[std::size_t(column_of(tiling, tile))]; !lines)
            lines = std::make_unique<HostData>(
                graph_, std::size_t(line_blocks(tiling, tile)) * QCD_LANES * links::reals_per_link,
                sizeof(double), graph_.owner_of_tile(tile), tile);
    opencl_prepare(link_plaquettes_codelet());
}

void LinkMeasurement::submit_plaquettes()
{
    const Tiling& tiling = graph_.tiling();
    graph_.sweep([&](int tile) {
        for (const int parity : {0, 1}) {
            std::vector<Operand> operands;
            for (const int of : {parity, 1 - parity})
                for (int mu = 0; mu < 4; ++mu) operands.push_back(links_.at({tile, mu, of}));
            for (int mu = 0; mu < 4; ++mu)
                for (int nu = 0; nu < 4; ++nu)
                    if (nu != mu)
                        operands.push_back(
                            tiling.cut(mu)
                                ? links_.at({tiling.neighbour(tile, mu, +1), nu, 1 - parity})
                                : Data{});
            operands.push_back(plaquettes_.part(parity, tile));
            const tile_shape& g = tiling.shape(tile);
            graph_.submit(link_plaquettes_codelet(), link_plaquettes_args{g.blocks, g, parity},
                          operands);
        }
    });
}

/// Tile after tile upwards in t: from rank to rank, too.
void LinkMeasurement::submit_lines()
{
    const Tiling& tiling = graph_.tiling();
    for (const int tile : graph_.owned_tiles()) { // ascending in t
        const Coord at = tiling.place_of(tile);
        const int column = column_of(tiling, tile);
        const Data lines = lines_[std::size_t(column)]->data();
        polyakov_lines_args a{};
        a.blocks = line_blocks(tiling, tile);
        a.shape = tiling.shape(tile);
        for (int mu = 0; mu < 4; ++mu) a.extents[mu] = tiling.extents(tile)[mu];
        a.begins = at[mu_t] == 0;
        a.ends = at[mu_t] == tiling.tiles()[mu_t] - 1;
        const int below = tiling.neighbour(tile, mu_t, -1),
                  above = tiling.neighbour(tile, mu_t, +1);
        if (!a.begins && !graph_.owns(below))
            graph_.receive(lines, graph_.rank_of_tile(below), tag(column), "lines");
        graph_.submit(polyakov_lines_codelet(), a,
                      {lines, links_.at({tile, mu_t, 0}), links_.at({tile, mu_t, 1}),
                       a.ends ? Operand(traces_.part(0, tile)) : Operand{}});
        if (!a.ends && !graph_.owns(above))
            graph_.send(lines, graph_.rank_of_tile(above), tag(column), "lines");
    }
}

LinkAverages LinkMeasurement::measure()
{
    submit_plaquettes();
    submit_lines();
    const Extents& l = graph_.tiling().lattice();
    const double planes = 9 * double(volume(l)), lines = 3 * double(volume(l)) / l[mu_t];
    const auto plaquettes = plaquettes_.wait(), traces = traces_.wait();
    return {.plaquette_space = plaquettes[0] / planes,
            .plaquette_time = plaquettes[1] / planes,
            .polyakov = {traces[0] / lines, traces[1] / lines}};
}

} // namespace qcd
