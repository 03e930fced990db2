#include "codelets/hopping/hopping.hpp"
#include "codelets/pack_faces/pack_faces.hpp"
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
    StarpuHalo(LatticeGraph& graph, Precision precision) : Halo(graph.tiling()), graph_(graph)
    {
        const Tiling& tiling = graph.tiling();
        for (const int tile : graph.owned_tiles())
            for (int face = 0; face < 8; ++face) {
                if (!tiling.cut(face / 2)) continue;
                Data& d = data_[8 * tile + face];
                d.worker = graph.owner_of_tile(tile);
                starpu_vector_data_register(&d.handle, -1, 0,
                                            face_bytes(tiling, precision, tile, face / 2) /
                                                math_bytes(precision),
                                            math_bytes(precision));
            }
    }
    ~StarpuHalo() override
    {
        for (const Data& d : data_)
            if (d) graph_.unregister(d);
    }

private:
    LatticeGraph& graph_;
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
                          wilson.packing_args(hop, tile), wilson.packing_slots(hop, tile, halo), 0,
                          Priority::early);
        graph_.sweep([&](int tile) {
            graph_.submit(hopping_codelet(wilson.arithmetic(), wilson.links()),
                          wilson.hop_args(hop, tile), wilson.hop_slots(hop, tile, &halo),
                          wilson.flops(tile));
        });
    }

    std::vector<int> owners_of_scalars() const override { return {graph_.owner_of_scalars()}; }

    void scalars(const ScalarStep& step) override
    {
        std::vector<Access> slots = scalar_slots(step, 0);
        for (const LatticeSums* sums : {step.a, step.b}) {
            if (sums) sums->merge();
            slots.push_back(sums ? reads(sums->total()) : Access{});
        }
        graph_.submit(step.codelets.alone, step.args, slots, 0, Priority::early);
    }
};

} // namespace

std::unique_ptr<Exchange> make_starpu_exchange(LatticeGraph& graph)
{
    return std::make_unique<StarpuExchange>(graph);
}

} // namespace qcd
