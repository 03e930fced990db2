#pragma once
// The operations of a graph as they were submitted, and what each waits for: for bounds of the time
// that they need (docs/compare.md).

#include "runtime/graph.hpp"
#include "runtime/schedule.hpp"

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace qcd
{

/// The tasks and the order that StarPU's sequential consistency gives them (LastUses).
struct TaskGraph {
    struct Node {
        const Codelet* codelet = nullptr;
        Work work{};
        int part = -1, iteration = -1; ///< of Origin
    };
    /// A piece of data, from its first use until it is forgotten.
    struct Piece {
        std::string name; ///< what the slot that it filled first holds
        int part = -1;    ///< of Data
        double bytes = 0; ///< 0: memory that linked workers write, whose size StarPU does not know
    };
    struct Use {
        int piece; ///< index of pieces
        Mode mode;
    };
    std::vector<Node> nodes; ///< in the order of submission: node i is the i-th operation
    std::vector<Piece> pieces;
    /// Nodes that the next one waits for come before it.
    void add(const Node&, std::span<const int> waits_for, std::span<const Use> uses = {});
    std::span<const int> waits_for(std::size_t node) const;
    std::span<const Use> uses(std::size_t node) const; ///< in the order of its slots

    bool whole = true; ///< false: there were more, which are not kept
    /// Between the host and devices where devices alone work. To: what is read first, and was on no
    /// device before. From: what the host waited for.
    double bytes_to_devices = 0, bytes_from_devices = 0;

private:
    std::vector<int> edges_;
    std::vector<Use> uses_;
    struct Ends {
        std::size_t edges, uses;
    };
    std::vector<Ends> ends_; // of each node's
};

/// Seconds of the longest chain of nodes that wait for each other, each of which takes so long.
double critical_path(const TaskGraph&, std::span<const double> seconds);

/// Records the operations of a graph during its life, and at most so many: about 200 bytes each.
class GraphRecord
{
public:
    static constexpr std::size_t most_nodes = 1 << 19;
    explicit GraphRecord(Graph&, std::size_t most = most_nodes);
    ~GraphRecord();
    GraphRecord(const GraphRecord&) = delete;
    GraphRecord& operator=(const GraphRecord&) = delete;

    const TaskGraph& tasks() const { return tasks_; }
    TaskGraph take() { return std::move(tasks_); }

    // The graph says what is submitted, used by the host, and forgotten.
    void submitted(const Origin&, std::span<const Access>);
    void acquired(const Data&, starpu_data_access_mode);
    void unregistered(const Data&);

private:
    /// The uses of one piece of data, as it is now.
    struct Use {
        LastUses last{};      ///< none: it is from before, or the host's
        bool on_host = false; ///< the host has it
        enum { unknown, no, yes } on_device = unknown;
        int piece = -1; ///< -1: no operation has used it
    };
    void read_by_task(Use&, const Data&);
    int piece_of(Use&, const Data&, const Slot&);

    Graph& graph_;
    std::size_t most_;
    TaskGraph tasks_;
    std::map<const void*, Use> uses_; // by handle, or by memory of linked workers
};

} // namespace qcd
