#include "base/error.hpp"
#include "codelets/device/linked_step.h"
#include "codelets/linked_hop/linked_hop.hpp"
#include "runtime/owned_data.hpp"
#include "runtime/peer_memory.hpp"
#include "tasks/exchange.hpp"
#include "tasks/face_bytes.hpp"
#include "tasks/scalars.hpp"
#include "tasks/wilson.hpp"

#include <array>

namespace qcd
{

const int most_linked_workers = QCD_MOST_PEERS + 1;

namespace
{

/// Bytes of all right-hand sides, with a flag for each block, in whole cache lines.
std::size_t face_bytes_with_flags(const LatticeGraph& graph, Precision p, int tile, int mu)
{
    const Tiling& t = graph.tiling();
    const std::size_t flags = graph.rhs() * face_blocks(t.shape(tile), mu) * sizeof(i64);
    return graph.rhs() * face_bytes(t, p, tile, mu) + (flags + 127) / 128 * 128;
}

/// Peer memory of the tile that receives, with flags behind each face.
class PeerHalo : public Halo
{
public:
    PeerHalo(LatticeGraph& graph, Precision precision) : Halo(graph), graph_(graph)
    {
        const Tiling& tiling = graph.tiling();
        for (const int tile : graph.owned_tiles()) { // that receives
            std::size_t bytes = 0;
            std::array<std::size_t, Tiling::faces> places;
            for (int face = 0; face < Tiling::faces; ++face) {
                places[face] = bytes;
                if (tiling.cut(face / 2))
                    bytes += face_bytes_with_flags(graph, precision, tile, face / 2);
            }
            memory_.push_back(std::make_unique<PeerMemory>(graph.owner_of_tile(tile), bytes));
            for (int face = 0; face < Tiling::faces; ++face)
                if (tiling.cut(face / 2)) {
                    const int from = tiling.sender(tile, face);
                    data_[Tiling::faces * from + face] = {.worker = graph.owner_of_tile(from),
                                                          .peer = memory_.back()->at(places[face]),
                                                          .part = from};
                }
        }
    }
    ~PeerHalo() override { graph_.wait(); }

private:
    LatticeGraph& graph_;
    std::vector<std::unique_ptr<PeerMemory>> memory_;
};

/// A worker with its tile, of the same number.
struct LinkedWorker {
    LinkedWorker(Graph& graph, int worker, std::size_t inbox_bytes)
        : inbox(worker, inbox_bytes), order(graph, 1, sizeof(long), worker)
    {
    }

    PeerMemory inbox;
    StarpuData order; // never read: the worker's exchanges write it, so that they stay in order
};

/// Workers run their tasks at the same time and write each other's memory inside of them
/// (codelets/linked_hop, codelets/device/linked_step.h).
class PeerExchange : public Exchange
{
public:
    explicit PeerExchange(LatticeGraph& graph) : Exchange(graph)
    {
        const std::vector<int>& owners = graph.plan().owners;
        if (int(owners.size()) != graph.tiling().tile_count() || owners.size() < 2 ||
            int(owners.size()) > most_linked_workers)
            throw Error("plan linked: {} workers have {} tiles; 2 to {} workers with "
                        "one each can be linked",
                        owners.size(), graph.tiling().tile_count(), most_linked_workers);
        for (const int worker : owners)
            workers_.push_back(
                std::make_unique<LinkedWorker>(graph, worker, 2 * sent_bytes(graph.rhs(), 0)));
    }
    ~PeerExchange() override { graph_.wait(); } // who still writes into the inbox of another?

    std::unique_ptr<Halo> make_halo(Precision p) override
    {
        return std::make_unique<PeerHalo>(graph_, p);
    }

    void hop(const Wilson& wilson, const Hop& hop, const Halo& halo, long number) override
    {
        graph_.sweep([&](int tile) {
            std::vector<Operand> slots = wilson.hop_slots(hop, tile, &halo);
            slots.resize(linked_hop_slots);
            slots[linked_hop_order] = workers_[tile]->order.data();
            for (int face = 0; face < Tiling::faces; ++face)
                slots[linked_hop_outbox + face] = halo.at(tile, face);
            graph_.submit(linked_hop_codelet(wilson.arithmetic(), wilson.links()),
                          linked_hop_args{wilson.hop_args(hop, tile), number}, slots);
        });
    }

    std::vector<int> owners_of_scalars() const override { return graph_.plan().owners; }

    void scalars(const ScalarStep& step) override
    {
        const bool exchanged = step.a || step.b;
        if (exchanged) ++exchanges_;
        for (int i = 0; i < int(workers_.size()); ++i) {
            std::vector<Operand> slots = scalar_slots(step, i);
            if (!exchanged) {
                slots.resize(scalar_step_slots);
                graph_.submit(step.codelets.alone, step.args, slots);
                continue;
            }
            slots.resize(linked_step_slots);
            slots[linked_step_order] = workers_[i]->order.data();
            for (int set = 0; set < 2; ++set)
                if (const LatticeSums* sums = set ? step.b : step.a) put_sums(slots, set, *sums, i);
            slots[linked_step_inbox] = inbox(i);
            for (int peer = 0, slot = linked_step_outbox; peer < int(workers_.size()); ++peer)
                if (peer != i) slots[slot++] = place(i, peer);
            graph_.submit(step.codelets.linked,
                          linked_step_args{step.args, exchanges_, int(workers_.size()) - 1}, slots);
        }
    }

private:
    /// Bytes that an inbox has before the sums of a right-hand side from a peer.
    std::size_t sent_bytes(int rhs, int peer) const
    {
        const int peers = int(graph_.plan().owners.size()) - 1;
        return std::size_t(sent_sums_place(peers, rhs, peer)) * sizeof(sent_word);
    }
    /// The worker's own parts: of one parity or both.
    static void put_sums(std::vector<Operand>& slots, int set, const LatticeSums& sums, int tile)
    {
        int slot = scalar_step_sums_a + set;
        for (int parity = 0; parity < 2; ++parity)
            if (has_parity(sums.sites(), parity)) {
                slots[slot] = sums.part(parity, tile);
                slot = linked_step_more_a + set;
            }
    }

    // Nobody can be two exchanges of sums ahead of another, because an exchange needs the sums of
    // all: so there are two inboxes each, which take turns.
    Data inbox(int i) const
    {
        const std::size_t turn = exchanges_ % 2 * sent_bytes(graph_.rhs(), 0);
        return {.worker = graph_.plan().owners[i], .peer = workers_[i]->inbox.at(turn)};
    }
    /// Where the sums of worker i go in the inbox of another. It is worker i who writes there.
    Data place(int i, int in_inbox_of) const
    {
        Data place = inbox(in_inbox_of);
        place.worker = graph_.plan().owners[i];
        place.peer = static_cast<char*>(place.peer) + sent_bytes(0, i < in_inbox_of ? i : i - 1);
        return place;
    }

    std::vector<std::unique_ptr<LinkedWorker>> workers_; // worker i has tile i
    unsigned exchanges_ = 0;                             // of sums
};

} // namespace

std::unique_ptr<Exchange> make_peer_exchange(LatticeGraph& graph)
{
    return std::make_unique<PeerExchange>(graph);
}

} // namespace qcd
