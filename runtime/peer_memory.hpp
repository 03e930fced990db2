#pragma once
// Memory that several workers of this process write: no StarPU data, because they do it at the same
// time, inside of tasks, and see by what is written there when it is complete (codelets/linked_hop,
// codelets/device/linked_step.h).

#include <cstddef>
#include <vector>

namespace qcd
{

/// Can each of these workers (StarPU's numbers) write the memory of all others? True for cores, and
/// for CUDA devices with peer access, which is switched on.
bool peers_reach(const std::vector<int>& workers);

/// Zeros in a worker's memory. Made and given back only while no task runs that waits for another
/// worker: CUDA may wait for all devices then.
class PeerMemory
{
public:
    PeerMemory(int worker, std::size_t bytes);
    ~PeerMemory();
    PeerMemory(const PeerMemory&) = delete;
    PeerMemory& operator=(const PeerMemory&) = delete;
    void* at(std::size_t offset) const { return static_cast<char*>(memory_) + offset; }

private:
    int device_; // of CUDA; -1: the host
    void* memory_ = nullptr;
};

} // namespace qcd
