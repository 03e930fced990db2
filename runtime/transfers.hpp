#pragma once
// What StarPU copies between memories, and when.

#include <mutex>
#include <vector>

namespace qcd
{

/// A copy of one piece of data.
struct Transfer {
    int from = -1, to = -1; ///< StarPU's memory nodes
    double bytes = 0;
    double began = 0; ///< on the clock of Events: enqueued there, or begun
    double ended = 0;
    bool expected = false; ///< `ended` is when it would be alone on its bus, at the speed that
                           ///< StarPU has measured: of a copy under way nobody is told the end
};

/// Records the copies of vectors, which all data of a Graph are, during its life. One at a time.
/// It takes StarPU's way of copying a vector and puts its own before it, which its interfaces are
/// made for. What would be at hand is not: the events of StarPU's profiling tool called transfers
/// (starpu_profiling_tool.h, 1.4) surround a worker's search for work, say no source and, as bytes,
/// numbers of buffers; counters of buses have no times.
class Transfers
{
public:
    /// No task is under way.
    Transfers();
    ~Transfers();
    Transfers(const Transfers&) = delete;
    Transfers& operator=(const Transfers&) = delete;

    /// Those since it was asked last, in the order in which they began. No task is under way.
    std::vector<Transfer> take();

private:
    static int copy(void* from, unsigned from_node, void* to, unsigned to_node, void* async);

    std::mutex mutex_;
    std::vector<Transfer> log_;
};

} // namespace qcd
