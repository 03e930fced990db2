#include "runtime/task_graph.hpp"

#include <algorithm>

namespace qcd
{

namespace
{

const void* key_of(const Data& d) { return d.handle ? static_cast<void*>(d.handle) : d.peer; }

Mode mode_of(starpu_data_access_mode mode)
{
    return mode == STARPU_R ? Mode::reads : mode == STARPU_W ? Mode::writes : Mode::updates;
}

double bytes_of(const Data& d) { return d.handle ? double(starpu_data_get_size(d.handle)) : 0; }

/// Nothing of it has to cross a bus before a device reads it.
bool on_a_device(const Data& d)
{
    if (!d.handle) return true;
    for (unsigned node = 0; node < starpu_memory_nodes_get_count(); ++node) {
        if (starpu_node_get_kind(node) == STARPU_CPU_RAM) continue;
        int allocated = 0, valid = 0, requested = 0;
        starpu_data_query_status(d.handle, int(node), &allocated, &valid, &requested);
        if (valid) return true;
    }
    return false;
}

} // namespace

void TaskGraph::add(const Node& node, std::span<const int> waits_for, std::span<const Use> uses)
{
    nodes.push_back(node);
    edges_.insert(edges_.end(), waits_for.begin(), waits_for.end());
    uses_.insert(uses_.end(), uses.begin(), uses.end());
    ends_.push_back({edges_.size(), uses_.size()});
}

std::span<const int> TaskGraph::waits_for(std::size_t node) const
{
    const std::size_t first = node > 0 ? ends_[node - 1].edges : 0;
    return {edges_.data() + first, ends_[node].edges - first};
}

std::span<const TaskGraph::Use> TaskGraph::uses(std::size_t node) const
{
    const std::size_t first = node > 0 ? ends_[node - 1].uses : 0;
    return {uses_.data() + first, ends_[node].uses - first};
}

double critical_path(const TaskGraph& g, std::span<const double> seconds)
{
    std::vector<double> ends(g.nodes.size());
    double last = 0;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        for (const int before : g.waits_for(i)) ends[i] = std::max(ends[i], ends[before]);
        last = std::max(last, ends[i] += seconds[i]);
    }
    return last;
}

GraphRecord::GraphRecord(Graph& graph, std::size_t most) : graph_(graph), most_(most)
{
    graph_.record_tasks(this);
}

GraphRecord::~GraphRecord() { graph_.record_tasks(nullptr); }

void GraphRecord::read_by_task(Use& use, const Data& data)
{
    if (use.on_device == Use::no || (use.on_device == Use::unknown && !on_a_device(data)))
        tasks_.bytes_to_devices += bytes_of(data);
    use.on_device = Use::yes;
}

int GraphRecord::piece_of(Use& use, const Data& data, const Slot& slot)
{
    if (use.piece < 0) {
        use.piece = int(tasks_.pieces.size());
        tasks_.pieces.push_back({slot.holds ? slot.holds : slot.name, data.part, bytes_of(data)});
    }
    return use.piece;
}

void GraphRecord::submitted(const Origin& origin, std::span<const Access> slots)
{
    if (tasks_.nodes.size() == most_) {
        tasks_.whole = false;
        return;
    }
    const int node = int(tasks_.nodes.size());
    std::vector<int> before;
    std::vector<TaskGraph::Use> used;
    for (std::size_t s = 0; s < slots.size(); ++s) {
        const Access& a = slots[s];
        if (!a.data) continue;
        Use& use = uses_[key_of(a.data)];
        used.push_back({piece_of(use, a.data, origin.codelet->slots[s]), mode_of(a.mode)});
        if (a.mode != STARPU_W) read_by_task(use, a.data);
        use.last.note(node, a.mode != STARPU_R, before);
        if (a.mode != STARPU_R) use = {.last = use.last, .on_device = Use::yes, .piece = use.piece};
    }
    keep_earlier(before, node);
    tasks_.add({origin.codelet, origin.work, origin.part, origin.iteration}, before, used);
}

void GraphRecord::acquired(const Data& data, starpu_data_access_mode mode)
{
    Use& use = uses_[key_of(data)];
    if (mode != STARPU_W && use.last.writer >= 0 && !use.on_host)
        tasks_.bytes_from_devices += bytes_of(data);
    use.on_host = true;
    if (mode != STARPU_R) use = {.on_host = true, .on_device = Use::no, .piece = use.piece};
}

void GraphRecord::unregistered(const Data& data) { uses_.erase(key_of(data)); }

} // namespace qcd
