#include "codelets/hop_border/hop_border.hpp"
#include "codelets/hop_inside/hop_inside.hpp"
#include "codelets/hopping/hopping.hpp"
#include "codelets/pack_faces/pack_faces.hpp"
#include "runtime/owned_data.hpp"
#include "runtime/ranks.hpp"
#include "tasks/exchange.hpp"
#include "tasks/face_bytes.hpp"
#include "tasks/scalars.hpp"
#include "tasks/wilson.hpp"

#include <cstdlib>
#include <cstring>

namespace qcd
{

namespace
{

/// Memory is StarPU's, where the tasks run.
class StarpuHalo : public Halo
{
public:
    StarpuHalo(LatticeGraph& graph, Precision precision)
        : Halo(graph), precision_(precision), ranks_(graph.ranks())
    {
        const Tiling& tiling = graph.tiling();
        for (const int tile : graph.owned_tiles())
            for (int face = 0; face < Tiling::faces; ++face) {
                if (!tiling.cut(face / 2)) continue;
                make(graph, tile, face, tile);
                if (const int sender = tiling.sender(tile, face); !graph.owns(sender)) {
                    make(graph, sender, face, tile);
                    add_channel(graph, sender, face);
                }
                if (!graph.owns(tiling.receiver(tile, face))) add_channel(graph, tile, face);
            }
        if (ranks_.several()) ranks_.open(channels_);
    }
    ~StarpuHalo() override
    {
        faces_.clear();
        ranks_.close(channels_);
    }

private:
    void add_channel(const LatticeGraph& graph, int sender, int face)
    {
        const int receiver = graph.tiling().receiver(sender, face);
        const int owner = graph.owner_of_tile(graph.owns(receiver) ? receiver : sender);
        channels_.push_back({.data = at(sender, face).handle,
                             .bytes = bytes_of(graph, sender, face),
                             .from = graph.rank_of_tile(sender),
                             .to = graph.rank_of_tile(receiver),
                             .tag = tag(sender, face),
                             .worker = owner < 0 && starpu_worker_get_count() == 1 ? 0 : owner});
    }
    std::size_t bytes_of(const LatticeGraph& graph, int tile, int face) const
    {
        return graph.rhs() * face_bytes(graph.tiling(), precision_, tile, face / 2);
    }
    /// Makes a face of `tile`, where `user` has its data.
    void make(LatticeGraph& graph, int tile, int face, int user)
    {
        faces_.push_back(std::make_unique<StarpuData>(
            graph, bytes_of(graph, tile, face) / math_bytes(precision_), math_bytes(precision_),
            graph.owner_of_tile(user), user));
        data_[Tiling::faces * tile + face] = faces_.back()->data();
    }

    Precision precision_;
    Ranks& ranks_;
    std::vector<std::unique_ptr<StarpuData>> faces_;
    std::vector<Channel> channels_; ///< between this rank and others
};

/// StarPU moves what tasks of other tiles read, and orders the tasks by it.
class StarpuExchange : public Exchange
{
public:
    explicit StarpuExchange(LatticeGraph& graph)
        : Exchange(graph),
          with_ranks_(graph.owned_tiles().size() < std::size_t(graph.tiling().tile_count())),
          late_(std::size_t(graph.tiling().tile_count()))
    {
        for_each_from_ranks([&](int, int face, int, int tile) { late_[tile] |= 1 << face; });
        for (const int tile : graph.owned_tiles())
            if (!goes_in_parts(tile)) late_[tile] = 0;
    }

    std::unique_ptr<Halo> make_halo(Precision p) override
    {
        return std::make_unique<StarpuHalo>(graph_, p);
    }

    void hop(const Wilson& wilson, const Hop& hop, const Halo& halo, long) override
    {
        for (const int tile : graph_.owned_tiles())
            graph_.submit(pack_faces_codelet(wilson.arithmetic(), wilson.links()),
                          wilson.packing_args(hop, tile), wilson.packing_slots(hop, tile, halo));
        exchange_with_ranks(halo);
        std::vector<int> with_border; // in the order of the sweep
        graph_.sweep([&](int tile) {
            if (late_[tile]) with_border.push_back(tile);
            submit_hop(wilson, hop, halo, tile, late_[tile] ? QCD_HOP_INSIDE : QCD_HOP_WHOLE);
        });
        for (const int tile : with_border) submit_hop(wilson, hop, halo, tile, QCD_HOP_BORDER);
        for_each_from_ranks(
            [&](int sender, int face, int, int) { graph_.done_reading(halo.tag(sender, face)); });
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
    /// Is the tile's hop in two tasks, so that its inside is computed while faces of other ranks
    /// travel? A GPU computes one task after the other, and waits for a whole hop's faces, which
    /// takes long between hosts. Cores, and GPUs of one host, lose by the second task what they
    /// would win (docs/cluster.md).
    bool goes_in_parts(int tile) const
    {
        if (blocks_of_part(graph_.tiling().shape(tile), QCD_HOP_INSIDE, late_[tile]) == 0)
            return false;
        if (const char* const asked = std::getenv("QCD_HOP_PARTS"))
            return std::strcmp(asked, "1") == 0;
        if (graph_.ranks().local_size() == graph_.ranks().size()) return false;
        const int owner = graph_.owner_of_tile(tile);
        return owner >= 0 ? starpu_worker_get_type(owner) != STARPU_CPU_WORKER
                          : starpu_cpu_worker_get_count() == 0;
    }

    void submit_hop(const Wilson& wilson, const Hop& hop, const Halo& halo, int tile, int part)
    {
        hopping_args args = wilson.hop_args(hop, tile);
        std::vector<Operand> slots = wilson.hop_slots(hop, tile, &halo);
        args.part = part;
        args.late = late_[tile];
        for (int face = 0; face < Tiling::faces; ++face)
            if (part == QCD_HOP_INSIDE && args.late >> face & 1) slots[hopping_faces + face] = {};
        const auto& codelet = part == QCD_HOP_INSIDE   ? hop_inside_codelet
                              : part == QCD_HOP_BORDER ? hop_border_codelet
                                                       : hopping_codelet;
        graph_.submit(codelet(wilson.arithmetic(), wilson.links()), args, slots);
    }

    /// f(sender, face, from, tile): of the tile of another rank, whose face an owned one needs
    template <class F>
    void for_each_from_ranks(const F& f) const
    {
        if (!with_ranks_) return;
        const Tiling& tiling = graph_.tiling();
        for (const int tile : graph_.owned_tiles())
            for (int face = 0; face < Tiling::faces; ++face) {
                const int sender = tiling.sender(tile, face);
                if (tiling.cut(face / 2) && !graph_.owns(sender))
                    f(sender, face, graph_.rank_of_tile(sender), tile);
            }
    }
    /// Faces of owned tiles that others need, and the other way round.
    void exchange_with_ranks(const Halo& halo)
    {
        if (!with_ranks_) return;
        const Tiling& tiling = graph_.tiling();
        for (const int tile : graph_.owned_tiles())
            for (int face = 0; face < Tiling::faces; ++face) {
                if (!tiling.cut(face / 2)) continue;
                const int to = tiling.receiver(tile, face);
                if (!graph_.owns(to))
                    graph_.send(halo.at(tile, face), graph_.rank_of_tile(to), halo.tag(tile, face),
                                "faces");
            }
        for_each_from_ranks([&](int sender, int face, int from, int) {
            graph_.receive(halo.at(sender, face), from, halo.tag(sender, face), "faces");
        });
    }

    bool with_ranks_;
    std::vector<int> late_; // of each tile: faces that its hop's inside does not wait for
};

} // namespace

std::unique_ptr<Exchange> make_starpu_exchange(LatticeGraph& graph)
{
    return std::make_unique<StarpuExchange>(graph);
}

} // namespace qcd
