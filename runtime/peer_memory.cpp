#include "runtime/peer_memory.hpp"

#include "base/error.hpp"

#include <starpu.h>

#include <cstdlib>
#include <cstring>
#include <new>

#ifdef QCD_WITH_CUDA
#include <cuda_runtime_api.h>
#endif

namespace qcd
{

namespace
{

int cuda_device_of(int worker)
{
    return starpu_worker_get_type(worker) == STARPU_CUDA_WORKER ? starpu_worker_get_devid(worker)
                                                                : -1;
}

#ifdef QCD_WITH_CUDA
/// This thread's device, for as long as this lives.
class CurrentDevice
{
public:
    explicit CurrentDevice(int device)
    {
        cudaGetDevice(&before_);
        cudaSetDevice(device);
    }
    ~CurrentDevice() { cudaSetDevice(before_); }
    CurrentDevice(const CurrentDevice&) = delete;
    CurrentDevice& operator=(const CurrentDevice&) = delete;

private:
    int before_ = 0;
};

bool reaches(int from, int to)
{
    const CurrentDevice current(from);
    int can = 0;
    cudaError_t status = cudaDeviceCanAccessPeer(&can, from, to);
    if (status == cudaSuccess && can) status = cudaDeviceEnablePeerAccess(to, 0);
    cudaGetLastError(); // nobody else's
    return can && (status == cudaSuccess || status == cudaErrorPeerAccessAlreadyEnabled);
}
#endif

} // namespace

bool peers_reach(const std::vector<int>& workers)
{
    for (const int from : workers) {
        const auto kind = starpu_worker_get_type(from);
        if (kind != STARPU_CPU_WORKER && kind != STARPU_CUDA_WORKER) return false;
        for (const int to : workers) {
            const int a = cuda_device_of(from), b = cuda_device_of(to);
            if ((a < 0) != (b < 0)) return false;
#ifdef QCD_WITH_CUDA
            if (a >= 0 && a != b && !reaches(a, b)) return false;
#endif
        }
    }
    return true;
}

PeerMemory::PeerMemory(int worker, std::size_t bytes) : device_(cuda_device_of(worker))
{
    bytes = (bytes + 4095) / 4096 * 4096;
    if (device_ < 0) {
        memory_ = std::aligned_alloc(4096, bytes);
        if (!memory_) throw std::bad_alloc();
        std::memset(memory_, 0, bytes);
        return;
    }
#ifdef QCD_WITH_CUDA
    const CurrentDevice current(device_);
    if (cudaMalloc(&memory_, bytes) != cudaSuccess ||
        cudaMemset(memory_, 0, bytes) != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) {
        cudaFree(memory_);
        throw DeviceError("a CUDA device has no memory left for what others write to it");
    }
#endif
}

PeerMemory::~PeerMemory()
{
    if (device_ < 0) {
        std::free(memory_);
        return;
    }
#ifdef QCD_WITH_CUDA
    const CurrentDevice current(device_);
    cudaFree(memory_);
#endif
}

} // namespace qcd
