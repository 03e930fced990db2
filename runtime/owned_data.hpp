#pragma once
// Data of a graph that own their handles: unregistered at the end of their lives, which waits for
// their tasks. Not copyable; they do not outlive the graph.

#include "runtime/graph.hpp"

#include <cstddef>
#include <vector>

namespace qcd
{

/// One handle of `elements` items of `element_bytes`, zeros in memory of its own on the host.
class HostData
{
public:
    /// worker, part: as in Data
    HostData(Graph&, std::size_t elements, std::size_t element_bytes, int worker, int part = -1);
    ~HostData();
    HostData(const HostData&) = delete;
    HostData& operator=(const HostData&) = delete;
    Data data() const { return data_; }
    /// Only between Graph::acquire() and release().
    void* host() { return memory_.data(); }
    const void* host() const { return memory_.data(); }
    Graph& graph() const { return graph_; }

private:
    Graph& graph_;
    std::vector<char> memory_;
    Data data_;
};

/// Data without a value at first, in memory of StarPU's where its tasks run.
class StarpuData
{
public:
    StarpuData(Graph&, std::size_t elements, std::size_t element_bytes, int worker, int part = -1);
    ~StarpuData();
    StarpuData(const StarpuData&) = delete;
    StarpuData& operator=(const StarpuData&) = delete;
    Data data() const { return data_; }

private:
    Graph& graph_;
    Data data_;
};

} // namespace qcd
