#include "codelets/hopping/hopping.hpp"
#include "codelets/pack_faces/pack_faces.hpp"
#include "runtime/owned_data.hpp"
#include "tasks/exchange.hpp"
#include "tasks/face_bytes.hpp"
#include "tasks/scalars.hpp"
#include "tasks/wilson.hpp"

namespace qcd
{

namespace
{

/// Memory is StarPU's, where the tasks run.
class StarpuHalo : public Halo
{
public:
    StarpuHalo(LatticeGraph& graph, Precision precision) : Halo(graph), precision_(precision)
    {
        const Tiling& tiling = graph.tiling();
        for (const int tile : graph.owned_tiles())
            for (int face = 0; face < Tiling::faces; ++face) {
                if (!tiling.cut(face / 2)) continue;
                make(graph, tile, face, tile);
                if (const int sender = tiling.sender(tile, face); !graph.owns(sender))
                    make(graph, sender, face, tile);
            }
    }

private:
    /// Of `tile`, where `user` has its data.
    void make(LatticeGraph& graph, int tile, int face, int user)
    {
        faces_.push_back(std::make_unique<StarpuData>(
            graph,
            graph.rhs() * face_bytes(graph.tiling(), precision_, tile, face / 2) /
                math_bytes(precision_),
            math_bytes(precision_), graph.owner_of_tile(user), user));
        data_[Tiling::faces * tile + face] = faces_.back()->data();
    }

    Precision precision_;
    std::vector<std::unique_ptr<StarpuData>> faces_;
};

/// StarPU moves what tasks of other tiles read, and orders the tasks by it.
class StarpuExchange : public Exchange
{
public:
    explicit StarpuExchange(LatticeGraph& graph) : Exchange(graph) {}

    std::unique_ptr<Halo> make_halo(Precision p) override
    {
        return std::make_unique<StarpuHalo>(graph_, p);
    }

    void hop(const Wilson& wilson, const Hop& hop, const Halo& halo, long) override
    {
        for (const int tile : graph_.owned_tiles())
            graph_.submit(pack_faces_codelet(wilson.arithmetic(), wilson.links()),
                          wilson.packing_args(hop, tile), wilson.packing_slots(hop, tile, halo));
        if (graph_.owned_tiles().size() < std::size_t(graph_.tiling().tile_count()))
            exchange_with_ranks(halo);
        graph_.sweep([&](int tile) {
            graph_.submit(hopping_codelet(wilson.arithmetic(), wilson.links()),
                          wilson.hop_args(hop, tile), wilson.hop_slots(hop, tile, &halo));
        });
    }

    std::vector<int> owners_of_scalars() const override { return {graph_.owner_of_scalars()}; }

    void scalars(const ScalarStep& step) override
    {
        std::vector<Operand> slots = scalar_slots(step, 0);
        for (const LatticeSums* sums : {step.a, step.b}) {
            if (sums) sums->merge();
            slots.push_back(sums ? sums->total() : Data{});
        }
        graph_.submit(step.codelets.alone, step.args, slots);
    }

private:
    /// Faces of owned tiles that others need, and the other way round.
    void exchange_with_ranks(const Halo& halo)
    {
        const Tiling& tiling = graph_.tiling();
        for (const int tile : graph_.owned_tiles())
            for (int face = 0; face < Tiling::faces; ++face) {
                if (!tiling.cut(face / 2)) continue;
                const int to = graph_.rank_of_tile(tiling.receiver(tile, face));
                const int sender = tiling.sender(tile, face), from = graph_.rank_of_tile(sender);
                const int here = graph_.rank_of_tile(tile);
                if (to != here) graph_.send(halo.at(tile, face), to, halo.tag(tile, face), "faces");
                if (from != here)
                    graph_.receive(halo.at(sender, face), from, halo.tag(sender, face), "faces");
            }
    }
};

} // namespace

std::unique_ptr<Exchange> make_starpu_exchange(LatticeGraph& graph)
{
    return std::make_unique<StarpuExchange>(graph);
}

} // namespace qcd
