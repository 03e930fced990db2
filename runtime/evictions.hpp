#pragma once
// What StarPU takes from a device's memory to make room there, and when.

#include <mutex>
#include <vector>

namespace qcd
{

/// A buffer that was given up. What it held, where nobody else did, was copied to the host before
/// (Transfer), and comes back by another copy when it is needed.
struct Eviction {
    int memory = -1; ///< StarPU's memory node
    double bytes = 0;
    double time = 0; ///< on the clock of Events
};

/// Records them during its life, of vectors, which all data of a Graph are. One at a time. StarPU's
/// profiling tool has no such event (starpu_profiling_tool.h, 1.4), and its own traces need FxT. So
/// it puts itself before StarPU's ways to allocate, free and pass on a vector's memory, which its
/// interfaces are made for: a device's buffer is freed only to make room, as long as nobody
/// unregisters data, and passed on from one piece of data to another of its size where an
/// allocation has failed just before.
class Evictions
{
public:
    /// No task is under way.
    Evictions();
    ~Evictions();
    Evictions(const Evictions&) = delete;
    Evictions& operator=(const Evictions&) = delete;

    /// Those since it was asked last, in the order of their times. No task is under way.
    std::vector<Eviction> take();

private:
    struct Hooks;
    void add(void* interface, unsigned node);

    std::mutex mutex_;
    std::vector<Eviction> log_;
};

} // namespace qcd
